import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  admitAlone,
  admitSuspects,
  MAX_DEATHS,
  type PossiblyPoisonJob,
} from '../../src/lib/poison-jobs.ts'

const work = (...lost: number[]): PossiblyPoisonJob[] =>
  lost.map((n, at) => ({ id: `w${at}`, lost: n }))

describe('what was lost before', () => {
  test('once is taken one at a time, beside what never was', () => {
    expect(admitSuspects(work(1, 1), { free: 4, running: [] })).toEqual({ lost: ['w0'], others: 3 })
    expect(admitSuspects(work(1), { free: 4, running: [0, 1] })).toEqual({ lost: [], others: 4 })
    expect(admitSuspects(work(1), { free: 4, running: [0] })).toEqual({ lost: ['w0'], others: 3 })
  })

  test('so often that the next time is the last runs alone, and the others wait for that', () => {
    expect(admitSuspects(work(1, 2), { free: 4, running: [] })).toEqual({ lost: ['w1'], others: 0 })
    expect(admitSuspects(work(2), { free: 4, running: [0] })).toEqual({ lost: [], others: 0 })
    expect(admitSuspects(work(), { free: 4, running: [2] })).toEqual({ lost: [], others: 0 })
  })

  test('too often is claimed so that it fails permanently, whatever runs', () => {
    expect(admitSuspects(work(3, 9), { free: 4, running: [2] })).toEqual({
      lost: ['w0', 'w1'],
      others: 0,
    })
    expect(admitSuspects(work(3), { free: 2, running: [0] })).toEqual({ lost: ['w0'], others: 1 })
  })

  test('runs alone where everything runs in turn', () => {
    expect(admitAlone(work(1, 2), 8)).toEqual({ lost: ['w0'], others: 0 })
    expect(admitAlone([], 8)).toEqual({ lost: [], others: 8 })
  })
})

test('work that kills its process fails permanently, and nothing fails because it ran beside it', () => {
  // One process after the other: it claims, runs what it took, and dies if the poison is among it.
  const run = (pieces: readonly { id: string; steps: number }[], free: number) => {
    const left = new Map(pieces.map(({ id, steps }) => [id, { steps, lost: 0 }]))
    const abandoned: string[] = []
    for (let round = 0; left.size > 0; round++) {
      if (round > 500) throw new Error('it does not end')
      const due = [...left]
        .filter(([, { lost }]) => lost > 0)
        .map(([id, { lost }]) => ({ id, lost }))
      const fresh = [...left].filter(([, { lost }]) => lost === 0).map(([id]) => id)
      const { lost, others } = admitSuspects(due, { free, running: [] })
      const taken = [...lost, ...fresh.slice(0, others)]
      for (const id of taken) {
        const piece = left.get(id)!
        if (piece.lost >= MAX_DEATHS) {
          abandoned.push(id)
          left.delete(id)
        } else piece.lost += 1
      }
      const running = taken.filter((id) => left.has(id))
      if (running.some((id) => id.startsWith('poison'))) continue
      for (const id of running) {
        const piece = left.get(id)!
        piece.lost = 0
        piece.steps -= 1
        if (piece.steps === 0) left.delete(id)
      }
    }
    return abandoned
  }
  fc.assert(
    fc.property(
      fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 16 }),
      (kinds, free) => {
        const pieces = kinds.map((isPoison, at) => ({
          id: `${isPoison ? 'poison' : 'good'}-${at}`,
          steps: 1 + (at % 3),
        }))
        const wanted = pieces.filter(({ id }) => id.startsWith('poison')).map(({ id }) => id)
        expect(run(pieces, free).sort()).toEqual(wanted.sort())
      },
    ),
  )
})

test('no more is taken than there are places, and nothing twice', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 20 }),
      fc.integer({ min: 0, max: 8 }),
      fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 8 }),
      fc.integer({ min: 1, max: 5 }),
      (lost, free, running, maxLost) => {
        const taken = admitSuspects(work(...lost), { free, running, maxLost })
        expect(taken.lost.length + taken.others).toBeLessThanOrEqual(free)
        expect(taken.others).toBeGreaterThanOrEqual(0)
        expect(new Set(taken.lost).size).toBe(taken.lost.length)
      },
    ),
  )
})
