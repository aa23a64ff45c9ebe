import { beforeEach, describe, expect, test } from 'vitest'
import { createServerSecretStore } from '../../src/storage/stores/keys/server-secrets.ts'
import type { ChannelKey } from '../../src/webhooks/sender/store.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { failure, newChannel, outboxOn, success } from '../support/outbox-contract.ts'

const clock = fakeClock()

onBothStores(
  'the store of channels',
  (database, _store, another) => {
    const on = outboxOn(database, clock)
    const { channels, claimOne, one, operations, put, record } = on
    beforeEach(on.clear)

    const remove = (key: ChannelKey) => database().transact((tx) => channels().delete(tx, key))
    const sweep = () => database().transact((tx) => channels().sweep(tx))
    const ofSubject = (subject: string) =>
      database().transact((tx) => channels().ofSubject(tx, subject))

    test('spec 2.9: a channel is kept as it was registered', async () => {
      const wanted = newChannel({ secrets: 'sealed', expires_at: clock.now() + 1_000 })
      const stored = await put(wanted)
      expect(stored).toEqual({
        ...wanted,
        channel_id: stored.channel_id,
        paused_at: undefined,
        created_at: clock.now(),
        updated_at: clock.now(),
      })
      expect(await channels().list(wanted.owner, wanted.subject)).toEqual([stored])
      expect(await ofSubject(wanted.subject)).toEqual([stored])
    })

    test('a channel is replaced under its key: it keeps its id and is no longer paused', async () => {
      const first = await one(await put({ subject: 'task:p' }))
      const next = { state: 'exhausted', reason: 'gone' } as const
      await record(failure(await claimOne(), { next, isGone: true }))
      expect((await ofSubject('task:p'))[0]?.paused_at).toBe(clock.now())
      clock.advance(1_000)
      const url = 'https://new.example/hook'
      const replaced = await put({ subject: 'task:p', url, operation_id: undefined })
      expect(replaced).toEqual({
        ...first,
        url,
        endpoint: url,
        operation_id: undefined,
        updated_at: clock.now(),
      })
      expect(await ofSubject('task:p')).toEqual([replaced])
    })

    test('a subject has a limited number of channels of one owner', async () => {
      const subject = 'task:many'
      const offer = (over: object) =>
        database().transact((tx) => channels().put(tx, newChannel({ subject, ...over }), 2))
      await offer({ name: 'a' })
      await offer({ name: 'b' })
      expect(await offer({ name: 'c' })).toBe('full')
      expect(await offer({ name: 'b', url: 'https://other.example/' })).toMatchObject({ name: 'b' })
      expect(await offer({ name: 'c', owner: 'prn_b' })).toMatchObject({ owner: 'prn_b' })
      expect(await ofSubject(subject)).toHaveLength(3)
    })

    test('channels of a subject come oldest first, and only the owner sees its own', async () => {
      await put({ subject: 'task:o', name: 'z' })
      clock.advance(1)
      await put({ subject: 'task:o', name: 'a', owner: 'prn_b' })
      await put({ subject: 'task:other' })
      expect((await ofSubject('task:o')).map(({ name }) => name)).toEqual(['z', 'a'])
      expect((await channels().list('prn_b', 'task:o')).map(({ name }) => name)).toEqual(['a'])
    })

    test('a channel that has expired is found no more and makes room', async () => {
      await put({ subject: 'task:e', name: 'a', expires_at: clock.now() + 1_000 })
      clock.advance(1_000)
      expect(await ofSubject('task:e')).toEqual([])
      expect(await channels().list('prn_a', 'task:e')).toEqual([])
      await put({ subject: 'task:e', name: 'b' }, 1)
    })

    describe('deleting', () => {
      test('what waits for a deleted channel is cancelled, what is under way is not', async () => {
        const channel = await one(await put({ subject: 'task:d' }))
        const claimed = await claimOne()
        await one(channel)
        expect(await remove(channel)).toBe(true)
        expect(await remove(channel)).toBe(false)
        const [waiting, leased] = await operations().list({ subject: 'task:d' })
        expect(waiting).toMatchObject({ state: 'cancelled', reason: 'its channel was deleted' })
        expect(leased?.state).toBe('leased')
        expect(await record(success(claimed))).toEqual([true])
      })

      test('another owner’s channel is not deleted', async () => {
        const channel = await put()
        expect(await remove({ ...channel, owner: 'prn_b' })).toBe(false)
        expect(await ofSubject(channel.subject)).toHaveLength(1)
      })
    })

    test('an expired channel is swept once nothing is on its way to it', async () => {
      const expires_at = clock.now() + 1_000
      await put({ expires_at })
      await one(await put({ expires_at }))
      await put()
      expect(await sweep()).toBe(0)
      clock.advance(1_000)
      expect(await sweep()).toBe(1)
      const claimed = await claimOne()
      expect(await sweep()).toBe(0)
      await record(success(claimed))
      expect(await sweep()).toBe(1)
      expect(await database().read.all('SELECT * FROM webhook_channels')).toHaveLength(1)
    })

    test('a secret of the server is created once, by the first caller', async () => {
      const other = another()
      let made = 0
      const ask = (on: typeof other, name: string) =>
        on.transact((tx) =>
          createServerSecretStore(on).getOrCreate(tx, name, () => `secret ${++made}`),
        )
      const all = await Promise.all(
        Array.from({ length: 8 }, (_, index) => ask(index % 2 ? other : database(), 'seal')),
      )
      expect(new Set(all).size).toBe(1)
      expect(await ask(other, 'seal')).toBe(all[0])
      expect(await ask(database(), 'another')).not.toBe(all[0])
      await other.close()
    })
  },
  { clock },
)
