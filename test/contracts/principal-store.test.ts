import { describe, expect, test } from 'vitest'
import { uuid7 } from '../../src/lib/uuid7.ts'
import { createPrincipalStore } from '../../src/storage/stores/principals/principals.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'

const clock = fakeClock()

onBothStores(
  'principal store',
  (database) => {
    const add = (keyHash: string, name = 'Buyer', principal_id = `prn_${uuid7(clock.now())}`) =>
      database().transact((tx) =>
        createPrincipalStore(database()).add(
          tx,
          { principal_id, name, scopes: ['tasks', 'operator'] },
          { keyHash, hint: 'adw_abcd' },
        ),
      )
    const revoke = (principalId: string) =>
      database().transact((tx) => createPrincipalStore(database()).revoke(tx, principalId))
    const store = () => createPrincipalStore(database())

    describe('keys', () => {
      test('a principal is found by the hash of its key, as it was added', async () => {
        const added = await add('hash-1', 'Büyer 東京')
        expect(added).toMatchObject({ name: 'Büyer 東京', scopes: ['tasks', 'operator'] })
        expect(await store().byKeyHash('hash-1')).toEqual(added)
      })

      test('an unknown hash finds no one', async () => {
        expect(await store().byKeyHash('hash-unknown')).toBeUndefined()
      })

      test('a key that is taken adds neither a key nor a principal', async () => {
        const first = await add('hash-2')
        const before = (await store().list()).length
        expect(await add('hash-2', 'Thief')).toBe('key_taken')
        expect(await store().list()).toHaveLength(before)
        expect(await store().byKeyHash('hash-2')).toEqual(first)
      })

      test('of many who add the same key at once, one succeeds', async () => {
        const answers = await Promise.all(Array.from({ length: 8 }, () => add('hash-3')))
        expect(answers.filter((answer) => answer !== 'key_taken')).toHaveLength(1)
      })

      test('a key of another kind is no one here, even with the same owner', async () => {
        await add('hash-7', 'Both', 'prn_both')
        await database().transact((tx) =>
          tx.run("UPDATE api_keys SET kind = 'organization' WHERE key_hash = 'hash-7'"),
        )
        expect(await store().byKeyHash('hash-7')).toBeUndefined()
      })
    })

    test('a new name leaves the keys and everything else as they are', async () => {
      const added = await add('hash-renamed')
      if (added === 'key_taken') throw new Error(added)
      const rename = (id: string) => database().transact((tx) => store().rename(tx, id, 'Another'))
      expect([await rename(added.principal_id), await rename('prn_nobody')]).toEqual([true, false])
      expect(await store().byKeyHash('hash-renamed')).toEqual({ ...added, name: 'Another' })
    })

    test('one that a demo created is marked, by its key and in the list', async () => {
      const demo = await database().transact((tx) =>
        store().add(
          tx,
          { principal_id: 'prn_demo', name: 'Demo', scopes: ['tasks'], is_demo: true },
          { keyHash: 'hash-demo', hint: 'adw_demo' },
        ),
      )
      expect(demo).toMatchObject({ is_demo: true })
      expect(await store().byKeyHash('hash-demo')).toEqual(demo)
      expect(await store().get('prn_demo')).toEqual(demo)
      expect(await store().list({ onlyDemo: true })).toEqual([demo])
      expect(await store().get('prn_nobody')).toBeUndefined()
    })

    test('a revoked principal is not found by its key and stays in the list', async () => {
      await add('hash-4', 'Leaver', 'prn_leaver')
      clock.advance(1_000)
      expect(await revoke('prn_leaver')).toBe(true)
      expect(await store().byKeyHash('hash-4')).toBeUndefined()
      const listed = (await store().list()).find((one) => one.principal_id === 'prn_leaver')
      expect(listed?.revoked_at).toBe(new Date(clock.now()).toISOString())
    })

    test('a second revocation succeeds and keeps the time of the first', async () => {
      await add('hash-5', 'Leaver', 'prn_twice')
      await revoke('prn_twice')
      const first = new Date(clock.now()).toISOString()
      clock.advance(60_000)
      expect(await revoke('prn_twice')).toBe(true)
      const listed = (await store().list()).find((one) => one.principal_id === 'prn_twice')
      expect(listed?.revoked_at).toBe(first)
    })

    test('revoking someone unknown answers false', async () => {
      expect(await revoke('prn_nobody')).toBe(false)
    })

    test('the list begins with the oldest', async () => {
      await add('hash-6', 'Newest')
      const times = (await store().list()).map((one) => one.created_at)
      expect(times).toEqual([...times].sort())
    })

    test('what a failed transaction added is not there', async () => {
      const failing = database().transact(async (tx) => {
        await store().add(
          tx,
          { principal_id: 'prn_ghost', name: 'Ghost', scopes: ['tasks'] },
          { keyHash: 'hash-ghost', hint: 'adw_ghos' },
        )
        throw new Error('stop')
      })
      await expect(failing).rejects.toThrow('stop')
      expect(await store().byKeyHash('hash-ghost')).toBeUndefined()
    })
  },
  { clock },
)
