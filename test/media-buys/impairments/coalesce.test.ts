import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addChange,
  fireResult,
  type ImpairmentChange,
  MAX_CHANGES,
  MAX_WINDOW_MS,
  notificationIdOf,
  type PendingFire,
  windowMsOf,
} from '../../../src/media-buys/impairments/coalesce.ts'
import {
  healthOf,
  type ImpairmentRecord,
  isSame,
  serializeImpairment,
} from '../../../src/media-buys/impairments/impairment.ts'
import { impairment } from '../../../src/protocol/schemas/media-buy.ts'

const AT = Date.UTC(2026, 0, 1)
const record = (over: Partial<ImpairmentRecord> = {}): ImpairmentRecord => ({
  impairment_id: 'i1',
  media_buy_id: 'mb1',
  owner: 'alice',
  raised_by: 'operator',
  impairment_type: 'general',
  resource_type: 'creative',
  resource_id: 'c1',
  package_ids: ['p1'],
  transition: { from: 'approved', to: 'rejected' },
  reason_code: 'content_rejected',
  observed_at: AT,
  cleared_at: undefined,
  ...over,
})
const change = (impairment_id: string, at: number): ImpairmentChange => ({
  change: 'raised',
  at,
  impairment: serializeImpairment(record({ impairment_id })),
})

describe('spec 6.3: how long a change waits', () => {
  test('general ones five minutes at most, whatever the setting; fraud and safety not at all', () => {
    expect(windowMsOf('general', 60_000)).toBe(60_000)
    expect(windowMsOf('general', 3_600_000)).toBe(MAX_WINDOW_MS)
    expect(windowMsOf('general', -1)).toBe(0)
    expect([windowMsOf('fraud', 60_000), windowMsOf('safety', 60_000)]).toEqual([0, 0])
  })

  test('changes in one window are one fire in their order, which no later change puts off', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: 20_000 }), { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 0, max: MAX_WINDOW_MS }),
        (pauses, windowMs) => {
          let at = AT
          let fire: PendingFire | undefined
          let n = 0
          for (const pause of pauses) {
            at += pause
            // By then the window would have been reported.
            if (fire && fire.due_at <= at) break
            fire = addChange(fire, change(`i${n++}`, at), { window_id: `w${n}`, windowMs })
          }
          const { changes, opened_at, due_at, window_id } = fire as PendingFire
          expect(due_at).toBe(opened_at + windowMs)
          expect(window_id).toBe('w1')
          expect(changes.map((one) => one.impairment.impairment_id)).toEqual(
            Array.from({ length: n }, (_, place) => `i${place}`),
          )
          expect(due_at - Math.min(...changes.map((one) => one.at))).toBeLessThanOrEqual(
            MAX_WINDOW_MS,
          )
        },
      ),
    )
  })

  test('a window that is full is due at once, and a shorter setting ends a longer window', () => {
    let fire: PendingFire | undefined
    for (let n = 0; n < MAX_CHANGES - 1; n++) {
      fire = addChange(fire, change('i1', AT + n), { window_id: 'w', windowMs: MAX_WINDOW_MS })
    }
    expect(fire?.due_at).toBe(AT + MAX_WINDOW_MS)
    const full = addChange(fire, change('i1', AT + 500), {
      window_id: 'x',
      windowMs: MAX_WINDOW_MS,
    })
    expect(full).toMatchObject({ window_id: 'w', due_at: AT + 500 })
    const long = addChange(undefined, change('i1', AT), { window_id: 'w', windowMs: 60_000 })
    const shorter = addChange(long, change('i1', AT + 500), { window_id: 'x', windowMs: 1_000 })
    expect(shorter.due_at).toBe(AT + 1_500)
  })
})

test('spec 6.3: the notification_id is that of the impairment, or of the window of several', () => {
  const one = addChange(undefined, change('i1', AT), { window_id: 'w', windowMs: 1_000 })
  const again = addChange(one, change('i1', AT + 1), { window_id: 'x', windowMs: 1_000 })
  const other = addChange(again, change('i2', AT + 2), { window_id: 'y', windowMs: 1_000 })
  expect([one, again, other].map(notificationIdOf)).toEqual(['i1', 'i1', 'w'])
})

test('spec 6.3: an impairment is serialized as the protocol defines it, and health follows from what is open', () => {
  const returned = serializeImpairment(record({ reason: 'why', remediation: undefined }))
  expect(impairment.parse(returned)).toEqual(returned)
  expect(returned).not.toHaveProperty('remediation')
  expect([healthOf([]), healthOf([returned])]).toEqual(['ok', 'impaired'])
  const fire = addChange(undefined, change('i1', AT), { window_id: 'w', windowMs: 0 })
  expect(fireResult(fire, [returned], 'impaired')).toMatchObject({
    health: 'impaired',
    change: 'raised',
    impairments: [returned],
    impairment: { impairment_id: 'i1' },
    changes: [{ change: 'raised', at: '2026-01-01T00:00:00.000Z' }],
  })
})

test('the order of packages makes no change, another reason does', () => {
  const packages = (...package_ids: string[]) => record({ package_ids })
  expect(isSame(packages('a', 'b'), packages('b', 'a'))).toBe(true)
  expect(isSame(packages('a', 'b'), packages('a'))).toBe(false)
  expect(isSame(record(), record({ reason: 'x' }))).toBe(false)
})
