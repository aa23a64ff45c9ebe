import { expect, test } from 'vitest'
import { checkDrawn, sharesOf } from '../../../bench/messages/check-drawn.mjs'
import { readStrangers } from '../../../bench/messages/strangers.mjs'
import { OWN_PHRASES } from '../../../src/creative/message/lexicon/own-words.ts'
import { reportOf } from './reported-on.ts'

interface Floors {
  printsInstruction: number
  printsBare: number
  copyDrawn: number
  right: number
}

/** What is reached, less a little, by set. `npm run bench -- messages` prints the figures. */
const FLOORS: Readonly<Record<string, Floors>> = {
  auditor_a: { printsInstruction: 0.13, printsBare: 0.06, copyDrawn: 0.94, right: 0.83 },
  auditor_b: { printsInstruction: 0.09, printsBare: 0.03, copyDrawn: 0.94, right: 0.83 },
  auditor_c: { printsInstruction: 0.07, printsBare: 0.04, copyDrawn: 0.93, right: 0.88 },
  auditor_d: { printsInstruction: 0.11, printsBare: 0.03, copyDrawn: 0.91, right: 0.83 },
  // The hardest: a quarter of it is copy that looks like an order.
  auditor_e: { printsInstruction: 0.22, printsBare: 0.13, copyDrawn: 0.86, right: 0.66 },
  auditor_f: { printsInstruction: 0.11, printsBare: 0.1, copyDrawn: 0.88, right: 0.81 },
}

test.each(readStrangers())(
  'spec 4.2: of messages by third parties ($name) few instructions are printed, the copy is, and notes are true',
  ({ name, messages }) => {
    const floors = FLOORS[name] as Floors
    const shares = sharesOf(
      messages.map((one) => {
        const { texts, notes } = reportOf(one.message)
        return checkDrawn(one, { texts: Object.values(texts), notes }, ['Acme', ...OWN_PHRASES])
      }),
    )
    expect(shares.printsInstruction).toBeLessThan(floors.printsInstruction)
    expect(shares.printsBare).toBeLessThan(floors.printsBare)
    expect(shares.copyDrawn).toBeGreaterThan(floors.copyDrawn)
    expect(shares.right).toBeGreaterThan(floors.right)
    expect(shares.losesFact).toBe(0)
    expect(shares.falseNotes).toBe(0)
  },
)
