import { expect, test } from 'vitest'
import {
  type NewPreview,
  PREVIEW_GONE_MS,
  PREVIEW_TTL_MS,
} from '../../src/creative/preview-store.ts'
import { bodyOf } from '../../src/creative/rendering/draw-items.ts'
import { createPreviewStore } from '../../src/storage/stores/creatives/previews.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { overlapping } from '../support/overlapping.ts'

const clock = fakeClock()
let count = 0
const preview = (text: string, csp = "default-src 'none'"): NewPreview => ({
  preview_id: `preview-${String(++count).padStart(16, '0')}`,
  body: bodyOf('page', text, csp),
})

onBothStores(
  'the store of previews',
  (database) => {
    const store = () => createPreviewStore(database(), { clock })
    const add = (...previews: NewPreview[]) =>
      database().transact((tx) =>
        store().add(tx, previews, { ttlMs: PREVIEW_TTL_MS, owner: 'prn_a' }),
      )
    const sweep = async () => {
      let swept = 0
      for (;;) {
        const some = await database().transact((tx) => store().sweep(tx))
        if (some === 0) return swept
        swept += some
      }
    }
    const bodies = async () =>
      (await database().read.get<{ n: number }>('SELECT count(*) AS n FROM preview_bodies'))?.n
    const get = async ({ preview_id }: NewPreview) => store().get(preview_id)

    test('spec 2.5: a preview is found as it was added, and an unknown one is not', async () => {
      const [page, other] = [preview('<p>Zürich ✓ \u{1f600}'), preview('other', 'sandbox')]
      expect(await add(page, other)).toBe(clock.now() + PREVIEW_TTL_MS)
      expect(await get(page)).toEqual({ state: 'live', body: page.body })
      expect(await get(other)).toEqual({ state: 'live', body: other.body })
      expect(await store().get('preview-of-nobody')).toBeUndefined()
    })

    test('the same page is stored once, in one call or in many, at once or in turn', async () => {
      const before = Number(await bodies())
      const same = () => preview('the same page')
      await add(same(), same(), preview('another page'))
      await Promise.all(Array.from({ length: 8 }, () => add(same(), preview('another page'))))
      const last = same()
      await add(last)
      expect(Number(await bodies())).toBe(before + 2)
      expect(await get(last)).toMatchObject({ state: 'live' })
    })

    test('a page that is previewed again while what expired is swept stays', async () => {
      await add(preview('a page of long ago'))
      clock.advance(2 * PREVIEW_TTL_MS)
      const again = preview('a page of long ago')
      await overlapping(
        database(),
        (tx) => store().add(tx, [again], { ttlMs: PREVIEW_TTL_MS, owner: 'prn_a' }),
        sweep,
      )
      expect(await get(again)).toMatchObject({ state: 'live' })
    })

    test('a batch larger than one statement is added whole', async () => {
      const many = Array.from({ length: 1_200 }, (_, index) => preview(`page ${index}`))
      await add(...many)
      const found = await Promise.all([0, 24, 25, 499, 500, 1_199].map((at) => get(many[at]!)))
      expect(
        found.map((one) => one?.state === 'live' && 'text' in one.body && one.body.text),
      ).toEqual([0, 24, 25, 499, 500, 1_199].map((at) => `page ${at}`))
    })

    test('a still is kept byte for byte, and counts with its bytes', async () => {
      const bytes = new Uint8Array([137, 80, 78, 71, 0, 255, 254])
      const still = { preview_id: 'a-still', body: { digest: 's', kind: 'still', bytes } as const }
      await add(still)
      const found = await get(still)
      expect(found).toMatchObject({ state: 'live', body: { kind: 'still' } })
      const kept = found?.state === 'live' && 'bytes' in found.body ? [...found.body.bytes] : []
      expect(kept).toEqual([...bytes])
    })

    test('nothing to add is no fault', async () => {
      expect(await add()).toBe(clock.now() + PREVIEW_TTL_MS)
    })

    test('what a transaction undoes was never added', async () => {
      const page = preview('undone')
      const undone = database().transact(async (tx) => {
        await store().add(tx, [page], { ttlMs: PREVIEW_TTL_MS, owner: 'prn_a' })
        throw new Error('no')
      })
      await expect(undone).rejects.toThrow('no')
      expect(await get(page)).toBeUndefined()
    })

    test('spec 2.5: a preview is gone once it has expired, swept or not, and later unknown', async () => {
      const page = preview('short-lived')
      await add(page)
      clock.advance(PREVIEW_TTL_MS - 1)
      await sweep()
      expect(await get(page)).toMatchObject({ state: 'live' })
      clock.advance(1)
      expect(await get(page)).toEqual({ state: 'gone' })
      clock.advance(2 * 60 * 60 * 1_000)
      expect(await sweep()).toBeGreaterThan(0)
      expect(await bodies()).toBe(0)
      expect(await get(page)).toEqual({ state: 'gone' })
      clock.advance(PREVIEW_GONE_MS)
      expect(await sweep()).toBeGreaterThan(0)
      expect(await get(page)).toBeUndefined()
      expect(await sweep()).toBe(0)
    })

    test('a page that is shown again lives as long as its newest preview', async () => {
      await add(preview('renewed'))
      clock.advance(PREVIEW_TTL_MS - 1_000)
      const newest = preview('renewed')
      await add(newest)
      clock.advance(PREVIEW_TTL_MS - 1)
      await sweep()
      expect(await get(newest)).toMatchObject({ state: 'live' })
    })
  },
  { clock },
)
