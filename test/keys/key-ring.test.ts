import { beforeEach, expect, test } from 'vitest'
import { createKeyRing, type KeyRingPorts } from '../../src/keys/key-ring.ts'
import {
  ensureSigningKey,
  type KeyPorts,
  revokeKey,
  rotateKey,
} from '../../src/keys/manage-keys.ts'
import { createSecretBox } from '../../src/lib/secret-box.ts'
import { StorageUnavailable } from '../../src/lib/transaction.ts'
import { localSigner } from '../../src/signing/local-signer.ts'
import type { Signer } from '../../src/signing/ports.ts'
import { createSigningKeyStore } from '../../src/storage/stores/keys/signing-keys.ts'
import { testDatabase } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { accepted, keyRecord } from '../support/signing-keys.ts'

const SECRET = 'a secret of thirty-two characters'

/** A store of keys that a test can take away, and whose wake-ups it sends itself. */
async function house() {
  const clock = fakeClock()
  const { database, drop } = await testDatabase('sqlite', { clock })
  const ports: KeyPorts = {
    transact: database.transact,
    signingKeys: createSigningKeyStore(database),
    keyUse: 'proto_use',
    box: createSecretBox(SECRET),
  }
  await ensureSigningKey(ports)
  const state = { reads: 0, away: false, faults: [] as unknown[], wake: () => {} }
  const ring = (overrides: Partial<KeyRingPorts> = {}) =>
    createKeyRing({
      signingKeys: {
        list: () => {
          state.reads += 1
          if (state.away) return Promise.reject(new StorageUnavailable('away'))
          return ports.signingKeys.list()
        },
      },
      onWake: (_topic, listener) => {
        state.wake = listener
        return () => {
          state.wake = () => {}
        }
      },
      clock,
      keyUse: 'proto_use',
      box: ports.box,
      onFault: (error) => state.faults.push(error),
      ...overrides,
    })
  return { clock, ports, state, ring, drop }
}

let it: Awaited<ReturnType<typeof house>>
beforeEach(async () => {
  it = await house()
  return it.drop
})

const kidsOf = ({ keys }: { keys: { kid?: string }[] }) => keys.map(({ kid }) => kid)

test('the keys are read once for those who ask within the refresh time', async () => {
  const ring = it.ring()
  await Promise.all([ring.signer(), ring.signer(), ring.publicJwks(), ring.revoked()])
  await ring.signer()
  expect(it.state.reads).toBe(1)
  it.clock.advance(2_000)
  await Promise.all([ring.signer(), ring.signer()])
  expect(it.state.reads).toBe(2)
})

test('spec 5: a rotation changes the signer at its moment, without another reading', async () => {
  const ring = it.ring({ refreshMs: Number.POSITIVE_INFINITY })
  const { key, retired } = accepted(await rotateKey(it.ports, { leadSeconds: 600 }))
  expect((await ring.signer()).keyid).toBe(retired[0]?.kid)
  expect(kidsOf(await ring.publicJwks()).sort()).toEqual([key.kid, retired[0]?.kid].sort())
  it.clock.advance(600_000)
  expect((await ring.signer()).keyid).toBe(key.kid)
  expect(it.state.reads).toBe(1)
})

test('a change is seen after the refresh time, and at once after a wake-up', async () => {
  const ring = it.ring()
  const before = (await ring.signer()).keyid
  const { key } = accepted(await rotateKey(it.ports, { leadSeconds: 0 }))
  expect((await ring.signer()).keyid).toBe(before)
  it.clock.advance(5_000)
  expect((await ring.signer()).keyid).toBe(key.kid)
  const next = accepted(await rotateKey(it.ports, { leadSeconds: 0 }))
  it.state.wake()
  expect((await ring.signer()).keyid).toBe(next.key.kid)
})

test('spec 5: a revoked key is neither published nor signed with, and is listed as revoked', async () => {
  const ring = it.ring()
  const { keyid } = await ring.signer()
  await revokeKey(it.ports, keyid)
  it.state.wake()
  expect(await ring.revoked()).toEqual([{ kid: keyid, revoked_at: it.clock.now() }])
  expect((await ring.signer()).keyid).not.toBe(keyid)
  expect(kidsOf(await ring.publicJwks())).toEqual([(await ring.signer()).keyid])
})

test('while the database is unavailable the known keys keep signing, and the fault is reported', async () => {
  const ring = it.ring()
  const { keyid } = await ring.signer()
  it.state.away = true
  it.clock.advance(5_000)
  expect((await ring.signer()).keyid).toBe(keyid)
  it.state.wake()
  expect((await ring.signer()).keyid).toBe(keyid)
  expect(it.state.faults).toHaveLength(2)
  it.state.away = false
  const { key } = accepted(await rotateKey(it.ports, { leadSeconds: 0 }))
  it.clock.advance(5_000)
  expect((await ring.signer()).keyid).toBe(key.kid)
})

test('a database that was never reached is an error for the caller', async () => {
  const ring = it.ring()
  it.state.away = true
  it.state.wake()
  await expect(ring.signer()).rejects.toThrow(StorageUnavailable)
  it.state.away = false
  expect((await ring.signer()).algorithm).toBe('ed25519')
})

test('a wrong secret is named', async () => {
  const ring = it.ring({ box: createSecretBox('another secret of thirty-two characters') })
  await expect(ring.signer()).rejects.toThrow('ADWIRE_KEY_SECRET')
  await expect(it.ring({ box: undefined }).signer()).rejects.toThrow('ADWIRE_KEY_SECRET')
})

test('a purpose without a key is named', async () => {
  await expect(it.ring().signer('request-signing')).rejects.toThrow('request-signing')
})

test('a key held elsewhere signs with the signer handed in for it', async () => {
  const signingKeys = { list: async () => [keyRecord({ kid: 'kms-1', active_from: 0 })] }
  const signer: Signer = {
    keyid: 'kms-1',
    algorithm: 'ed25519',
    sign: async () => new Uint8Array(64),
  }
  const ring = it.ring({ signingKeys, externalSigners: { 'kms-1': signer } })
  expect(await ring.signer()).toBe(signer)
  await expect(it.ring({ signingKeys }).signer()).rejects.toThrow('no signer was handed in')
})

test('what it signs is what the local key signs', async () => {
  const ring = it.ring()
  const signer = await ring.signer()
  const [record] = await it.ports.signingKeys.list()
  const opened = it.ports.box?.open(record?.private_key as string, signer.keyid)
  if (!opened?.ok) throw new Error('the key does not open')
  const bytes = Buffer.from('bytes')
  expect(await signer.sign(bytes)).toEqual(await localSigner(JSON.parse(opened.text)).sign(bytes))
})

test('after a stop no wake-up is received', async () => {
  const ring = it.ring()
  await ring.signer()
  ring.stop()
  it.state.wake()
  expect(it.state.reads).toBe(1)
})
