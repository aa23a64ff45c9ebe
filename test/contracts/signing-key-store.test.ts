import { expect, test } from 'vitest'
import { createSigningKeyStore } from '../../src/storage/stores/keys/signing-keys.ts'
import { onBothStores } from '../support/databases.ts'
import { keyRecord } from '../support/signing-keys.ts'

onBothStores('signing key store', (database, _store, another) => {
  const store = () => createSigningKeyStore(database())
  const add = (...keys: ReturnType<typeof keyRecord>[]) =>
    database().transact(async (tx) => {
      const answers: boolean[] = []
      for (const key of keys) answers.push(await store().add(tx, key))
      return answers
    })
  const find = async (kid: string) => (await store().list()).find((key) => key.kid === kid)

  test('a key is listed as it was added', async () => {
    const key = keyRecord({
      algorithm: 'ecdsa-p256-sha256',
      purpose: 'request-signing',
      public_jwk: { kty: 'EC', crv: 'P-256', x: 'ü', y: 'y' },
      private_key: 'v1.a.b.c',
      published_at: 1_700_000_000_000,
      active_from: 1_700_000_000_001,
      retired_at: 1_700_000_000_002,
      remove_at: 1_700_000_000_003,
      revoked_at: 1_700_000_000_004,
    })
    expect(await add(key)).toEqual([true])
    expect(await find(key.kid)).toEqual(key)
  })

  test('what is not known is null', async () => {
    const key = keyRecord()
    await add(key)
    expect(await find(key.kid)).toEqual(key)
  })

  test('a kid that is taken adds nothing', async () => {
    const key = keyRecord({ published_at: 5 })
    await add(key)
    expect(await add({ ...key, published_at: 6 })).toEqual([false])
    expect(await find(key.kid)).toEqual(key)
  })

  test('the list begins with the oldest', async () => {
    await add(keyRecord({ published_at: 30 }), keyRecord({ published_at: 10 }))
    const times = (await store().list()).map(({ published_at }) => published_at)
    expect(times).toEqual([...times].sort((a, b) => a - b))
  })

  test('an update replaces the private key and the times, and touches no other key', async () => {
    const [key, other] = [keyRecord({ private_key: 'one' }), keyRecord({ private_key: 'two' })]
    await add(key, other)
    const changed = { ...key, private_key: null, active_from: 1, retired_at: 2, remove_at: 3 }
    await database().transact((tx) => store().update(tx, { ...changed, revoked_at: 4 }))
    expect(await find(key.kid)).toEqual({ ...changed, revoked_at: 4 })
    await database().transact((tx) => store().update(tx, key))
    expect(await find(key.kid)).toEqual(key)
    expect(await find(other.kid)).toEqual(other)
  })

  test('a deleted key is gone, and deleting it again changes nothing', async () => {
    const key = keyRecord()
    await add(key)
    await database().transact((tx) => store().delete(tx, key.kid))
    await database().transact((tx) => store().delete(tx, key.kid))
    expect(await find(key.kid)).toBeUndefined()
  })

  test('a transaction reads what it wrote, and what failed is not there', async () => {
    const key = keyRecord()
    const failing = database().transact(async (tx) => {
      await store().add(tx, key)
      const kids = (await store().lockAll(tx)).map(({ kid }) => kid)
      expect(kids).toContain(key.kid)
      throw new Error('stop')
    })
    await expect(failing).rejects.toThrow('stop')
    expect(await find(key.kid)).toBeUndefined()
  })

  test('of many who lock and add when there is none, on two instances, one adds', async () => {
    const second = another()
    const addFirst = (on: typeof second) =>
      on.transact(async (tx) => {
        const keys = createSigningKeyStore(on)
        const known = await keys.lockAll(tx)
        if (known.some(({ public_jwk }) => public_jwk.kty === 'once')) return false
        return keys.add(tx, keyRecord({ public_jwk: { kty: 'once' } }))
      })
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => addFirst(at % 2 === 0 ? database() : second)),
    )
    await second.close()
    expect(answers.filter(Boolean)).toHaveLength(1)
  })
})
