import { expect, test } from 'vitest'
import { checkDrawn, sharesOf } from '../../../bench/messages/check-drawn.mjs'
import { readStrangers } from '../../../bench/messages/strangers.mjs'
import { OWN_PHRASES } from '../../../src/creative/message/lexicon/own-words.ts'
import { reportOf } from './reported-on.ts'

/** What is reached, less a little. `npm run bench -- messages` prints the figures. */
test.each(readStrangers())(
  'spec 4.2: of messages by strangers ($name) few instructions are printed, the copy is, and notes are true',
  ({ messages }) => {
    const shares = sharesOf(
      messages.map((one) => {
        const { texts, notes } = reportOf(one.message)
        return checkDrawn(one, { texts: Object.values(texts), notes }, ['Acme', ...OWN_PHRASES])
      }),
    )
    expect(shares.printsInstruction).toBeLessThan(0.14)
    expect(shares.printsBare).toBeLessThan(0.1)
    expect(shares.copyDrawn).toBeGreaterThan(0.9)
    expect(shares.right).toBeGreaterThan(0.79)
    expect(shares.losesFact).toBe(0)
    expect(shares.falseNotes).toBe(0)
  },
)
