import { expect, test } from 'vitest'
import { measureStrangers, readStrangers } from '../../../bench/messages/strangers.mjs'
import { writeTexts } from '../../../src/creative/layout-engine/texts.ts'
import type { Layer } from '../../../src/creative/message/read-message.ts'

const brand = { name: 'Zzbrand' }
const measured = (without: readonly Layer[]) =>
  readStrangers().map(({ messages }) =>
    measureStrangers(messages, (message) =>
      Object.values(writeTexts({ brand, message }, without).texts),
    ),
  )

test('spec 4.2: of messages by strangers the learned layer prints half as many instructions, or fewer, and keeps their copy', () => {
  const shipped = measured([])
  const rules = measured(['learned'])
  expect(shipped.length).toBeGreaterThanOrEqual(2)
  for (const [index, own] of shipped.entries()) {
    const before = rules[index]
    expect(own.printsInstruction).toBeLessThan((before?.printsInstruction ?? 0) * 0.6)
    expect(own.printsBareInstruction).toBeLessThan((before?.printsBareInstruction ?? 0) * 0.35)
    expect(own.copyDrawn).toBeGreaterThan((before?.copyDrawn ?? 1) - 0.03)
  }
})
