import { describe, expect, test } from 'vitest'
import { admit, maySee, mayUse } from '../../src/signals/access.ts'
import { parseGrant } from '../../src/signals/accounts.ts'
import { catalogueSignal } from '../support/memory-signals.ts'

const alice = { principal_id: 'prn_a', name: 'Alice' }
const dsp = { type: 'platform', platform: 'dsp' } as const
const seat = { ...dsp, account: 'seat' }
const sales = { type: 'agent', agent_url: 'https://sales.example' } as const

describe('spec 7.2: a signal agent', () => {
  const outcome = (...given: Parameters<typeof admit>): string => {
    try {
      admit(...given)
      return 'admitted'
    } catch (error) {
      return (error as { errors: [{ code: string }] }).errors[0].code
    }
  }
  test.each([
    ['open', [], alice, 'admitted'],
    ['open', [], undefined, 'admitted'],
    ['open', ['Alice'], alice, 'admitted'],
    ['open', ['prn_a'], alice, 'admitted'],
    ['open', ['Bob'], alice, 'AGENT_ACCESS_DENIED'],
    ['open', ['Bob'], undefined, 'admitted'],
    ['private', [], alice, 'AGENT_NOT_FOUND'],
    ['private', ['Bob'], alice, 'AGENT_NOT_FOUND'],
    ['private', ['Bob'], undefined, 'AGENT_NOT_FOUND'],
    ['private', ['prn_a'], alice, 'admitted'],
  ] as const)('that is %s to %j, asked by %j: %s', (access, principals, caller, wanted) => {
    expect(outcome({ access, principals }, caller)).toBe(wanted)
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
    ['that nobody names is anybody’s own business', signal(false), [], true],
    ['that the catalogue names is for those who were granted it', signal(true), [], false],
    ['that was granted is theirs', signal(true), granted('dsp', 'seat'), true],
    ['is not, for whoever was granted another there', signal(false), granted('dsp', 'x'), false],
    ['is, for whoever was granted one elsewhere', signal(false), granted('x', 'seat'), true],
    ['of a signal that is for the caller is too', signal(true, ['Alice']), [], true],
    ['of such a signal is also beside others', signal(true, ['Alice']), granted('dsp', 'x'), true],
  ])('%s', (_what, one, grants, wanted) => {
    expect(mayUse(one, seat, alice, grants)).toBe(wanted)
  })

  test('is not needed for a target of the whole platform, nor mixed up with an agent’s', () => {
    expect(mayUse(signal(true), dsp, alice, [])).toBe(true)
    expect(mayUse(signal(true), { ...sales, account: 'seat' }, alice, [])).toBe(true)
    const there = granted('https://sales.example', 'other')
    expect(mayUse(signal(true), { ...sales, account: 'seat' }, alice, there)).toBe(false)
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
    if (!parsed.ok) expect(parsed.message).toContain('give <platform>:<account>')
  })
})
