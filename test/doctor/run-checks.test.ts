import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { baseOf } from '../../src/doctor/agent/context.ts'
import { type Check, PASSED, quotedValue, skipped, verdictOf } from '../../src/doctor/check.ts'
import { isLoopback } from '../../src/doctor/egress-clients.ts'
import { reportOf } from '../../src/doctor/report.ts'
import { chosenChecks, runChecks, unknownNames } from '../../src/doctor/run-checks.ts'

function check(id: string, changes: Partial<Check<string[]>> = {}): Check<string[]> {
  return {
    id,
    group: 'some',
    title: `${id} is right`,
    writes: false,
    why: 'because',
    fix: 'do it',
    run: async (ran) => {
      ran.push(id)
      return PASSED
    },
    ...changes,
  }
}

async function run(
  checks: Check<string[]>[],
  options: { only?: string[]; mayWrite?: boolean } = {},
) {
  const ran: string[] = []
  const results = await runChecks(checks, ran, { mayWrite: false, timeoutMs: 200, ...options })
  return { ran, results: Object.fromEntries(results.map((one) => [one.id, one])) }
}

describe('checks are run', () => {
  test('so that each is reported as it ends, until the examination is aborted', async () => {
    const given = new AbortController()
    const reported: string[] = []
    const waits = check('waits', {
      run: () => {
        given.abort()
        return new Promise(() => {})
      },
    })
    const results = await runChecks([check('a'), waits, check('after')], [], {
      mayWrite: false,
      timeoutMs: 60_000,
      signal: given.signal,
      onResult: ({ id, state }) => reported.push(`${id} ${state}`),
    })
    expect(reported).toEqual(['a passed', 'waits skipped', 'after skipped'])
    const reasons = results.map(({ reason }) => reason)
    expect(reasons.slice(1)).toEqual(Array(2).fill('not judged: the checks were cancelled'))
  })

  test('in their order, and each finding has what, why and what to do', async () => {
    const bad = check('bad', { run: async () => verdictOf(['it is bad', undefined, 'very']) })
    const { ran, results } = await run([check('a'), bad, check('b')])
    expect(ran).toEqual(['a', 'b'])
    expect(results.bad?.findings).toEqual([
      { check: 'bad', what: 'it is bad', why: 'because', fix: 'do it' },
      { check: 'bad', what: 'very', why: 'because', fix: 'do it' },
    ])
  })

  test('so that one which throws or never ends is skipped with its reason, and not passed', async () => {
    const { results } = await run([
      check('throws', { run: async () => Promise.reject(new Error('no\u001b[31m way')) }),
      check('hangs', { run: () => new Promise(() => {}) }),
      check('after'),
    ])
    expect(results.throws).toMatchObject({ state: 'skipped', reason: 'not judged: no?[31m way' })
    expect(results.hangs).toMatchObject({ state: 'skipped', reason: 'not judged within 0.2 s' })
    expect(results.after?.state).toBe('passed')
  })

  test('so that what changes something waits for --write, whatever else it needs', async () => {
    const writes = check('writes', { writes: true, needs: ['failed'] })
    const failed = check('failed', { run: async () => verdictOf(['no']) })
    const without = await run([failed, writes])
    expect(without.ran).toEqual([])
    expect(without.results.writes?.reason).toBe('it changes something: give --write')
    const { results } = await run([failed, writes], { mayWrite: true })
    expect(results.writes?.reason).toBe('needs failed, which was not passed')
  })

  test('so that a check that needs a skipped one is skipped, unless that one was not requested', async () => {
    const checks = [
      check('first', { run: async () => skipped('away') }),
      check('second', { needs: ['first'] }),
    ]
    expect((await run(checks)).results.second?.state).toBe('skipped')
    expect((await run(checks, { only: ['second'] })).results.second?.state).toBe('passed')
  })

  test('by their ids or groups', () => {
    const checks = [check('a'), check('b', { group: 'other' }), check('c', { group: 'other' })]
    const names = (only?: string[]) => chosenChecks(checks, only).map(({ id }) => id)
    expect(names()).toEqual(['a', 'b', 'c'])
    expect(names(['other'])).toEqual(['b', 'c'])
    expect(names(['a', 'c'])).toEqual(['a', 'c'])
    expect(unknownNames(checks, ['a', 'other', 'd'])).toEqual(['d'])
  })
})

test('the exit code is 0 for nothing, 1 for findings, 3 when no one is there', async () => {
  const of = async (...checks: Check<string[]>[]) =>
    reportOf('agent', 'https://a.example', Object.values((await run(checks)).results)).exit_code
  const fails = { run: async () => verdictOf(['no']) }
  expect(await of(check('a'), check('b', { run: async () => skipped('why') }))).toBe(0)
  expect(await of(check('a', fails))).toBe(1)
  expect(await of(check('reachable', fails))).toBe(3)
})

test('text from others is displayed on one line, without control characters, and truncated', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue()), (value) => {
      expect(quotedValue(value)).toMatch(/^[\x20-\x7e]{0,163}$/)
    }),
  )
  expect(quotedValue('a\u202eb\u001b[2Jc')).toBe('a?b?[2Jc')
})

test.each([
  ['https://a.example', 'https://a.example'],
  ['https://a.example/', 'https://a.example'],
  ['https://a.example/mcp', 'https://a.example'],
  ['https://a.example/ads/mcp/', 'https://a.example/ads'],
  ['https://a.example/a2a?agent=signals', 'https://a.example'],
  ['https://a.example/.well-known/agent-card.json', 'https://a.example'],
  ['https://a.example/v3', 'https://a.example'],
])('the server of the agent %s is %s', (agentUrl, base) => {
  expect(baseOf(agentUrl)).toBe(base)
})

test.each([
  ['http://127.0.0.1:80', true],
  ['http://127.9.9.9', true],
  ['http://[::1]:80/x', true],
  ['http://localhost:1', true],
  ['http://127.0.0.1.example', false],
  ['https://10.0.0.1', false],
  ['https://a.example', false],
  ['no URL', false],
])('whether %s is on this machine: %s', (url, expected) => {
  expect(isLoopback(url)).toBe(expected)
})
