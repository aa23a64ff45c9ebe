import { describe, expect, test } from 'vitest'
import { RETIRING_MS, stateAt } from '../../src/keys/lifecycle.ts'
import {
  addExternalKey,
  deleteRemovedKeys,
  ensureSigningKey,
  type KeyPorts,
  generateKey as mayGenerate,
  rotateKey as mayRotate,
  revokeKey,
} from '../../src/keys/manage-keys.ts'
import { exportKey, listKeys } from '../../src/keys/show-keys.ts'
import { KEYS_TOPIC } from '../../src/keys/store.ts'
import { createSecretBox } from '../../src/lib/secret-box.ts'
import { generateKeyPair } from '../../src/signing/keys.ts'
import type { Database } from '../../src/storage/sql/database.ts'
import { createSigningKeyStore } from '../../src/storage/stores/keys/signing-keys.ts'
import { onBothStores } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { accepted } from '../support/signing-keys.ts'

const clock = fakeClock()
const box = createSecretBox('a secret of thirty-two characters')
const LEAD_SECONDS = 600

const generateKey = async (...args: Parameters<typeof mayGenerate>) =>
  accepted(await mayGenerate(...args)).key
const rotateKey = async (...args: Parameters<typeof mayRotate>) =>
  accepted(await mayRotate(...args))

onBothStores(
  'keys of an operator',
  (database, _store, another) => {
    const portsOn = (on: Database, overrides: Partial<KeyPorts> = {}): KeyPorts => ({
      transact: on.transact,
      signingKeys: createSigningKeyStore(on),
      keyUse: 'proto_use',
      box,
      ...overrides,
    })
    const ports = (overrides: Partial<KeyPorts> = {}) => portsOn(database(), overrides)
    const states = async () =>
      (await listKeys(ports(), clock.now())).map(({ kid, state }) => [kid, state])
    const empty = () => database().transact((tx) => tx.run('DELETE FROM signing_keys'))

    test('spec 5: several instances that start at once make one key, which signs', async () => {
      await empty()
      const second = another()
      await Promise.all(
        Array.from({ length: 6 }, (_, at) =>
          ensureSigningKey(portsOn(at % 2 === 0 ? database() : second)),
        ),
      )
      await second.close()
      expect(await listKeys(ports(), clock.now())).toEqual([
        {
          kid: expect.stringMatching(/^[\w-]{43}$/),
          purpose: 'webhook-signing',
          algorithm: 'ed25519',
          state: 'active',
          private_key: 'sealed',
          published_at: new Date(clock.now()).toISOString(),
          active_from: new Date(clock.now()).toISOString(),
          retired_at: null,
          remove_at: null,
          revoked_at: null,
        },
      ])
    })

    test('what was kept plain is sealed when a server with a secret starts', async () => {
      await empty()
      const { kid } = await generateKey(ports({ box: undefined }))
      const before = await exportKey(ports(), kid, { withPrivate: true })
      expect((await listKeys(ports(), clock.now()))[0]?.private_key).toBe('plain')
      await ensureSigningKey(ports())
      expect(await listKeys(ports(), clock.now())).toMatchObject([{ kid, private_key: 'sealed' }])
      expect(await exportKey(ports(), kid, { withPrivate: true })).toEqual(before)
    })

    test('a key made beside one that signs waits, and a rotation takes it up', async () => {
      await empty()
      const first = await generateKey(ports())
      const spare = await generateKey(ports())
      expect(await states()).toContainEqual([spare.kid, 'published'])
      clock.advance(10)
      const { key, retired } = await rotateKey(ports(), { leadSeconds: LEAD_SECONDS })
      expect(key).toEqual({ ...spare, active_from: spare.published_at + LEAD_SECONDS * 1_000 })
      expect(retired.map(({ kid }) => kid)).toEqual([first.kid])
      clock.set(key.active_from as number)
      expect(Object.fromEntries(await states())).toEqual({
        [first.kid]: 'retiring',
        [spare.kid]: 'active',
      })
    })

    test('a rotation can be repeated without effect, and hurried', async () => {
      await empty()
      await generateKey(ports())
      const planned = await rotateKey(ports(), { leadSeconds: LEAD_SECONDS })
      clock.advance(1_000)
      expect(await rotateKey(ports(), { leadSeconds: LEAD_SECONDS })).toEqual(planned)
      const hurried = await rotateKey(ports(), { leadSeconds: 0 })
      expect(hurried.key).toEqual({ ...planned.key, active_from: clock.now() })
      expect(hurried.retired).toMatchObject([{ retired_at: clock.now() }])
    })

    test('a rotation with none waiting makes a key of the same algorithm, or of the given one', async () => {
      await empty()
      await generateKey(ports(), { algorithm: 'ecdsa-p256-sha256' })
      const like = await rotateKey(ports(), { leadSeconds: 0 })
      expect(like.key).toMatchObject({ algorithm: 'ecdsa-p256-sha256', active_from: clock.now() })
      clock.advance(1)
      const other = await rotateKey(ports(), { leadSeconds: 0, algorithm: 'ed25519' })
      expect(other.key.algorithm).toBe('ed25519')
    })

    test('rotations at once on two instances leave one key that signs without an end', async () => {
      await empty()
      await ensureSigningKey(ports())
      const second = another()
      await Promise.all(
        Array.from({ length: 6 }, (_, at) =>
          rotateKey(portsOn(at % 2 === 0 ? database() : second), { leadSeconds: 0 }),
        ),
      )
      await second.close()
      const keys = await ports().signingKeys.list()
      expect(keys).toHaveLength(7)
      expect(keys.filter((key) => stateAt(key, clock.now()) === 'active')).toHaveLength(1)
      expect(keys.filter((key) => key.retired_at === null)).toHaveLength(1)
    })

    describe('spec 5: a revoked key', () => {
      test('is erased and followed by a new one when there is no other', async () => {
        await empty()
        const { kid } = await generateKey(ports(), { algorithm: 'ecdsa-p256-sha256' })
        const revoked = await revokeKey(ports(), kid)
        if (!revoked.ok) throw new Error(revoked.message)
        expect(revoked.key).toMatchObject({ revoked_at: clock.now(), private_key: null })
        expect(revoked.signsNow).toMatchObject({
          algorithm: 'ecdsa-p256-sha256',
          active_from: clock.now(),
        })
        expect(await exportKey(ports(), kid, { withPrivate: true })).toMatchObject({ ok: false })
      })

      test('stays revoked since the first time', async () => {
        await empty()
        const { kid } = await generateKey(ports())
        const first = await revokeKey(ports(), kid)
        clock.advance(1_000)
        expect(await revokeKey(ports(), kid)).toEqual(first)
        expect(await states()).toHaveLength(2)
      })

      test('must be a known one', async () => {
        expect(await revokeKey(ports(), 'nobody')).toEqual({
          ok: false,
          message: expect.stringContaining('no key nobody'),
        })
      })
    })

    test('a key whose time is over is deleted, and a revoked one is not', async () => {
      await empty()
      const revoked = await generateKey(ports())
      await revokeKey(ports(), revoked.kid)
      clock.advance(1)
      const { key, retired } = await rotateKey(ports(), { leadSeconds: 0 })
      expect(retired).toHaveLength(1)
      clock.advance(RETIRING_MS - 1)
      expect(await deleteRemovedKeys(ports(), clock.now())).toBe(false)
      clock.advance(1)
      expect(await deleteRemovedKeys(ports(), clock.now())).toBe(true)
      expect(Object.fromEntries(await states())).toEqual({
        [revoked.kid]: 'revoked',
        [key.kid]: 'active',
      })
    })

    test('a change wakes those who hold keys in memory', async () => {
      let woken = 0
      const stop = database().onWake(KEYS_TOPIC, () => {
        woken += 1
      })
      await eventually(async () => {
        await rotateKey(ports(), { leadSeconds: 0 })
        expect(woken).toBeGreaterThan(0)
      })
      stop()
    })

    describe('an export', () => {
      test('is the published JWK, and private only when requested', async () => {
        await empty()
        const { kid } = await generateKey(ports(), { purpose: 'request-signing' })
        const published = {
          kty: 'OKP',
          crv: 'Ed25519',
          x: expect.any(String),
          kid,
          alg: 'EdDSA',
          use: 'sig',
          key_ops: ['verify'],
          proto_use: 'request-signing',
        }
        expect(await exportKey(ports(), kid)).toEqual({ ok: true, jwk: published })
        expect(await exportKey(ports(), kid, { withPrivate: true })).toEqual({
          ok: true,
          jwk: { ...published, key_ops: ['sign'], d: expect.any(String) },
        })
      })

      test('with no secret or a wrong one names the setting', async () => {
        await empty()
        const { kid } = await generateKey(ports())
        const wrong = createSecretBox('another secret of thirty-two characters')
        for (const other of [undefined, wrong]) {
          const refused = await exportKey(ports({ box: other }), kid, { withPrivate: true })
          expect(refused).toEqual({
            ok: false,
            message: expect.stringContaining('ADWIRE_KEY_SECRET'),
          })
        }
      })

      test('of an unknown key is refused', async () => {
        expect(await exportKey(ports(), 'nobody')).toMatchObject({ ok: false })
      })
    })

    describe('a command with another secret than the servers', () => {
      const wrong = createSecretBox('another secret of thirty-two characters')
      const refusal = { ok: false, message: expect.stringContaining('ADWIRE_KEY_SECRET') }

      test('makes no key that they could not use', async () => {
        await empty()
        const { kid } = await generateKey(ports())
        for (const other of [undefined, wrong]) {
          expect(await mayGenerate(ports({ box: other }))).toEqual(refusal)
          expect(await mayRotate(ports({ box: other }), { leadSeconds: 0 })).toEqual(refusal)
          expect(await revokeKey(ports({ box: other }), kid)).toEqual(refusal)
          await expect(ensureSigningKey(ports({ box: other }))).rejects.toThrow('ADWIRE_KEY_SECRET')
        }
        expect(await states()).toEqual([[kid, 'active']])
      })

      test('may revoke a key that another one follows', async () => {
        await empty()
        const { kid } = await generateKey(ports())
        const spare = await generateKey(ports())
        expect(await revokeKey(ports({ box: undefined }), kid)).toMatchObject({
          ok: true,
          signsNow: { kid: spare.kid },
        })
      })

      test('creates one when informed that the secret is new, and uses none that cannot be opened', async () => {
        await empty()
        const old = await generateKey(ports())
        const spare = await generateKey(ports())
        clock.advance(1)
        const { key } = await rotateKey(ports({ box: wrong }), { leadSeconds: 0, newSecret: true })
        expect([old.kid, spare.kid]).not.toContain(key.kid)
        await ensureSigningKey(ports({ box: wrong }))
        expect(
          await exportKey(ports({ box: wrong }), key.kid, { withPrivate: true }),
        ).toMatchObject({
          ok: true,
        })
      })
    })

    describe('a key held elsewhere', () => {
      const pair = (algorithm: 'ed25519' | 'ecdsa-p256-sha256', kid?: string) =>
        generateKeyPair(algorithm, {
          keyUse: 'proto_use',
          purpose: 'webhook-signing',
          ...(kid ? { kid } : {}),
        })

      test('is published under its kid, without a private half', async () => {
        await empty()
        await ensureSigningKey(ports())
        const { publicJwk } = pair('ecdsa-p256-sha256', 'kms-1')
        const added = await addExternalKey(ports(), publicJwk)
        expect(added).toMatchObject({
          ok: true,
          key: { kid: 'kms-1', algorithm: 'ecdsa-p256-sha256', private_key: null },
        })
        const listed = await listKeys(ports(), clock.now())
        expect(listed.find(({ kid }) => kid === 'kms-1')).toMatchObject({
          state: 'published',
          private_key: 'elsewhere',
        })
        expect(await addExternalKey(ports(), publicJwk)).toMatchObject({ ok: false })
      })

      test('must be a public key that can be used', async () => {
        const { privateJwk, publicJwk } = pair('ed25519')
        for (const jwk of [privateJwk, { ...publicJwk, x: 'AAAA' }, { kty: 'RSA' }, {}]) {
          const refused = await addExternalKey(ports(), jwk)
          expect(refused).toEqual({ ok: false, message: expect.stringMatching(/^the key /) })
          expect(JSON.stringify(refused)).not.toContain(String(privateJwk.d))
        }
      })
    })
  },
  { clock },
)
