import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  CIRCUIT_CLOSES_AFTER_SUCCESSES,
  CIRCUIT_OPENS_AFTER_FAILURES,
  CIRCUIT_PROBES_AFTER_MS,
  type Circuit,
  moveCircuit,
} from '../../../src/webhooks/sender/circuit.ts'

type Says = Parameters<typeof moveCircuit>[1]

const after = (says: readonly Says[], now = 1_000, from?: Circuit) =>
  says.reduce<Circuit | undefined>((circuit, one) => moveCircuit(circuit, one, now), from)
const down = (count: number): Says[] => Array<Says>(count).fill('down')
const saying = fc.constantFrom<Says>('up', 'down', 'nothing')

test('spec 6.4: the fifth failure in a row opens the circuit for a minute', () => {
  expect(after(down(4))).toEqual({
    failures: 4,
    successes: 0,
    opened_at: undefined,
    probe_at: undefined,
  })
  expect(after(down(5))).toEqual({
    failures: 5,
    successes: 0,
    opened_at: 1_000,
    probe_at: 61_000,
  })
})

test('a success while closed forgets the failures before it', () => {
  expect(after([...down(4), 'up'])).toBeUndefined()
  expect(after([...down(4), 'up', ...down(4)])?.opened_at).toBeUndefined()
})

describe('an open circuit', () => {
  const open = after(down(5)) as Circuit

  test('closes with the second success, and is probed again at once after the first', () => {
    const half = moveCircuit(open, 'up', 70_000)
    expect(half).toMatchObject({ successes: 1, opened_at: 1_000, probe_at: 70_000 })
    expect(moveCircuit(half, 'up', 71_000)).toBeUndefined()
  })

  test('waits another minute after a probe that failed, and counts successes again', () => {
    const half = moveCircuit(open, 'up', 70_000)
    const again = moveCircuit(half, 'down', 71_000)
    expect(again).toMatchObject({ successes: 0, opened_at: 1_000, probe_at: 131_000 })
    expect(moveCircuit(again, 'up', 132_000)).toBeDefined()
  })
})

test('an answer that says nothing of the endpoint moves nothing', () => {
  fc.assert(
    fc.property(fc.array(saying, { maxLength: 30 }), (says) => {
      const circuit = after(says)
      expect(moveCircuit(circuit, 'nothing', 99_000)).toBe(circuit)
      expect(after(says.filter((one) => one !== 'nothing'))).toEqual(circuit)
    }),
  )
})

test('whatever the attempts say, it is open exactly from five failures to two successes in a row', () => {
  fc.assert(
    fc.property(fc.array(saying, { maxLength: 80 }), (says) => {
      let circuit: Circuit | undefined
      let isOpen = false
      let failures = 0
      let successes = 0
      says.forEach((one, index) => {
        const now = index * 1_000
        circuit = moveCircuit(circuit, one, now)
        if (one === 'nothing') return
        failures = one === 'down' ? failures + 1 : 0
        successes = one === 'up' ? successes + 1 : 0
        if (!isOpen && failures >= CIRCUIT_OPENS_AFTER_FAILURES) {
          isOpen = true
        } else if (isOpen && successes >= CIRCUIT_CLOSES_AFTER_SUCCESSES) {
          isOpen = false
        }
        expect(circuit?.opened_at !== undefined).toBe(isOpen)
        // Whatever is open has a probe ahead of it, never more than a minute away.
        const probeAt = isOpen ? (one === 'down' ? now + CIRCUIT_PROBES_AFTER_MS : now) : undefined
        expect(circuit?.probe_at).toBe(probeAt)
        // What is closed and well is not remembered, or the table would grow with every endpoint.
        if (!isOpen && failures === 0) expect(circuit).toBeUndefined()
      })
    }),
  )
})
