import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  BUY_EVENTS,
  type BuyStatus,
  dueEvent,
  isEnded,
  moveBuy,
  nextMoveAt,
  validActions,
} from '../../src/media-buys/states.ts'
import { MEDIA_BUY_STATUSES } from '../../src/protocol/statuses.ts'

const interim = (over: Partial<BuyStatus> = {}): BuyStatus => ({
  status: 'active',
  is_held: false,
  start_at: 100,
  end_at: 200,
  ...over,
})

test('spec 3.4: exactly these moves are made', () => {
  const moves = MEDIA_BUY_STATUSES.map((status) => [
    status,
    Object.fromEntries(
      BUY_EVENTS.flatMap((event) => {
        const moved = moveBuy(interim({ status }), event)
        return moved.ok ? [[event, moved.status]] : []
      }),
    ),
  ])
  expect(Object.fromEntries(moves)).toEqual({
    pending_creatives: {
      supply: 'pending_start',
      pause: 'pending_creatives',
      resume: 'pending_creatives',
      end: 'canceled',
      cancel: 'canceled',
      reject: 'rejected',
    },
    pending_start: {
      start: 'active',
      pause: 'pending_start',
      resume: 'pending_start',
      cancel: 'canceled',
      reject: 'rejected',
    },
    active: { pause: 'paused', resume: 'active', end: 'completed', cancel: 'canceled' },
    paused: { pause: 'paused', resume: 'active', end: 'completed', cancel: 'canceled' },
    completed: {},
    rejected: {},
    canceled: {},
  })
})

test('spec 3.4: what is canceled is not cancellable, and other moves of what has ended are none', () => {
  const code = (status: BuyStatus['status'], event: 'cancel' | 'pause') => {
    const moved = moveBuy(interim({ status }), event)
    return moved.ok ? 'ok' : moved.code
  }
  expect(code('canceled', 'cancel')).toBe('NOT_CANCELLABLE')
  expect(code('completed', 'cancel')).toBe('INVALID_STATE')
  expect(code('canceled', 'pause')).toBe('INVALID_STATE')
})

test('spec 3.4: a request to wait is kept until the buy would be active, and then appears as paused', () => {
  const waiting = moveBuy(interim({ status: 'pending_start' }), 'pause')
  expect(waiting).toEqual({ ok: true, status: 'pending_start', is_held: true })
  const held = interim({ status: 'active', is_held: true })
  expect(dueEvent(held, 150)).toBe('pause')
  expect(moveBuy(held, 'pause')).toEqual({ ok: true, status: 'paused', is_held: true })
})

test('the clock and the buyer together never leave the table, and what has ended never moves', () => {
  const doing = fc.record({
    event: fc.constantFrom('supply', 'pause', 'resume', 'cancel', 'reject', 'tick'),
    wait: fc.integer({ min: 0, max: 60 }),
  })
  fc.assert(
    fc.property(fc.array(doing, { maxLength: 30 }), fc.boolean(), (doings, isHeld) => {
      let now = 0
      let buy = interim({ status: 'pending_creatives', is_held: isHeld })
      for (const { event, wait } of doings) {
        const before = buy
        now += wait
        if (event !== 'tick') {
          const moved = moveBuy(buy, event as 'pause')
          if (moved.ok) buy = { ...buy, ...moved }
          else expect(isEnded(before.status) || event === 'supply' || event === 'reject').toBe(true)
        }
        for (let due = dueEvent(buy, now); due; due = dueEvent(buy, now)) {
          const moved = moveBuy(buy, due)
          expect(moved.ok).toBe(true)
          if (moved.ok) buy = { ...buy, status: moved.status, is_held: moved.is_held }
        }
        if (isEnded(before.status)) expect(buy.status).toBe(before.status)
        expect(buy.status === 'active' && buy.is_held).toBe(false)
        expect(now >= buy.end_at && !isEnded(buy.status)).toBe(false)
        expect(nextMoveAt(buy) === undefined).toBe(isEnded(buy.status))
        expect(validActions(buy).length === 0).toBe(isEnded(buy.status))
      }
    }),
  )
})
