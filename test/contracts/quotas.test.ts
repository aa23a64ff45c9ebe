// What one owner may have (spec 8 leaves it open), counted exactly also for many who add at once.

import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { ASSET_RETENTION_MS } from '../../src/creative/assets/asset-store.ts'
import type { SavedCreative } from '../../src/creative/library-store.ts'
import { PREVIEW_TTL_MS } from '../../src/creative/preview-store.ts'
import { ProtocolError } from '../../src/protocol/errors.ts'
import { NO_LIMITS } from '../../src/protocol/quota.ts'
import { createAssetStore } from '../../src/storage/stores/creatives/assets.ts'
import { createCreativeStore } from '../../src/storage/stores/creatives/creatives.ts'
import { createPreviewStore } from '../../src/storage/stores/creatives/previews.ts'
import { createChannelStore } from '../../src/storage/stores/outbox/channels.ts'
import { createQueueUse, queuedBy } from '../../src/storage/stores/outbox/queue-use.ts'
import { createTaskStore } from '../../src/storage/stores/tasks/tasks.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { newChannel, outboxOn, success } from '../support/outbox-contract.ts'

const clock = fakeClock()
let owners = 0
const newOwner = () => `prn_${++owners}`

/** The outcome of many concurrent attempts: how many succeeded, and the errors of the others. */
async function outcomes(attempts: readonly Promise<unknown>[]) {
  const settled = await Promise.allSettled(attempts)
  const refused = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  for (const error of refused) expect(error).toBeInstanceOf(ProtocolError)
  return {
    accepted: settled.length - refused.length,
    refusals: refused.map((error: ProtocolError) => error.errors[0]),
  }
}

const many = <T>(count: number, make: (index: number) => Promise<T>) =>
  outcomes(Array.from({ length: count }, (_, index) => make(index)))

onBothStores(
  'what one owner may have',
  (database) => {
    const transact = <T>(work: Parameters<ReturnType<typeof database>['transact']>[0]) =>
      database().transact(work) as Promise<T>

    describe('of queued webhooks', () => {
      const { put, add, deliveryTo, claim, record, openCircuit } = outboxOn(database, clock)
      const use = (limits: Partial<Parameters<typeof createQueueUse>[1]>) =>
        createQueueUse(database(), { ...NO_LIMITS, ...limits }, { seenForMs: 0 })
      const owned = async (
        count: number,
        over: { owner: string; url?: string; bytes?: number },
      ) => {
        const { bytes = 10, ...channel } = over
        for (let n = 0; n < count; n++) {
          const to = await put({ ...channel, subject: `task:${randomUUID()}` })
          await add(deliveryTo(to, { body: Buffer.alloc(bytes, 32) }))
        }
      }

      test('is counted whatever state it waits in, of one owner alone, until it ends', async () => {
        const owner = newOwner()
        const url = 'https://down.example/hook'
        await openCircuit(url, owner)
        await owned(3, { owner, url, bytes: 100 })
        await owned(2, { owner, url: 'https://up.example/hook', bytes: 50 })
        // Another whose name begins alike.
        await owned(1, { owner: `${owner}x` })
        // What is due for an endpoint whose circuit is open is held.
        await claim({ choose: () => [] })
        expect(await queuedBy(database().read, owner)).toEqual({ deliveries: 5, bytes: 400 })
        const { claimed } = await claim()
        await record(...claimed.map((one) => success(one)))
        const left = await queuedBy(database().read, owner)
        expect(left.deliveries).toBeLessThan(5)
      })

      test('is refused at the limit, by number or by bytes, and says which', async () => {
        const owner = newOwner()
        await owned(2, { owner, bytes: 500 })
        const narrow = use({ queued_deliveries: 2 })
        expect(await narrow.room(owner)).toBe(0)
        await expect(narrow.check(owner)).rejects.toMatchObject({
          errors: [{ code: 'QUOTA_EXCEEDED', details: { quota: 'queued_deliveries', limit: 2 } }],
        })
        const small = use({ queued_bytes: 1_000 })
        expect(await small.room(owner)).toBe(0)
        await expect(small.check(owner)).rejects.toMatchObject({
          errors: [{ code: 'QUOTA_EXCEEDED', details: { quota: 'queued_bytes', used: 1_000 } }],
        })
        expect(await use({ queued_deliveries: 5 }).room(owner)).toBe(3)
        await use({ queued_deliveries: 5, queued_bytes: 1_001 }).check(owner)
        expect(await use({}).room(owner)).toBe(Number.POSITIVE_INFINITY)
      })

      test('is counted in the transaction that asks, so that many at once need no more connections', async () => {
        const queue = use({ queued_deliveries: 1_000 })
        const checks = Array.from({ length: 50 }, () =>
          database().transact(async (tx) => {
            await tx.now()
            await queue.check(newOwner(), tx)
          }),
        )
        await expect(Promise.all(checks)).resolves.toHaveLength(50)
      })

      test('refuses a new registration when it is full, and lets one be replaced', async () => {
        const owner = newOwner()
        const queue = use({ queued_deliveries: 1 })
        const store = createChannelStore(database(), { queue })
        const register = (subject: string, url: string) =>
          database().transact((tx) => store.put(tx, newChannel({ owner, subject, url }), 10))
        await register('task:first', 'https://dead.example/hook')
        await owned(1, { owner })
        await expect(register('task:second', 'https://dead.example/hook')).rejects.toMatchObject({
          errors: [{ code: 'QUOTA_EXCEEDED', suggestion: expect.stringContaining('endpoints') }],
        })
        // This is how a buyer fixes what filled its queue.
        expect(await register('task:first', 'https://alive.example/hook')).toMatchObject({
          url: 'https://alive.example/hook',
        })
      })
    })

    describe('of tasks that have not ended', () => {
      const store = () => createTaskStore(database(), { open_tasks: 5 })
      const begin = (owner: string) =>
        database().transact((tx) =>
          store().add(tx, {
            task_id: randomUUID(),
            owner,
            task_type: 'paint',
            domain: 'creative',
            status: 'submitted',
            context: undefined,
            context_id: undefined,
            is_told: true,
            has_webhook: false,
            state: {},
            request: {},
            idempotency_key: undefined,
            deadlineMs: 1_000,
          }),
        )

      test('is no more than the limit, and one that ends makes room', async () => {
        const owner = newOwner()
        const first = await begin(owner)
        const { accepted, refusals } = await many(20, () => begin(owner))
        expect(accepted).toBe(4)
        expect(refusals[0]).toMatchObject({
          code: 'QUOTA_EXCEEDED',
          recovery: 'correctable',
          message: expect.stringContaining('5 of at most 5 tasks that have not ended'),
          suggestion: expect.stringContaining('cancel'),
          details: { quota: 'open_tasks', limit: 5, used: 5 },
        })
        await begin(newOwner())
        const ended = { ...first, status: 'completed', due_at: undefined } as const
        await database().transact((tx) => store().save(tx, { ...ended, completed_at: clock.now() }))
        expect(await many(3, () => begin(owner))).toMatchObject({ accepted: 1 })
      })
    })

    test('far from a limit many add at once, and each is counted', async () => {
      const store = createChannelStore(database(), { clock, limits: { registrations: 1_000 } })
      const owner = newOwner()
      const put = () =>
        database().transact((tx) =>
          store.put(tx, newChannel({ owner, subject: `task:${randomUUID()}` }), 10),
        )
      expect(await many(40, put)).toMatchObject({ accepted: 40 })
      const row = await database().read.get<{ used: number }>(
        'SELECT CAST(sum(used) AS BIGINT) AS used FROM quota_usage WHERE owner = $1',
        [owner],
      )
      expect(row).toEqual({ used: 40 })
    })

    describe('of registrations', () => {
      const store = () => createChannelStore(database(), { clock, limits: { registrations: 5 } })
      const put = (owner: string, over: object = {}) =>
        database().transact((tx) =>
          store().put(tx, newChannel({ owner, subject: `task:${randomUUID()}`, ...over }), 10),
        )

      test('is no more than the limit; one that is replaced counts once', async () => {
        const owner = newOwner()
        const known = { subject: `task:of-${owner}`, name: 'push' }
        await Promise.all(Array.from({ length: 6 }, () => put(owner, known)))
        const { accepted, refusals } = await many(20, () => put(owner))
        expect(accepted).toBe(4)
        expect(refusals[0]).toMatchObject({ details: { quota: 'registrations', used: 5 } })
        await put(owner, known)
        await put(newOwner())
      })

      test('shrinks when some are deleted or forgotten', async () => {
        const owner = newOwner()
        const key = { owner, subject: `task:of-${owner}`, name: 'push' }
        await put(owner, key)
        await many(4, () => put(owner, { expires_at: clock.now() + 1_000 }))
        await database().transact((tx) => store().delete(tx, key))
        expect(await many(3, () => put(owner))).toMatchObject({ accepted: 1 })
        clock.advance(1_000)
        await database().transact((tx) => store().sweep(tx))
        expect(await many(9, () => put(owner))).toMatchObject({ accepted: 4 })
      })

      test('that are refused leave nothing behind', async () => {
        const owner = newOwner()
        await many(9, () => put(owner))
        const rows = await database().read.all('SELECT 1 FROM webhook_channels WHERE owner = $1', [
          owner,
        ])
        expect(rows).toHaveLength(5)
      })
    })

    describe('of built files', () => {
      const store = () => createAssetStore(database(), { built_bytes: 1_000 })
      const put = (owner: string, bytes: Uint8Array) =>
        database().transact((tx) => store().put(tx, { bytes, media_type: 'image/png' }, owner))

      test('is a limited number of bytes, each file counted once per owner', async () => {
        const [owner, other] = [newOwner(), newOwner()]
        const shared = randomBytes(400)
        await Promise.all(Array.from({ length: 8 }, () => put(owner, shared)))
        await put(other, shared)
        const { accepted, refusals } = await many(10, () => put(owner, randomBytes(200)))
        expect(accepted).toBe(3)
        expect(refusals[0]).toMatchObject({ details: { quota: 'built_bytes', used: 1_000 } })
        await expect(store().refuseFull(owner)).rejects.toThrow('1000 of at most 1000')
        await store().refuseFull(other)
        expect(await many(5, () => put(other, randomBytes(300)))).toMatchObject({ accepted: 2 })
      })

      test('shrinks for all its owners when a file is forgotten', async () => {
        const [owner, other] = [newOwner(), newOwner()]
        const shared = randomBytes(900)
        await put(owner, shared)
        await put(other, shared)
        clock.advance(ASSET_RETENTION_MS + 1)
        await transact(async (tx) => store().sweep(tx, (await tx.now()) - ASSET_RETENTION_MS))
        for (const one of [owner, other]) await put(one, randomBytes(1_000))
      })
    })

    describe('of previews', () => {
      const limits = { previews: 10, preview_bytes: 1_000 }
      const store = () => createPreviewStore(database(), { clock, limits })
      const add = (owner: string, ...texts: string[]) =>
        database().transact((tx) =>
          store().add(
            tx,
            texts.map((text) => {
              const seen = { kind: 'page', csp: '', text } as const
              const body = { body_id: text, seen, recipe: undefined, mayBeStored: true }
              return { preview_id: randomUUID(), body }
            }),
            { ttlMs: PREVIEW_TTL_MS, owner },
          ),
        )

      test('is a limited number at a time, and as many again when they have expired', async () => {
        const owner = newOwner()
        const { accepted, refusals } = await many(8, () => add(owner, 'a', 'b'))
        expect(accepted).toBe(5)
        expect(refusals[0]).toMatchObject({ details: { quota: 'previews', limit: 10, used: 10 } })
        await expect(store().refuseFull(owner)).rejects.toThrow('10 of at most 10')
        await add(newOwner(), 'a')
        clock.advance(PREVIEW_TTL_MS + 3_600_000)
        await store().refuseFull(owner)
        expect(await many(8, () => add(owner, 'a', 'b'))).toMatchObject({ accepted: 5 })
      })

      test('is a limited number of bytes, and existing pages cost none', async () => {
        const owner = newOwner()
        const page = (n: number) => `${n}-${owner}`.padEnd(300, '.')
        await add(owner, page(1), page(2), page(3))
        await add(owner, page(1), page(2), page(3))
        await expect(add(owner, page(4))).rejects.toMatchObject({
          errors: [{ details: { quota: 'preview_bytes', used: 900 } }],
        })
        clock.advance(PREVIEW_TTL_MS + 3_600_000)
        await database().transact((tx) => store().sweep(tx))
        await add(owner, page(4), page(5))
      })
    })

    describe('of creatives', () => {
      const store = () => createCreativeStore(database())
      const creative = (creative_id: string, bytes: number): SavedCreative => ({
        creative_id,
        name: creative_id,
        formatKey: 'a',
        assets: {},
        status: 'approved',
        format_id: { agent_url: 'https://ads.example', id: 'a' },
        tags: [],
        others: {},
        bytes,
      })
      const about = { limits: { creatives: 5, bytes: 1_000 }, toAdd: { creatives: 1, bytes: 1 } }
      const use = (owner: string) => database().transact((tx) => store().useOf(tx, owner, about))
      const save = (owner: string, ...creatives: SavedCreative[]) =>
        database().transact((tx) => store().save(tx, owner, creatives))

      test('is counted with every change, also by many at once', async () => {
        const owner = newOwner()
        expect(await use(owner)).toEqual({ creatives: 0, bytes: 0 })
        await save(owner, creative('a', 10), creative('b', 20))
        await save(owner, creative('b', 5), creative('c', 7))
        expect(await use(owner)).toEqual({ creatives: 3, bytes: 22 })
        await Promise.all(Array.from({ length: 20 }, (_, n) => save(owner, creative(`n${n}`, 3))))
        expect(await use(owner)).toEqual({ creatives: 23, bytes: 82 })
        const undone = database().transact(async (tx) => {
          await store().save(tx, owner, [creative('ghost', 1_000)])
          throw new Error('no')
        })
        await expect(undone).rejects.toThrow('no')
        expect(await use(owner)).toEqual({ creatives: 23, bytes: 82 })
        expect(await use(newOwner())).toEqual({ creatives: 0, bytes: 0 })
      })

      test('only the transaction that holds the count adds: of many that check first, none adds too much', async () => {
        const owner = newOwner()
        const syncs = Array.from({ length: 12 }, (_, n) =>
          database().transact(async (tx) => {
            const { creatives } = await store().useOf(tx, owner, about)
            if (creatives >= 5) return false
            await store().save(tx, owner, [creative(`c${n}`, 1)])
            return true
          }),
        )
        expect((await Promise.all(syncs)).filter(Boolean)).toHaveLength(5)
      })
    })
  },
  { clock },
)
