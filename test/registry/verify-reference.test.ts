import { afterEach, expect, test, vi } from 'vitest'
import { challengesBy } from '../../src/registry/challenge.ts'
import type { ReferenceToVerify, VerifyPorts } from '../../src/registry/verification.ts'
import { VERIFICATION_MS, verifyReference } from '../../src/registry/verify-reference.ts'
import { brandJson } from '../support/manifest-server.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const reference: ReferenceToVerify = {
  domain: 'shop.acme.com',
  manifest_type: 'brand.json',
  reference_type: 'url',
  manifest_url: 'https://cdn.net/brand.json',
  agent_url: null,
  agent_id: null,
  verification_status: 'pending',
  contributed_by_org_id: 'org_a',
  isProofRequested: true,
}

/** Everything but the manifest is missing, and each request takes its time. */
function slowWorld(eachMs: number) {
  const given: { url: string; totalTimeoutMs: number | undefined }[] = []
  const passed = { ms: 0 }
  vi.spyOn(performance, 'now').mockImplementation(() => passed.ms)
  const ports: VerifyPorts = {
    fetch: async ({ url, totalTimeoutMs }) => {
      given.push({ url, totalTimeoutMs })
      passed.ms += Math.min(eachMs, totalTimeoutMs ?? eachMs)
      const isManifest = url === reference.manifest_url
      const body = Buffer.from(JSON.stringify(isManifest ? brandJson('shop.acme.com').body : {}))
      const status = isManifest ? 200 : 404
      return { ok: true, status, headers: {}, body, url, truncated: false, durationMs: eachMs }
    },
    resolveTxt: async () => ({ ok: true, records: [] }),
    challenge: challengesBy('secret'),
    allowHttp: false,
    maxManifestBytes: 10_000,
    now: Date.now,
  }
  return { ports, given, passed }
}

test('the sources that could vouch are queried in the order of strength, each once', async () => {
  const { ports, given } = slowWorld(1)
  const verdict = await verifyReference(reference, ports)
  expect(verdict).toMatchObject({ verification_status: 'pending', proved_by: null, labels: [] })
  expect(given.map(({ url }) => url)).toEqual([
    'https://cdn.net/brand.json',
    'https://shop.acme.com/.well-known/brand.json',
    'https://shop.acme.com/.well-known/adwire-verification.txt',
    'https://acme.com/.well-known/brand.json',
    'https://acme.com/.well-known/adwire-verification.txt',
  ])
})

test('a challenge that no one requested is not looked for', async () => {
  const { ports, given } = slowWorld(1)
  await verifyReference({ ...reference, isProofRequested: false }, ports)
  expect(given.map(({ url }) => url)).toEqual([
    'https://cdn.net/brand.json',
    'https://shop.acme.com/.well-known/brand.json',
    'https://acme.com/.well-known/brand.json',
  ])
})

test('a verification ends in time however slow everyone is', async () => {
  const { ports, given, passed } = slowWorld(10_000)
  const { verification_status, reason } = await verifyReference(reference, ports)
  expect(verification_status).toBe('pending')
  expect(given.map(({ totalTimeoutMs }) => totalTimeoutMs)).toEqual([
    10_000, 10_000, 10_000, 10_000, 5_000,
  ])
  expect(passed.ms).toBe(VERIFICATION_MS)
  expect(reason).toContain('To prove it: publish the manifest at')
})
