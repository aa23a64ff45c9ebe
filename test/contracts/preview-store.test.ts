import { expect, test } from 'vitest'
import {
  type NewPreview,
  PREVIEW_GONE_MS,
  PREVIEW_TTL_MS,
} from '../../src/creative/preview-store.ts'
import { sqlOf } from '../../src/storage/sql/database.ts'
import { createPreviewStore } from '../../src/storage/stores/creatives/previews.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { overlapping } from '../support/overlapping.ts'

const clock = fakeClock()
let count = 0
/** Pages with the same text are of one drawing, and may be stored already. */
const preview = (text: string, csp = "default-src 'none'", recipe?: string): NewPreview => ({
  preview_id: `preview-${String(++count).padStart(16, '0')}`,
  body: {
    body_id: `body of ${text}`,
    seen: { kind: 'page', csp, text },
    recipe,
    mayBeStored: true,
  },
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
    const get = async ({ preview_id }: NewPreview) => store().seen(preview_id)

    test('spec 2.5: a preview is found as it was added, and an unknown one is not', async () => {
      const [page, other] = [preview('<p>Zürich ✓ \u{1f600}'), preview('other', 'sandbox')]
      expect(await add(page, other)).toBe(clock.now() + PREVIEW_TTL_MS)
      expect(await get(page)).toEqual({ state: 'live', body: page.body.seen })
      expect(await get(other)).toEqual({ state: 'live', body: other.body.seen })
      expect(await store().seen('preview-of-nobody')).toBeUndefined()
    })

    test('spec 2.5: what the interactive page is made of lies with a page, or alone', async () => {
      const [page, other] = [preview('first', '', '{"recipe":"ü"}'), preview('second')]
      const alone = preview('alone', '', 'only this')
      alone.body.seen = undefined
      await add(page, other, alone)
      const recipe = ({ preview_id }: NewPreview) => store().recipe(preview_id)
      expect(await recipe(page)).toEqual({ state: 'live', body: '{"recipe":"ü"}' })
      expect(await recipe(alone)).toEqual({ state: 'live', body: 'only this' })
      expect(await recipe(other)).toBeUndefined()
      expect(await get(alone)).toBeUndefined()
      expect(await store().recipe('preview-of-nobody')).toBeUndefined()
    })

    test('a preview of an earlier version is found, whose interactive page has an id of its own', async () => {
      const expiresAt = clock.now() + PREVIEW_TTL_MS
      await database().transact(async (tx) => {
        const sql = sqlOf(tx)
        await sql.run(
          "INSERT INTO preview_bodies (digest, kind, csp, body, expires_at) VALUES ('old', 'recipe', '', $1, $2)",
          [Buffer.from('a recipe'), expiresAt],
        )
        await sql.run(
          "INSERT INTO previews (preview_id, digest, expires_at) VALUES ('an-old-one', 'old', $1)",
          [expiresAt],
        )
      })
      expect(await store().recipe('an-old-one')).toEqual({ state: 'live', body: 'a recipe' })
      expect(await store().seen('an-old-one')).toBeUndefined()
    })

    test('what is said to be new and is there all the same is stored once', async () => {
      const before = Number(await bodies())
      const page = () => {
        const one = preview('said to be new')
        one.body.mayBeStored = false
        return one
      }
      const last = page()
      await add(page())
      await add(last)
      expect(Number(await bodies())).toBe(before + 1)
      expect(await get(last)).toMatchObject({ state: 'live' })
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
      const still = preview('still')
      still.body.seen = { kind: 'still', bytes }
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
      expect(await store().recipe(page.preview_id)).toEqual({ state: 'gone' })
      clock.advance(2 * 60 * 60 * 1_000)
      expect(await sweep()).toBeGreaterThan(0)
      expect(await bodies()).toBe(0)
      expect(await get(page)).toEqual({ state: 'gone' })
      clock.advance(PREVIEW_GONE_MS)
      expect(await sweep()).toBeGreaterThan(0)
      expect(await get(page)).toBeUndefined()
      expect(await sweep()).toBe(0)
    })

    test('a page that is returned again lives as long as its newest preview', async () => {
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
