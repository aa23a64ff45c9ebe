import { expect, onTestFinished, test } from 'vitest'
import { REQUEST_KEY_LIMITS } from '../../src/agent/limits.ts'
import { createCallerKeys, type KeyOnFile } from '../../src/key-discovery/caller-keys.ts'
import { KEY_DISCOVERY_LIMITS } from '../../src/key-discovery/limits.ts'
import { createEgress } from '../../src/lib/safe-fetch/safe-fetch.ts'
import { identifiersFor } from '../../src/protocol/identifiers.ts'
import { throughEgress } from '../../src/transports/client.ts'
import { readCapabilities } from '../../src/transports/read-capabilities.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { BRAND, JWKS } from '../support/seller-site.ts'
import { type CallerSite, callerSite, identityOf, requestKey } from '../support/signed-caller.ts'

const identifiers = identifiersFor('proto')
const PAIR = requestKey('caller-1')

function finder(...records: Partial<KeyOnFile>[]) {
  const clock = fakeClock()
  const egress = createEgress({ allow: ['127.0.0.0/8'], allowHttp: true })
  onTestFinished(() => egress.close())
  const file = records.map((record, n) => ({
    key_id: `rqk_${n}`,
    principal_id: `prn_${n}`,
    kind: 'agent_url' as const,
    ...record,
  }))
  const fetch = throughEgress(egress)
  const keys = createCallerKeys({
    byKid: async (kid) => file.filter(({ jwk }) => jwk?.kid === kid),
    addresses: async () => file.filter(({ url }) => url !== undefined),
    readCapabilities: (url) => readCapabilities(url, { fetch, identifiers, timeoutMs: 2_000 }),
    egress,
    clock,
    revocationType: identifiers.revocationType,
  })
  return { keys, clock, file }
}

const found = (site: CallerSite) => finder({ url: site.agentUrl }).keys.published('caller-1')

test('spec 5: a caller’s key is found from its agent through capabilities, brand.json and key set', async () => {
  const site = await callerSite([PAIR.publicJwk])
  const { keys } = finder({ url: site.agentUrl })
  expect(await keys.published('caller-1')).toEqual([
    { jwk: PAIR.publicJwk, signer: 'prn_0', key_id: 'rqk_0' },
  ])
  expect(await keys.published('caller-1', 'prn_0')).toHaveLength(1)
  expect(await keys.published('caller-1', 'prn_9')).toMatchObject({
    failure: 'signature_key_unknown',
  })
  expect([site.requested('/mcp'), site.requested(BRAND), site.requested(JWKS)]).toEqual([1, 1, 1])
})

const agent = (url: string, more: object = {}) => ({ type: 'sales', id: 'a', url, ...more })

const FAULTS: Record<string, (site: CallerSite) => void> = {
  signature_capabilities_unreachable: (site) => site.remove('/mcp'),
  signature_brand_json_url_missing: (site) => site.declare({ identity: {} }),
  signature_brand_json_unreachable: (site) => site.remove(BRAND),
  signature_brand_json_malformed: (site) => site.serve(BRAND, '{"agents": [], "agents": []}'),
  signature_brand_json_ambiguous: (site) =>
    site.serve(BRAND, { agents: [agent(site.agentUrl), agent(site.agentUrl)] }),
  signature_agent_not_in_brand_json: (site) =>
    site.serve(BRAND, { agents: [agent(`${site.agentUrl}/`)] }),
  signature_brand_origin_mismatch: (site) => {
    const other = site.origin.replace('127.0.0.1', 'localhost')
    site.declare({ identity: { ...identityOf(site), brand_json_url: `${other}${BRAND}` } })
  },
  signature_key_origin_missing: (site) =>
    site.declare({ identity: { ...identityOf(site), key_origins: {} } }),
  signature_key_origin_mismatch: (site) =>
    site.declare({
      identity: { ...identityOf(site), key_origins: { request_signing: 'a.example' } },
    }),
  signature_jwks_unavailable: (site) => site.remove(JWKS),
  signature_jwks_untrusted: (site) =>
    site.serve(BRAND, { agents: [agent(site.agentUrl, { jwks_uri: 'keys' })] }),
}

test.each(Object.keys(FAULTS))(
  'spec 5: request_%s says why a caller’s key cannot be found',
  async (failure) => {
    const site = await callerSite([PAIR.publicJwk])
    FAULTS[failure]?.(site)
    expect(await found(site)).toMatchObject({ failure })
  },
)

test('spec 5: a key set where the guard lets no one go is not trusted', async () => {
  const site = await callerSite([PAIR.publicJwk])
  const keyOrigins = { request_signing: '10.0.0.1' }
  site.declare({ identity: { ...identityOf(site), key_origins: keyOrigins } })
  site.serve(BRAND, { agents: [agent(site.agentUrl, { jwks_uri: 'https://10.0.0.1/keys' })] })
  expect(await found(site)).toMatchObject({ failure: 'signature_jwks_untrusted' })
})

test('spec 5: the entry is the one with the canonical URL of the agent, and may name another key set', async () => {
  const site = await callerSite([])
  const port = new URL(site.origin).port
  site.serve('/keys', { keys: [PAIR.publicJwk] })
  const jwks_uri = `${site.origin}/keys`
  site.serve(BRAND, { agents: [agent(`HTTP://127.0.0.1:${port}/x/../mcp#part`, { jwks_uri })] })
  expect(await found(site)).toHaveLength(1)
  for (const origin of [`${site.origin}/`, '127.0.0.1']) {
    const keyOrigins = { request_signing: origin }
    site.declare({ identity: { ...identityOf(site), key_origins: keyOrigins } })
    expect(await found(site)).toHaveLength(1)
  }
})

test('spec 5: the brand.json of another domain counts when it authorizes the agent’s operator', async () => {
  const [site, brand] = [await callerSite([PAIR.publicJwk]), await callerSite([])]
  const elsewhere = brand.origin.replace('127.0.0.1', 'localhost')
  site.declare({ identity: { ...identityOf(site), brand_json_url: `${elsewhere}${BRAND}` } })
  const agents = [agent(site.agentUrl)]
  brand.serve(BRAND, { agents })
  expect(await found(site)).toMatchObject({ failure: 'signature_brand_origin_mismatch' })
  brand.serve(BRAND, { agents, authorized_operators: [{ domain: '127.0.0.1' }] })
  expect(await found(site)).toHaveLength(1)
})

test('spec 5: a failure is temporary: the caller is looked up again after five seconds', async () => {
  const site = await callerSite([PAIR.publicJwk])
  site.remove(BRAND)
  const { keys, clock } = finder({ url: site.agentUrl })
  const failure = { failure: 'signature_brand_json_unreachable' }
  expect(await keys.published('caller-1')).toMatchObject(failure)
  site.serve(BRAND, { agents: [agent(site.agentUrl)] })
  expect(await keys.published('caller-1')).toMatchObject(failure)
  clock.advance(5_001)
  expect(await keys.published('caller-1')).toHaveLength(1)
})

test('spec 5: an unknown key id asks each caller again once in thirty seconds, however often it comes', async () => {
  const site = await callerSite([PAIR.publicJwk])
  const { keys, clock } = finder({ url: site.agentUrl })
  await keys.published('caller-1')
  for (let n = 0; n < 20; n++) await keys.published(`stranger-${n}`)
  expect(site.requested(JWKS)).toBe(2)
  clock.advance(30_001)
  await keys.published('stranger')
  expect(site.requested(JWKS)).toBe(3)
})

test('spec 5: an unreachable caller does not change the response to unknown callers', async () => {
  const [site, away] = [await callerSite([PAIR.publicJwk]), await callerSite([])]
  const { keys, clock } = finder({ url: site.agentUrl }, { url: away.agentUrl })
  expect(await keys.published('caller-1')).toHaveLength(1)
  away.remove('/mcp')
  clock.advance(300_001)
  expect(await keys.published('stranger')).toMatchObject({ failure: 'signature_key_unknown' })
  expect(await keys.published('caller-1')).toHaveLength(1)
})

test('spec 5: an address is pinned to keys, whatever it publishes', async () => {
  const other = requestKey('caller-2')
  const site = await callerSite([PAIR.publicJwk, other.publicJwk])
  const { keys } = finder({ url: site.agentUrl, pin: [PAIR.publicJwk] })
  expect(await keys.published('caller-1')).toHaveLength(1)
  expect(await keys.published('caller-2')).toMatchObject({ failure: 'signature_key_unknown' })
})

test('spec 5: one key that two callers publish is whose it was known to be', async () => {
  const [owner, copier] = [await callerSite([PAIR.publicJwk]), await callerSite([])]
  const { keys, clock } = finder({ url: owner.agentUrl }, { url: copier.agentUrl })
  expect(await keys.published('caller-1')).toMatchObject([{ signer: 'prn_0' }])
  copier.publish([PAIR.publicJwk])
  clock.advance(300_001)
  expect(await keys.published('caller-1')).toMatchObject([{ signer: 'prn_0' }])
})

test('spec 5: keys on file need no one’s answer, and are no list’s to revoke', async () => {
  const { keys } = finder({ kind: 'jwk', jwk: PAIR.publicJwk })
  expect(await keys.onFile('caller-1')).toEqual([
    { jwk: PAIR.publicJwk, signer: 'prn_0', key_id: 'rqk_0' },
  ])
  expect(await keys.onFile('caller-1', 'prn_1')).toEqual([])
  expect(await keys.checkRevocation('caller-1', { key_id: 'rqk_0' })).toBe('current')
})

test('an entry put on file is picked up at once where it is announced, and otherwise within seconds', async () => {
  const site = await callerSite([PAIR.publicJwk])
  const { keys, clock, file } = finder()
  expect(await keys.published('caller-1')).toMatchObject({ failure: 'signature_key_unknown' })
  file.push({ key_id: 'k', principal_id: 'p', kind: 'agent_url', url: site.agentUrl })
  expect(await keys.published('caller-1')).toMatchObject({ failure: 'signature_key_unknown' })
  keys.refresh()
  expect(await keys.published('caller-1')).toHaveLength(1)
  file.pop()
  clock.advance(3_001)
  expect(await keys.published('caller-1')).toMatchObject({ failure: 'signature_key_unknown' })
})

test('spec 5: where two principals have one key set on file, only a bearer key identifies which of them calls', async () => {
  const site = await callerSite([PAIR.publicJwk])
  const { keys } = finder(
    { url: site.agentUrl },
    { kind: 'jwks_url', url: `${site.origin}${JWKS}` },
  )
  expect(await keys.published('caller-1')).toMatchObject({
    failure: 'signature_key_unknown',
    detail: expect.stringContaining('send a bearer key'),
  })
  expect(await keys.published('caller-1', 'prn_1')).toMatchObject([{ signer: 'prn_1' }])
  expect(await keys.published('caller-1', 'prn_0')).toMatchObject([{ signer: 'prn_0' }])
})

test('as many addresses as may be on file are fetched once more for unknown key ids, and not all at once', async () => {
  const clock = fakeClock()
  let [fetches, running, most] = [0, 0, 0]
  const fetch = async () => {
    fetches += 1
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setImmediate(resolve))
    running -= 1
    return {
      ok: true as const,
      status: 200,
      url: '',
      headers: {},
      body: Buffer.from('{"keys":[]}'),
      truncated: false,
      durationMs: 1,
    }
  }
  const { value: onFile } = REQUEST_KEY_LIMITS.addresses
  const keys = createCallerKeys({
    byKid: async () => [],
    addresses: async () =>
      Array.from({ length: onFile }, (_, n) => ({
        key_id: `rqk_${n}`,
        principal_id: `prn_${n}`,
        kind: 'jwks_url' as const,
        url: `https://host${n}.example/jwks.json`,
      })),
    readCapabilities: async () => ({ ok: false, reason: 'no agent is on file' }),
    egress: { fetch },
    clock,
    revocationType: identifiers.revocationType,
  })
  for (let n = 0; n < 5; n++) {
    expect(await keys.published(`stranger-${n}`)).toMatchObject({
      failure: 'signature_key_unknown',
    })
  }
  expect(fetches).toBe(2 * onFile)
  expect(most).toBe(KEY_DISCOVERY_LIMITS.fetchesAtOnce.value)
})

test('a brand.json with more agents than may be is malformed', async () => {
  const site = await callerSite([PAIR.publicJwk])
  const others = Array.from({ length: KEY_DISCOVERY_LIMITS.brandEntries.value }, (_, n) =>
    agent(`${site.origin}/agent-${n}`),
  )
  site.serve(BRAND, { agents: [agent(site.agentUrl), ...others] })
  expect(await found(site)).toMatchObject({ failure: 'signature_brand_json_malformed' })
  site.serve(BRAND, { agents: [agent(site.agentUrl), ...others.slice(1)] })
  expect(await found(site)).toHaveLength(1)
})
