import { expect, test } from 'vitest'
import type { NoteKey } from '../../src/sandbox/store.ts'
import { createSandboxStore } from '../../src/storage/stores/sandbox/notes.ts'
import { onBothStores } from '../support/databases.ts'

onBothStores('sandbox store', (database) => {
  const store = () => createSandboxStore(database())
  const put = (key: NoteKey, value: unknown) =>
    database().transact((tx) => store().put(tx, key, value))
  /** Until the database's clock has moved on. */
  const later = async () => {
    const now = () => database().transact((tx) => tx.now())
    const before = await now()
    while ((await now()) === before);
  }
  const key = (name: string, over: Partial<NoteKey> = {}): NoteKey => ({
    owner: 'prn_a',
    kind: 'seed',
    name,
    ...over,
  })

  test('a note is found under its owner, kind and name, as it was put last', async () => {
    await put(key('one'), { a: 1 })
    await put(key('one'), { a: [2, 'ü'] })
    await put(key('one', { owner: 'prn_b' }), 'another')
    const found = await database().transact((tx) => store().lock(tx, key('one')))
    expect(found).toMatchObject({
      owner: 'prn_a',
      kind: 'seed',
      name: 'one',
      value: { a: [2, 'ü'] },
    })
    expect(await database().transact((tx) => store().lock(tx, key('none')))).toBeUndefined()
  })

  test('a note is taken once', async () => {
    await put(key('arm', { kind: 'arm' }), { arm: 'submitted' })
    const take = () => database().transact((tx) => store().take(tx, key('arm', { kind: 'arm' })))
    expect((await take())?.value).toEqual({ arm: 'submitted' })
    expect(await take()).toBeUndefined()
  })

  test('notes of a kind are listed the oldest first, of one owner, of some names, since a time', async () => {
    for (const name of ['x', 'y', 'z']) await put(key(name, { kind: 'call' }), name)
    await put(key('x', { kind: 'call', owner: 'prn_b' }), 'other')
    const list = (query: object) => store().list('call', { limit: 10, ...query })
    const own = await list({ owner: 'prn_a' })
    expect(own.map(({ value }) => value)).toEqual(['x', 'y', 'z'])
    expect(await list({ names: ['x'] })).toHaveLength(2)
    expect(await list({ owner: 'prn_a', names: ['x', 'z'] })).toHaveLength(2)
    expect(await list({ owner: 'prn_a', limit: 1 })).toHaveLength(1)
    expect(await list({ since: (own[2]?.noted_at ?? 0) + 60_000 })).toEqual([])
  })

  test('of an owner’s kind that is trimmed the newest stay, and all of other owners’', async () => {
    await put(key('old', { kind: 'format', owner: 'other' }), 'old')
    await later()
    for (let n = 0; n < 5; n++) {
      await put(key(`n${n}`, { kind: 'format' }), n)
      await later()
    }
    const { owner } = key('n0')
    await database().transact((tx) => store().trim(tx, { owner, kind: 'format' }, 2))
    const left = await store().list('format', { limit: 10 })
    expect(left.map(({ value }) => value)).toEqual(['old', 3, 4])
  })

  test('the usage of an owner counts its notes of the kind, and no others', async () => {
    await put(key('one', { kind: 'seed', owner: 'counted' }), 'abc')
    await put(key('two', { kind: 'seed', owner: 'counted' }), 'abcdef')
    await put(key('three', { kind: 'arm', owner: 'counted' }), 'abc')
    const usage = (owner: string) => database().transact((tx) => store().usage(tx, owner, 'seed'))
    expect(await usage('counted')).toEqual({ count: 2, chars: 13 })
    expect(await usage('nobody')).toEqual({ count: 0, chars: 0 })
  })
})
