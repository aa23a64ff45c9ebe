// A seller's keys that change, vanish or are not to be had (spec 5): one look for a new copy and then
// 401, and a rotation with overlap loses nothing.

import { createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { describe, expect, onTestFinished, test } from 'vitest'
import { generateKeyPair, type KeyPair } from '../../src/signing/keys.ts'
import { localSigner } from '../../src/signing/local-signer.ts'
import type { Jwk, Signer } from '../../src/signing/ports.ts'
import { eventually } from '../support/eventually.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { createPlace } from '../support/faults/place.ts'
import { openStorage, startHere } from '../support/faults/receiver-fleet.ts'
import { startReceive } from '../support/faults/receiver-process.ts'
import {
  envelope,
  post,
  type Sender,
  type SignChanges,
  startSender,
  verdict,
} from '../support/faults/receiver-sender.ts'
import {
  JWKS,
  keyPair,
  REVOCATIONS,
  revocationList,
  type SellerSite,
} from '../support/seller-site.ts'

const UNKNOWN = '401 webhook_signature_key_unknown'
const MINUTE = 60_000

describe.each(['sqlite', 'postgres'] as const)('a receiver on %s', (store) => {
  test('spec 5: loses nothing in a rotation with overlap, and knows a removed key no more', async () => {
    const { place, sender, url, trust } = await receiving(store)
    const next = keyPair('next')
    const unpublished = localSigner(keyPair('unpublished').privateJwk)
    const [before, after] = [{}, { signer: localSigner(next.privateJwk) }]
    const sendSome = (changes: SignChanges) =>
      Promise.all(Array.from({ length: 10 }, () => report(url, sender, changes)))
    const taken = Array<string>(10).fill('200 accepted')

    expect(await sendSome(before)).toEqual(taken)
    sender.site.publish([sender.pair.publicJwk, next.publicJwk])
    expect(await Promise.all([sendSome(before), sendSome(after)])).toEqual([taken, taken])
    // What was signed before the switch may still be under way when the old key goes.
    sender.site.publish([next.publicJwk])
    expect(await Promise.all([sendSome(before), sendSome(after)])).toEqual([taken, taken])
    expect(sender.site.requested(JWKS)).toBe(2)

    // No one can make it ask a seller again and again.
    for (let n = 0; n < 5; n++)
      expect(await report(url, sender, { signer: unpublished })).toBe(UNKNOWN)
    expect(sender.site.requested(JWKS)).toBe(2)
    const another = await startReceive({ args: ['--data', `${place.args[1]}/b`], env: {} }, trust)
    expect(await report(another.url, sender, before)).toBe(UNKNOWN)
    expect(sender.site.requested(JWKS)).toBe(3)
    expect(await report(another.url, sender, before)).toBe(UNKNOWN)
    expect(await report(another.url, sender, before)).toBe(UNKNOWN)
    expect(sender.site.requested(JWKS)).toBe(4)
    expect(await report(another.url, sender, after)).toBe('200 accepted')
  })

  test('spec 5: refuses a key that was removed or revoked, as soon as it can know', async () => {
    const place = await createPlace(store)
    onTestFinished(place.drop)
    const sender = await startSender()
    const { site, pair } = sender
    const clock = fakeClock(Date.now())
    const publishList = async (...revoked_kids: string[]) => {
      const times = { updated: clock.now(), next_update: clock.now() + 15 * MINUTE }
      site.serve(
        REVOCATIONS,
        await revocationList(pair, { issuer: site.origin, ...times, revoked_kids }),
      )
    }
    const [leaving, stolen] = [keyPair('leaving'), keyPair('stolen')]
    site.publish([pair, leaving, stolen].map(({ publicJwk }) => publicJwk))
    await publishList()
    const storage = await openStorage(place)
    const url = await startHere(storage, { trust: [sender.agentUrl], lines: [], clock })
    const verdictOf = ({ privateJwk }: KeyPair) =>
      report(url, sender, { signer: localSigner(privateJwk), now: clock.now() })
    const verdicts = async () => Promise.all([pair, leaving, stolen].map(verdictOf))
    const good = '200 accepted'
    const revoked = '401 webhook_signature_key_revoked'

    expect(await verdicts()).toEqual([good, good, good])
    site.publish([pair.publicJwk, stolen.publicJwk])
    await publishList('stolen')
    clock.advance(16 * MINUTE)
    expect(await verdicts()).toEqual([good, UNKNOWN, revoked])
    // Taking the list away does not give the stolen key back, and blocks all keys in the end.
    site.remove(REVOCATIONS)
    clock.advance(16 * MINUTE)
    expect(await verdicts()).toEqual([good, UNKNOWN, revoked])
    clock.advance(2 * 60 * MINUTE)
    const stale = '401 webhook_signature_revocation_stale'
    expect(await verdicts()).toEqual([stale, UNKNOWN, stale])
    await publishList('stolen')
    clock.advance(2 * MINUTE)
    expect(await verdicts()).toEqual([good, UNKNOWN, revoked])
  })
})

test("spec 5: refuses a key for something else, and an algorithm that is not the key's", async () => {
  const { sender, url } = await receiving('sqlite')
  const { publicJwk, privateJwk } = sender.pair
  const p256 = generateKeyPair('ecdsa-p256-sha256', {
    keyUse: 'proto_use',
    purpose: 'webhook-signing',
    kid: 'p256',
  })
  const governing = keyPair('governing', 'governance-signing')
  const stranger = keyPair(publicJwk.kid ?? '')
  const ownAs = (kid: string, changes: Partial<Jwk>) => ({ ...publicJwk, kid, ...changes })
  sender.site.publish([
    publicJwk,
    p256.publicJwk,
    governing.publicJwk,
    ownAs('mislabelled', { alg: 'ES256' }),
    ownAs('encrypting', { use: 'enc' }),
    ownAs('signing', { key_ops: ['sign'] }),
  ])
  const [ed25519, ecdsa] = [localSigner(privateJwk), localSigner(p256.privateJwk)]
  // Anyone who takes the public key for a secret can be fooled with what everyone knows.
  const hmac = (bytes: Uint8Array) =>
    createHmac('sha256', Buffer.from(publicJwk.x ?? '', 'base64url'))
      .update(bytes)
      .digest()
  const signers: Record<string, Signer> = {
    'the key itself': ed25519,
    'a key of P-256': ecdsa,
    'a key for something else': localSigner(governing.privateJwk),
    'a key with the alg of another': { ...ed25519, keyid: 'mislabelled' },
    'a key for encryption': { ...ed25519, keyid: 'encrypting' },
    'a key without verify': { ...ed25519, keyid: 'signing' },
    'Ed25519 under a key of P-256': { ...ed25519, keyid: 'p256' },
    'P-256 under a key of Ed25519': { ...ecdsa, keyid: ed25519.keyid },
    'HMAC with the public key': { ...ed25519, algorithm: 'hmac-sha256' as never, sign: hmac },
    'HMAC that says Ed25519': { ...ed25519, sign: hmac },
    'no algorithm': { ...ed25519, algorithm: 'none' as never },
    "somebody else's key": localSigner(stranger.privateJwk),
  }
  const verdicts: Record<string, string> = {}
  for (const [what, signer] of Object.entries(signers)) {
    verdicts[what] = await report(url, sender, { signer })
  }
  const purpose = '401 webhook_signature_key_purpose_invalid'
  const algorithm = '401 webhook_signature_alg_not_allowed'
  const invalid = '401 webhook_signature_invalid'
  expect(verdicts).toEqual({
    'the key itself': '200 accepted',
    'a key of P-256': '200 accepted',
    'a key for something else': purpose,
    'a key with the alg of another': purpose,
    'a key for encryption': purpose,
    'a key without verify': purpose,
    'Ed25519 under a key of P-256': purpose,
    'P-256 under a key of Ed25519': purpose,
    'HMAC with the public key': algorithm,
    'HMAC that says Ed25519': invalid,
    'no algorithm': algorithm,
    "somebody else's key": invalid,
  })
  expect(sender.site.requested(JWKS)).toBe(1)
})

test('spec 5: a key set that cannot be read is a 401 to its seller alone, until it can', async () => {
  const faults: Record<string, (site: SellerSite, jwk: Jwk) => void> = {
    html: (site) => site.serve(JWKS, '<html>login</html>', 200, { 'content-type': 'text/html' }),
    missing: (site) => site.remove(JWKS),
    failing: (site) => site.serve(JWKS, { keys: [] }, 500),
    moved: (site) => site.serve(JWKS, '', 302, { location: `${site.origin}/keys.json` }),
    misshapen: (site, jwk) => site.serve(JWKS, [jwk]),
    repeated: (site, jwk) => site.publish([jwk, jwk]),
    huge: (site, jwk) => site.serve(JWKS, { keys: [jwk], more: 'x'.repeat(70_000) }),
    endless: (site) => site.answer(JWKS, pour),
    hanging: (site) => site.answer(JWKS, () => {}),
  }
  const place = await createPlace('sqlite')
  onTestFinished(place.drop)
  const sellers = new Map<string, Sender>()
  const args: string[] = []
  for (const [route, spoil] of Object.entries(faults)) {
    const sender = await startSender()
    spoil(sender.site, sender.pair.publicJwk)
    sellers.set(route, sender)
    args.push('--trust', sender.agentUrl, '--sender', `${route}=${sender.agentUrl}`)
  }
  const { url, output } = await startReceive(place, args)
  const others = Object.keys(faults).filter((route) => route !== 'hanging')
  // At its start it has looked for the keys of each; that keeps no delivery from asking.
  await eventually(() => {
    const reported = output.stdout.match(/found no keys of /g) ?? []
    expect(reported).toHaveLength(others.length)
  })
  const reportAll = async (routes: readonly string[]) => {
    const said = routes.map((route) => report(url, sellers.get(route)!, { route }))
    return Object.fromEntries((await Promise.all(said)).map((one, n) => [routes[n], one]))
  }
  const all = (routes: readonly string[], what: unknown) =>
    Object.fromEntries(routes.map((route) => [route, what]))
  const requested = (route: string) => sellers.get(route)!.site.requested(JWKS)
  const requestedAtStart = Object.fromEntries(others.map((route) => [route, requested(route)]))
  expect(requestedAtStart).toEqual(all(others, 1))
  // Many at once wait for one answer; who is elsewhere does not wait for it.
  const hanging = Promise.all(Array.from({ length: 10 }, () => reportAll(['hanging'])))
  const order: string[] = []
  void hanging.then(() => order.push('hanging'))
  expect(await reportAll(others)).toEqual(all(others, UNKNOWN))
  order.push('others')
  expect(Object.fromEntries(others.map((route) => [route, requested(route)]))).toEqual(
    all(others, 2),
  )
  // The look for a new copy is the one that a rotation needs as well.
  const fixed = others.filter((route) => route !== 'html')
  for (const route of fixed) {
    const { site, pair } = sellers.get(route)!
    site.publish([pair.publicJwk])
  }
  for (let n = 0; n < 3; n++) expect(await reportAll(['html'])).toEqual({ html: UNKNOWN })
  expect(requested('html')).toBe(3)
  expect(await reportAll(fixed)).toEqual(all(fixed, '200 accepted'))
  expect(await hanging).toEqual(Array(10).fill({ hanging: UNKNOWN }))
  expect(order).toEqual(['others', 'hanging'])
  expect(requested('hanging')).toBe(1)
})

/** Writes on until it is cut off. */
function pour(response: ServerResponse): void {
  const forever = function* () {
    for (yield '{"keys":["'; ; ) yield 'x'.repeat(65_536)
  }
  response.writeHead(200, { 'content-type': 'application/json' })
  Readable.from(forever()).pipe(response)
}

async function receiving(store: 'sqlite' | 'postgres') {
  const place = await createPlace(store)
  onTestFinished(place.drop)
  const sender = await startSender()
  const trust = ['--trust', sender.agentUrl]
  const { url } = await startReceive(place, trust)
  return { place, sender, trust, url }
}

async function report(url: string, sender: Sender, changes: SignChanges = {}): Promise<string> {
  return verdict(await post(url, await sender.sign(envelope(), changes)))
}
