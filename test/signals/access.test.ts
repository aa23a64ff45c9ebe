import { describe, expect, test } from 'vitest'
import { authenticationOf, maySee, mayUse, refusalTo } from '../../src/signals/access.ts'
import { parseGrant, revokeAccount } from '../../src/signals/accounts.ts'
import { catalogueSignal } from '../support/memory-signals.ts'

const alice = { principal_id: 'prn_a', name: 'Alice', scopes: ['tasks'] }
const dsp = { type: 'platform', platform: 'dsp' } as const
const poolSlot = { ...dsp, account: 'seat' }
const sales = { type: 'agent', agent_url: 'https://sales.example' } as const

describe('spec 7.2: a signal agent', () => {
  const outcome = (...given: Parameters<typeof refusalTo>): string =>
    refusalTo(...given)?.errors[0].code ?? 'admitted'
  test.each([
    ['open', [], alice, 'admitted'],
    ['open', [], undefined, 'admitted'],
    ['open', ['Alice'], alice, 'admitted'],
    ['open', ['prn_a'], alice, 'admitted'],
    ['open', ['Bob'], alice, 'AGENT_ACCESS_DENIED'],
    ['open', ['Bob'], undefined, 'AGENT_ACCESS_DENIED'],
    ['private', [], alice, 'AGENT_NOT_FOUND'],
    ['private', ['Bob'], alice, 'AGENT_NOT_FOUND'],
    ['private', ['Bob'], undefined, 'AGENT_NOT_FOUND'],
    ['private', ['prn_a'], alice, 'admitted'],
  ] as const)('that is %s to %j, called by %j: %s', (access, principals, caller, wanted) => {
    const agent = { access, principals }
    expect(outcome(agent, caller)).toBe(wanted)
    // spec 7.2: each of the errors has code, message, field and suggestion.
    for (const error of refusalTo(agent, caller)?.errors ?? []) {
      const { message, field, suggestion } = error
      expect([message, field, suggestion]).toEqual(Array(3).fill(expect.stringMatching(/./)))
    }
    const isKnown = authenticationOf(agent).isKnownTo?.(caller) ?? true
    expect(isKnown).toBe(wanted !== 'AGENT_NOT_FOUND')
  })

  test('returns to callers without a key what it returns to a principal that is not listed', () => {
    for (const access of ['open', 'private'] as const) {
      const agent = { access, principals: ['Bob'] }
      expect(refusalTo(agent, undefined)?.errors).toEqual(refusalTo(agent, alice)?.errors)
    }
  })
})

test.each([
  ['marketplace', undefined, true, true],
  ['custom', undefined, false, true],
  ['owned', undefined, false, true],
  ['marketplace', ['Alice'], false, true],
  ['marketplace', ['prn_a'], false, true],
  ['marketplace', ['Bob'], false, false],
  ['marketplace', [], false, false],
] as const)(
  'a %s signal for %j is seen without a key: %s, and by Alice: %s',
  (signal_type, principals, byNobody, byAlice) => {
    const visibility = principals && { principals }
    const signal = catalogueSignal({ signal_type, visibility })
    expect([maySee(signal, undefined), maySee(signal, alice)]).toEqual([byNobody, byAlice])
  },
)

describe('spec 2.7: an account', () => {
  const signal = (named: boolean, principals?: string[]) =>
    catalogueSignal({
      deployments: [{ ...dsp, is_live: false, ...(named ? { account: 'seat' } : {}) }],
      visibility: principals && { principals },
    })
  const granted = (platform: string, account: string) => [{ platform, account }]

  test.each([
    ['that was not granted is nobody’s', signal(false), [], [false, true]],
    ['that the catalogue names is for those who were granted it', signal(true), [], [false, false]],
    ['that was granted is theirs', signal(true), granted('dsp', 'seat'), [true, true]],
    ['beside another that was granted', signal(false), granted('dsp', 'x'), [false, false]],
    ['beside one that was granted elsewhere', signal(false), granted('x', 'seat'), [false, true]],
    ['of a signal that is for the caller is too', signal(true, ['Alice']), [], [true, true]],
    [
      'of such a signal is also beside others',
      ...([signal(true, ['Alice']), granted('dsp', 'x'), [true, true]] as const),
    ],
  ] as const)('spec 7.2: one %s', (_what, one, grants, [wanted, wantedByAny]) => {
    expect(mayUse(one, poolSlot, { caller: alice, grants })).toBe(wanted)
    expect(mayUse(one, poolSlot, { caller: alice, grants, accounts: 'any' })).toBe(wantedByAny)
  })

  test('is not needed for a target of the whole platform, nor mixed up with an agent’s', () => {
    const rights = { caller: alice, grants: [] }
    const there = { ...sales, account: 'seat' }
    expect(mayUse(signal(true), dsp, rights)).toBe(true)
    expect(mayUse(signal(true), there, { ...rights, accounts: 'any' })).toBe(true)
    const grants = granted('https://sales.example', 'other')
    expect(mayUse(signal(true), there, { caller: alice, grants, accounts: 'any' })).toBe(false)
  })

  test('at an agent is the same however its URL is spelt, and so is its revocation', async () => {
    const held = granted('https://Sales.example:443/', 'seat')
    expect(
      mayUse(signal(true), { ...sales, account: 'seat' }, { caller: alice, grants: held }),
    ).toBe(true)
    const revoked: unknown[] = []
    const ports = {
      transact: async <T>(work: (tx: never) => Promise<T>) => work(undefined as never),
      grants: {
        of: async () => held,
        grant: async () => true,
        revoke: async (_tx: unknown, _id: string, one: unknown) => revoked.push(one) > 0,
      },
    }
    const requested = { platform: sales.agent_url, account: 'seat' }
    expect(await revokeAccount(ports, 'prn_a', requested)).toBe(true)
    expect(await revokeAccount(ports, 'prn_a', { ...requested, account: 'other' })).toBe(false)
    expect(revoked).toEqual(held)
  })

  test.each([
    ['dsp:a', { platform: 'dsp', account: 'a' }],
    ['dsp:a:b', { platform: 'dsp', account: 'a:b' }],
    [' dsp : a ', { platform: 'dsp', account: 'a' }],
    ['https://s.example:8443/x:a', { platform: 'https://s.example:8443/x', account: 'a' }],
    ['dsp', undefined],
    [':a', undefined],
    ['dsp:', undefined],
    ['https://s.example', undefined],
    ['dsp:a\0', undefined],
  ])('is written as %j', (text, grant) => {
    const parsed = parseGrant(text)
    expect(parsed.ok ? parsed.grant : undefined).toEqual(grant)
    if (!parsed.ok) expect(parsed.message).toContain('use <platform>:<account>')
  })
})
