import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { ASSET_RETENTION_MS, MAX_ASSET_BYTES } from '../../src/creative/assets/asset-store.ts'
import { createAssetStore } from '../../src/storage/stores/creatives/assets.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { overlapping } from '../support/overlapping.ts'

const clock = fakeClock()

onBothStores(
  'the store of assets',
  (database) => {
    const store = () => createAssetStore(database())
    const put = (bytes: Uint8Array) =>
      database().transact((tx) => store().put(tx, { bytes, media_type: 'image/png' }, 'prn_a'))
    const sweep = () =>
      database().transact(async (tx) => store().sweep(tx, (await tx.now()) - ASSET_RETENTION_MS))

    test('spec 4.2: bytes come back as they went in, under their SHA-256 digest', async () => {
      const bytes = randomBytes(70_000)
      const digest = await put(bytes)
      expect(digest).toBe(createHash('sha256').update(bytes).digest('hex'))
      const kept = await store().get(digest)
      expect(kept).toMatchObject({ digest, media_type: 'image/png', last_used_at: clock.now() })
      expect(Buffer.compare(Buffer.from(kept?.bytes ?? []), bytes)).toBe(0)
      expect(await store().get('0'.repeat(64))).toBeUndefined()
    })

    test('the size and type of an asset are known without reading it', async () => {
      const digest = await put(randomBytes(70_001))
      expect(await store().head(digest)).toEqual({
        digest,
        media_type: 'image/png',
        size: 70_001,
        last_used_at: clock.now(),
      })
      expect(await store().head('0'.repeat(64))).toBeUndefined()
    })

    test('equal bytes are one asset, also when they are added at once', async () => {
      const bytes = randomBytes(100)
      const digests = await Promise.all([put(bytes), put(bytes), put(bytes)])
      expect(new Set(digests).size).toBe(1)
    })

    test('what a transaction undoes was never kept', async () => {
      const bytes = randomBytes(100)
      const undone = database().transact(async (tx) => {
        await store().put(tx, { bytes, media_type: 'image/png' }, 'prn_a')
        throw new Error('no')
      })
      await expect(undone).rejects.toThrow('no')
      const digest = createHash('sha256').update(bytes).digest('hex')
      expect(await store().get(digest)).toBeUndefined()
    })

    test('an asset that is built or used again while old ones are swept stays', async () => {
      const [built, used] = [randomBytes(9), randomBytes(9)]
      const [, usedDigest] = [await put(built), await put(used)]
      clock.advance(ASSET_RETENTION_MS + 1)
      const asset = { bytes: built, media_type: 'image/png' } as const
      const digest = createHash('sha256').update(built).digest('hex')
      await overlapping(
        database(),
        async (tx) => {
          await store().put(tx, asset, 'prn_a')
          await store().use(tx, usedDigest)
        },
        sweep,
      )
      expect(await store().get(digest)).toBeDefined()
      expect(await store().get(usedDigest)).toBeDefined()
    })

    test('an asset is kept for 30 days after it was last built or used, and then swept', async () => {
      const [built, served, forgotten] = [randomBytes(9), randomBytes(9), randomBytes(9)]
      await put(built)
      const servedDigest = await put(served)
      const forgottenDigest = await put(forgotten)
      clock.advance(ASSET_RETENTION_MS)
      expect(await sweep()).toBe(0)
      const builtDigest = await put(built)
      await database().transact((tx) => store().use(tx, servedDigest))
      clock.advance(1)
      expect(await sweep()).toBeGreaterThan(0)
      expect(await store().get(forgottenDigest)).toBeUndefined()
      expect(await store().get(builtDigest)).toMatchObject({ last_used_at: clock.now() - 1 })
      expect(await store().get(servedDigest)).toBeDefined()
      expect(await sweep()).toBe(0)
    })

    test('more than 10 MB is refused', async () => {
      await expect(put(Buffer.alloc(MAX_ASSET_BYTES + 1))).rejects.toThrow('at most')
    })
  },
  { clock },
)
