import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { identifiersFor } from '../../../src/protocol/identifiers.ts'
import { checkAnswer, withRequestEnvelope } from '../../../src/protocol/schemas/envelope.ts'
import { checkShape, MAX_ISSUES } from '../../../src/protocol/schemas/issues.ts'
import { runs } from '../../support/runs.ts'
import { EVERY_TASK, type Json, key } from './every-task.ts'

const names = identifiersFor('proto')
const everyTask = Object.entries(EVERY_TASK)
const everyCall = everyTask.flatMap(([task, { request, calls }]) =>
  calls.map((call, index) => [`${task} ${index}`, request, call] as const),
)
const envelope = {
  context: { trace: [1, null] },
  context_id: 'c1',
  push_notification_config: { url: 'https://buyer.example.com/hooks', operation_id: 'op_1' },
  idempotency_key: key,
  proto_version: '3.1',
  account: { account_id: 'a1' },
  ext: { vendor: {} },
  never_heard_of: true,
}

describe('a call in either generation is accepted as it stands', () => {
  test.each(everyCall)('%s', (_name, request, call) => {
    expect(checkShape(request, call)).toEqual({ ok: true, value: call })
    const whole = { ...envelope, ...call }
    expect(checkShape(withRequestEnvelope(request, names), whole)).toEqual({
      ok: true,
      value: whole,
    })
  })
})

describe('an answer that is right passes, and one with an undeclared member does not', () => {
  test.each(everyTask)('%s', (task, { response, answer }) => {
    const body = { status: 'completed', proto_version: '3.1', context: {}, ...answer }
    expect(checkAnswer(response, body, names)).toEqual([])
    const issues = checkAnswer(response, { ...body, not_declared: 1 }, names)
    const isOpen = task === 'get_agent_capabilities'
    expect(issues.map(({ pointer }) => pointer)).toEqual(isOpen ? [] : ['/not_declared'])
  })
})

/** A JSON value that differs from the given one at one place. */
function mutation(value: unknown): fc.Arbitrary<unknown> {
  const instead = fc.jsonValue({ maxDepth: 2 })
  if (typeof value !== 'object' || value === null) return instead
  const members = Object.entries(value)
  if (members.length === 0) return instead
  return fc.oneof(
    { weight: 1, arbitrary: instead },
    {
      weight: 6,
      arbitrary: fc.constantFrom(...members).chain(([member, inner]) =>
        mutation(inner).map((changed) => {
          if (Array.isArray(value)) return value.with(Number(member), changed)
          return { ...value, [member]: changed }
        }),
      ),
    },
  )
}

describe('whatever is sent, judging it does not throw, and what is accepted stays as it was', () => {
  test.each(everyTask)('%s', (_task, { request, calls }) => {
    const schema = withRequestEnvelope(request, names)
    const anything = fc.oneof(
      { weight: 1, arbitrary: fc.jsonValue() },
      ...calls.map((call) => ({ weight: 2, arbitrary: mutation({ ...envelope, ...call }) })),
    )
    fc.assert(
      fc.property(anything, (sent) => {
        const received: unknown = JSON.parse(JSON.stringify(sent))
        const check = checkShape(schema, received)
        if (check.ok) {
          expect(withoutProto(check.value)).toEqual(withoutProto(received))
          expect(checkShape(schema, JSON.parse(JSON.stringify(check.value))).ok).toBe(true)
          return
        }
        expect(check.issues.length).toBeGreaterThan(0)
        expect(check.issues.length).toBeLessThanOrEqual(MAX_ISSUES)
        for (const { pointer, message, keyword } of check.issues) {
          expect(hasParent(received, pointer)).toBe(true)
          expect(message).not.toMatch(/Invalid|undefined/)
          expect(keyword).not.toBe('')
        }
      }),
      { numRuns: runs({ usual: 80, all: 300 }) },
    )
  })
})

/** Every pointer leads to a place, or to a member that its object lacks. */
function hasParent(value: unknown, pointer: string): boolean {
  let place = value
  const steps = pointer.split('/').slice(1, -1)
  for (const step of steps) {
    const member = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, member)) return false
    place = (place as Json)[member]
  }
  return true
}

/** As JSON, without `__proto__`: as a declared object’s member it is dropped on purpose. */
function withoutProto(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), function (this: Json, member, inner: unknown) {
    return member === '__proto__' ? undefined : inner
  })
}
