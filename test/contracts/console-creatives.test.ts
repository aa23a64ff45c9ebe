import { beforeEach, expect, test } from 'vitest'
import type { CreativeListFilter, CreativePlace } from '../../src/console/queries.ts'
import type { SavedCreative } from '../../src/creative/library-store.ts'
import { createConsoleQueries } from '../../src/storage/stores/console/queries.ts'
import { createCreativeStore } from '../../src/storage/stores/creatives/creatives.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'

const clock = fakeClock()

const creative = (creative_id: string, over: Partial<SavedCreative> = {}): SavedCreative => ({
  creative_id,
  name: `Creative ${creative_id}`,
  status: 'approved',
  tags: [],
  others: {},
  format_id: { agent_url: 'https://ads.example', id: 'display_300x250_image' },
  formatKey: 'display_300x250_image',
  assets: {},
  bytes: 100,
  ...over,
})

onBothStores(
  'the libraries of all principals',
  (database) => {
    const queries = () => createConsoleQueries(database())
    beforeEach(async () => {
      await database().transact((tx) => tx.run('DELETE FROM creatives'))
    })
    const save = async (owner: string, ...creatives: SavedCreative[]) => {
      clock.advance(1)
      await database().transact((tx) => createCreativeStore(database()).save(tx, owner, creatives))
    }
    const ids = async (filter: Partial<CreativeListFilter> = {}) => {
      const { rows } = await queries().creatives({ limit: 50, ...filter })
      return rows.map(({ creative_id }) => creative_id)
    }

    test('creatives of all owners come with the newest first, and are filtered alone and together', async () => {
      await save('prn_a', creative('one'))
      await save('prn_b', creative('two', { status: 'archived' }))
      await save('prn_a', creative('three', { formatKey: 'video_vast', name: 'Änderung' }))
      await save('prn_b', creative('one', { formatKey: 'video_vast', status: 'archived' }))
      expect(await ids()).toEqual(['one', 'three', 'two', 'one'])
      expect(await ids({ owner: 'prn_a' })).toEqual(['three', 'one'])
      expect(await ids({ status: 'archived' })).toEqual(['one', 'two'])
      expect(await ids({ formatKey: 'video_vast' })).toEqual(['one', 'three'])
      expect(await ids({ formatKey: 'video_vast', status: 'archived' })).toEqual(['one'])
      expect(await ids({ owner: 'prn_b', formatKey: 'video_vast' })).toEqual(['one'])
      expect(await ids({ sought: 'ÄNDER' })).toEqual(['three'])
      expect(await ids({ sought: 'two', status: 'approved' })).toEqual([])
      for (const unknown of [{ owner: 'a\0b' }, { formatKey: 'a\0b' }, { sought: 'a\0b' }]) {
        expect(await ids(unknown)).toEqual([])
      }
    })

    test('every creative comes once, whatever the size of a page and the filters', async () => {
      const all = Array.from({ length: 7 }, (_, n) => `c-${n}`)
      for (const id of all) await save(id < 'c-3' ? 'prn_a' : 'prn_b', creative(id))
      for (const filter of [{}, { status: 'approved' }, { sought: 'creative' }] as const) {
        for (const limit of [1, 3, 7]) {
          const seen: string[] = []
          let after: CreativePlace | undefined
          do {
            const page = await queries().creatives({ ...filter, limit, after })
            seen.push(...page.rows.map(({ creative_id }) => creative_id))
            after = page.next
          } while (after)
          expect([filter, limit, seen]).toEqual([filter, limit, all.toReversed()])
        }
      }
    })

    test('a change of any creative is one of the topic', async () => {
      await save('prn_a', creative('one'))
      const before = (await queries().fingerprints()).creatives
      await save('prn_a', creative('one', { name: 'Another' }))
      expect((await queries().fingerprints()).creatives).not.toBe(before)
    })
  },
  { clock },
)
