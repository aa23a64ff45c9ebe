import { expect, test } from 'vitest'
import { measureStrangers, readStrangers } from '../../../bench/messages/strangers.mjs'
import { textsOf } from '../../../src/creative/layout-engine/texts.ts'

const brand = { name: 'Zzbrand' }

/** What is reached, less a little. `npm run bench -- messages` prints the figures. */
test.each(readStrangers())(
  'spec 4.2: of messages by strangers ($name) few instructions are printed, and the copy is',
  ({ messages }) => {
    const measured = measureStrangers(messages, (message) =>
      Object.values(textsOf({ brand, message })),
    )
    expect(measured.printsInstruction).toBeLessThan(0.18)
    expect(measured.printsBareInstruction).toBeLessThan(0.12)
    expect(measured.copyDrawn).toBeGreaterThan(0.9)
  },
)
