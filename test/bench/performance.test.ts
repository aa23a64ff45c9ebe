// The figures of `npm run bench`: what is compared is comparable, and what missed its aim says so.

import { describe, expect, test } from 'vitest'
import { createMinimalSigner, createMinimalVerifier } from '../../bench/minima/signing.mjs'
import { inRounds } from '../../bench/performance/rounds.mjs'
import { cellsOf } from '../../bench/performance/rows.mjs'
import {
  generateKeyPair,
  localSigner,
  signMessage,
  webhookProfile,
} from '../../src/signing/index.ts'

const URL = 'http://127.0.0.1:9000/hooks/bench'
const BODY = Buffer.from('{"a":1}')

describe('rounds of a comparison', () => {
  test('each way goes first in every other round, and the first round does not count', async () => {
    const order: string[] = []
    const way = (name: string, rates: number[]) => async () => {
      order.push(name)
      return { rate: rates.shift() ?? 0, cpuUs: 10 }
    }
    const found = await inRounds(
      { own: way('own', [1, 50, 60, 80]), base: way('base', [1, 100, 100, 100]) },
      3,
    )
    expect(order.join(' ')).toBe('own base base own own base base own')
    expect(found.rate).toEqual({ ratio: 0.6, low: 0.5, high: 0.8 })
    expect(found.cpu).toEqual({ ratio: 1, low: 1, high: 1 })
  })
})

describe('rows of the table', () => {
  const ratio = { ratio: 0.5, low: 0.4, high: 0.6 }
  const row = {
    path: 'a path',
    baseline: 'a baseline',
    own: { rate: 50, cpuUs: 2_000 },
    base: { rate: 100, cpuUs: 1_600 },
    rate: ratio,
    cpu: { ratio: 0.8, low: 0.8, high: 0.8 },
    aim: 0.6,
  }

  test('an aim is that of throughput or of processor time, as the row says', () => {
    expect(cellsOf({ ...row, by: 'rate' }).isMet).toBe(false)
    expect(cellsOf({ ...row, by: 'cpu' }).isMet).toBe(true)
    expect(cellsOf({ ...row, by: 'rate' }).result).toBe(
      '0.50 (0.40–0.60) by throughput, 0.80 by processor time',
    )
  })

  test('a value is held against its limit', () => {
    expect(cellsOf({ path: 'a', value: 130, unit: 'MB', most: 120 }).isMet).toBe(false)
    expect(cellsOf({ path: 'a', value: 130, unit: '/s', least: 120 }).isMet).toBe(true)
    expect(cellsOf({ path: 'a', value: 130, unit: 'ms' }).isMet).toBeUndefined()
  })
})

describe('the minimal signer and verifier are honest', () => {
  const keys = generateKeyPair('ed25519', { keyUse: 'proto_use', purpose: 'webhook-signing' })
  const profile = webhookProfile({ tag: 'proto/webhook-signing/v1', keyUse: 'proto_use' })

  test('what it signs and what Adwire signs, it accepts once', async () => {
    const isValid = createMinimalVerifier(keys.publicJwk)
    const headers = { ...createMinimalSigner(keys.privateJwk)(URL, BODY), host: '127.0.0.1:9000' }
    expect(isValid({ url: URL, headers, body: BODY })).toBe(true)
    expect(isValid({ url: URL, headers, body: BODY })).toBe(false)
    const message = { method: 'POST', url: URL, headers: { 'content-type': 'application/json' } }
    const signed = await signMessage(
      { ...message, body: BODY },
      { signer: localSigner(keys.privateJwk), profile, now: Math.floor(Date.now() / 1_000) },
    )
    if (!signed.ok) throw new Error(signed.code)
    const lower = Object.entries(signed.headers).map(([name, value]) => [name.toLowerCase(), value])
    const own = { ...message.headers, ...Object.fromEntries(lower) }
    expect(isValid({ url: URL, headers: own, body: BODY })).toBe(true)
  })

  test('another body, address or tag is refused', () => {
    const isValid = createMinimalVerifier(keys.publicJwk)
    const headers = createMinimalSigner(keys.privateJwk)(URL, BODY)
    expect(isValid({ url: URL, headers, body: Buffer.from('{"a":2}') })).toBe(false)
    expect(isValid({ url: `${URL}/other`, headers, body: BODY })).toBe(false)
    const input = headers['signature-input']?.replace('webhook-signing', 'request-signing') ?? ''
    expect(
      isValid({ url: URL, headers: { ...headers, 'signature-input': input }, body: BODY }),
    ).toBe(false)
  })
})
