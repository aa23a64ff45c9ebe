import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import {
  authenticatePrincipal,
  createPrincipal,
  principalKeys,
} from '../../src/agent/principals.ts'
import { hashApiKey } from '../../src/lib/api-key.ts'
import { MAX_GOOD_KEYS } from '../../src/lib/api-keys.ts'
import { createOrganization, organizationKeys } from '../../src/registry/organizations.ts'
import { createOrganizationStore } from '../../src/storage/stores/organizations/organizations.ts'
import { createApiKeyStore } from '../../src/storage/stores/principals/api-keys.ts'
import { createPrincipalStore } from '../../src/storage/stores/principals/principals.ts'
import { createFeedStore } from '../../src/storage/stores/references/feed.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'

const clock = fakeClock()
const HOUR_MS = 3_600_000

onBothStores(
  'keys of principals and organisations',
  (database, _store, another) => {
    const ports = (on = database()) => ({
      transact: on.transact,
      apiKeys: createApiKeyStore(on),
      principals: createPrincipalStore(on, clock),
      organizations: createOrganizationStore(on, clock),
      feed: createFeedStore(on),
    })
    const principal = async () => {
      const made = await createPrincipal(ports(), { name: 'Buyer' })
      if (!made.ok) throw new Error(made.message)
      // What is made later comes later in the list.
      clock.advance(1)
      return { id: made.principal.principal_id, key: made.key }
    }
    const keys = () => principalKeys(ports())
    const accepted = async <T extends { ok: boolean }>(result: Promise<T>) => {
      const answer = await result
      if (!answer.ok) throw new Error(JSON.stringify(answer))
      return answer as Extract<T, { ok: true }>
    }
    const isAccepted = async (key: string, on = database()) =>
      (await authenticatePrincipal(ports(on).principals, key)) !== undefined
    const listed = async (id: string) => (await accepted(keys().list(id))).keys

    test('the owner of a key is found by its hash and kind, also after the key was revoked', async () => {
      const { id, key } = await principal()
      const find = (kind: string, text: string) => ports().apiKeys.find(kind, hashApiKey(text))
      const found = await find('principal', key)
      expect(found).toEqual({ key_id: expect.stringMatching(/^key_/), owner_id: id })
      await keys().revoke((found as { key_id: string }).key_id)
      expect(await isAccepted(key)).toBe(false)
      expect(await find('principal', key)).toEqual(found)
      expect(await find('organization', key)).toBeUndefined()
      expect(await find('principal', `${key}x`)).toBeUndefined()
    })

    test('spec 5: an owner has several keys, each valid by itself, and returned without the secret', async () => {
      const { id, key } = await principal()
      const second = await accepted(keys().add(id))
      expect([await isAccepted(key), await isAccepted(second.key)]).toEqual([true, true])
      const all = await listed(id)
      expect(all).toEqual([
        {
          key_id: expect.stringMatching(/^key_[0-9a-f]{16}$/),
          hint: key.slice(0, 8),
          created_at: clock.now() - 1,
          last_used_at: undefined,
          expires_at: undefined,
          revoked_at: undefined,
        },
        second.record,
      ])
      expect(JSON.stringify(all)).not.toContain(second.key)
    })

    test('spec 5: a revoked key is refused at once on every instance, and the others are not', async () => {
      const other = another()
      const { id, key } = await principal()
      const second = await accepted(keys().add(id))
      expect(await isAccepted(second.key, other)).toBe(true)
      expect(await keys().revoke(second.record.key_id)).toBe(true)
      // What another process committed is seen in the next turn.
      await nextTurn()
      expect([await isAccepted(second.key, other), await isAccepted(second.key)]).toEqual([
        false,
        false,
      ])
      expect(await isAccepted(key, other)).toBe(true)
      const at = clock.now()
      clock.advance(5)
      expect(await keys().revoke(second.record.key_id)).toBe(true)
      expect((await listed(id)).map(({ revoked_at }) => revoked_at)).toEqual([undefined, at])
      expect(await keys().revoke('key_unknown')).toBe(false)
      await other.close()
    })

    test('a rotation lets the others end after the overlap, and not sooner', async () => {
      const { id, key } = await principal()
      const short = await accepted(keys().add(id, { expiresInMs: HOUR_MS }))
      const rotated = await accepted(keys().rotate(id, { overlapMs: 24 * HOUR_MS }))
      expect(rotated.replaced.map(({ expires_at }) => expires_at)).toEqual([
        clock.now() + 24 * HOUR_MS,
        clock.now() + HOUR_MS,
      ])
      clock.advance(HOUR_MS)
      expect([await isAccepted(key), await isAccepted(short.key)]).toEqual([true, false])
      clock.advance(23 * HOUR_MS - 1)
      expect(await isAccepted(key)).toBe(true)
      clock.advance(1)
      expect([await isAccepted(key), await isAccepted(rotated.key)]).toEqual([false, true])
    })

    test('a rotation of one key leaves the others alone, and without an overlap it ends now', async () => {
      const { id, key } = await principal()
      const [first] = await listed(id)
      const second = await accepted(keys().add(id))
      const keyId = first?.key_id as string
      const rotated = await accepted(keys().rotate(id, { overlapMs: 0, keyId }))
      expect(rotated.replaced.map(({ key_id }) => key_id)).toEqual([keyId])
      expect([await isAccepted(key), await isAccepted(second.key)]).toEqual([false, true])
      expect(await keys().rotate(id, { overlapMs: 0, keyId })).toMatchObject({
        ok: false,
        message: expect.stringContaining(`no good key ${keyId}`),
      })
    })

    test('no one who is unknown or revoked gets a key', async () => {
      const { id } = await principal()
      await database().transact((tx) => ports().principals.revoke(tx, id))
      for (const refused of [
        await keys().add(id),
        await keys().rotate(id, { overlapMs: 0 }),
        await keys().add('prn_nobody'),
        await keys().list('prn_nobody'),
      ]) {
        expect(refused).toMatchObject({ ok: false, message: expect.stringContaining('principal') })
      }
    })

    describe('the number of keys', () => {
      test('is bounded, also for many who add at once', async () => {
        const { id } = await principal()
        const made = await Promise.all(
          Array.from({ length: MAX_GOOD_KEYS + 5 }, () => keys().add(id)),
        )
        expect(made.filter(({ ok }) => ok)).toHaveLength(MAX_GOOD_KEYS - 1)
        expect(made.find(({ ok }) => !ok)).toMatchObject({ message: expect.stringContaining('20') })
      })

      test('that have ended is bounded too: the oldest are forgotten', async () => {
        const { id } = await principal()
        for (let n = 0; n < 60; n++) {
          clock.advance(1)
          await accepted(keys().rotate(id, { overlapMs: 0 }))
        }
        const all = await listed(id)
        expect(all.length).toBeLessThanOrEqual(52)
        expect(all.filter(({ expires_at }) => expires_at === undefined)).toHaveLength(1)
      })
    })

    test('when a key was used is noted for it alone', async () => {
      const { id, key } = await principal()
      await accepted(keys().add(id))
      clock.advance(7)
      await database().transact((tx) => ports().apiKeys.noteUse(tx, [hashApiKey(key), 'unknown']))
      expect((await listed(id)).map(({ last_used_at }) => last_used_at)).toEqual([
        clock.now(),
        undefined,
      ])
    })

    test('a given key is taken once, and made good again by its owner alone', async () => {
      const { apiKeys } = ports()
      const add = (owner_id: string) =>
        database().transact((tx) =>
          apiKeys.add(tx, { kind: 'principal', owner_id }, { keyHash: 'given', hint: 'adw_give' }),
        )
      const first = await add('prn_first')
      expect(await add('prn_other')).toBeUndefined()
      expect(await keys().revoke(first?.key_id as string)).toBe(true)
      expect(await add('prn_other')).toBeUndefined()
      expect(await add('prn_first')).toEqual(first)
    })

    test('spec 5: keys of organisations are kept apart from those of principals', async () => {
      const made = await createOrganization(ports(), { name: 'Acme' })
      if (!made.ok) throw new Error(made.error)
      const { organization_id: id } = made.organization
      const { organizations } = ports()
      const owner = async (key: string) =>
        (await organizations.byKeyHash(hashApiKey(key)))?.organization_id
      const rotated = await accepted(organizationKeys(ports()).rotate(id, { overlapMs: HOUR_MS }))
      expect(rotated.key).toMatch(/^sk_/)
      expect([await owner(made.key), await owner(rotated.key)]).toEqual([id, id])
      clock.advance(HOUR_MS)
      expect([await owner(made.key), await owner(rotated.key)]).toEqual([undefined, id])
      expect(await keys().revoke(rotated.record.key_id)).toBe(false)
      expect(await organizationKeys(ports()).revoke(rotated.record.key_id)).toBe(true)
      expect(await owner(rotated.key)).toBeUndefined()
      expect(await organizationKeys(ports()).add('org_nobody')).toMatchObject({ ok: false })
    })
  },
  { clock },
)
