import { expect, test } from 'vitest'
import {
  type Admitted,
  type AuthenticationPorts,
  admit,
  takeMore,
} from '../../src/agent/authentication.ts'
import type { Principal } from '../../src/agent/principals.ts'
import { hashApiKey } from '../../src/lib/api-key.ts'
import { createRateLimit } from '../../src/lib/token-bucket.ts'
import { fakeClock } from '../support/fake-clock.ts'

const KEY = 'adw_buyer_0123456789abcdef'
const PRINCIPAL: Principal = {
  principal_id: 'prn_buyer',
  name: 'Buyer',
  scopes: ['tasks'],
  created_at: '2026-01-01T00:00:00Z',
  revoked_at: null,
  is_demo: false,
  is_sandbox: false,
}

function gate(perMinute: number) {
  let requested = 0
  let isRevoked = false
  const ports: AuthenticationPorts = {
    principals: {
      byKeyHash: async (hash) => {
        requested++
        return hash === hashApiKey(KEY) && !isRevoked ? PRINCIPAL : undefined
      },
    },
    rateLimit: createRateLimit({ clock: fakeClock(), perMinute }),
  }
  return {
    ports,
    requested: () => requested,
    revoke: () => {
      isRevoked = true
    },
    enter: (authorization?: string, account = 'address 192.0.2.1') =>
      admit(ports, { authorization, account }),
  }
}

const bearer = `Bearer ${KEY}`

test('spec 5: a good key is looked up once and handed on with its principal', async () => {
  const { enter, requested } = gate(10)
  expect(await enter(bearer)).toEqual({ ok: true, principal: PRINCIPAL, account: 'prn_buyer' })
  expect(requested()).toBe(1)
})

test('a request without a key is its address’s', async () => {
  const { enter, requested } = gate(10)
  for (const none of [undefined, '', '  ']) {
    expect(await enter(none)).toEqual({
      ok: true,
      principal: undefined,
      account: 'address 192.0.2.1',
    })
  }
  expect(requested()).toBe(0)
})

test.each(['Bearer adw_wrong', 'Bearer', 'hello', `Basic ${KEY}`, 'Bearer adw_x y'])(
  'spec 5: %j is no key, also where none is needed',
  async (authorization) => {
    expect(await gate(10).enter(authorization)).toMatchObject({
      ok: false,
      error: { code: 'AUTH_INVALID' },
    })
  },
)

test('a revocation bites at the next request', async () => {
  const { enter, revoke } = gate(10)
  expect((await enter(bearer)).ok).toBe(true)
  revoke()
  expect((await enter(bearer)).ok).toBe(false)
})

test('a principal has its own calls, whatever address it calls from', async () => {
  const { enter } = gate(2)
  expect((await enter(bearer, 'address a')).ok).toBe(true)
  expect((await enter(bearer, 'address b')).ok).toBe(true)
  expect(await enter(bearer, 'address c')).toMatchObject({
    ok: false,
    error: { code: 'RATE_LIMITED', retry_after: 30 },
  })
  expect((await enter(undefined, 'address c')).ok).toBe(true)
})

test('guessing keys is counted like calling, against the address', async () => {
  const { enter } = gate(2)
  const guess = () => enter('Bearer adw_guess_0123456789abcdef')
  expect(await guess()).toMatchObject({ error: { code: 'AUTH_INVALID' } })
  expect(await guess()).toMatchObject({ error: { code: 'AUTH_INVALID' } })
  expect(await guess()).toMatchObject({ error: { code: 'RATE_LIMITED', retry_after: 30 } })
})

test('a batch takes what it holds, all of it or nothing', async () => {
  const { enter, ports } = gate(10)
  const admitted = (await enter(bearer)) as Admitted
  expect(takeMore(ports, admitted, 10)).toMatchObject({
    ok: false,
    error: { code: 'RATE_LIMITED', retry_after: 6 },
  })
  expect(takeMore(ports, admitted, 9)).toEqual({ ok: true })
  expect((await enter(bearer)).ok).toBe(false)
})
