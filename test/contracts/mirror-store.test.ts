import { beforeEach, expect, test } from 'vitest'
import type { MirrorContent } from '../../src/registry/mirrors/mirror.ts'
import { createMirrorStore } from '../../src/storage/stores/mirrors/mirrors.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'

const clock = fakeClock()

onBothStores(
  'the mirror store',
  (database) => {
    const store = () => createMirrorStore(database())
    const put = (platform: string, overrides: Partial<MirrorContent> = {}) =>
      database().transact((tx) => store().put(tx, platform, content(overrides)))
    const propose = (id: string, organization_id = 'org_a') =>
      database().transact((tx) =>
        store().propose(tx, {
          ...content(),
          id,
          platform: 'social',
          base_mirror_digest: null,
          organization_id,
        }),
      )
    const now = () => new Date(clock.now()).toISOString()

    beforeEach(async () => {
      clock.advance(1_000)
      await database().transact(async (tx) => {
        await tx.run('DELETE FROM community_mirrors')
        await tx.run('DELETE FROM mirror_proposals')
      })
    })

    test('a mirror is read as it was put, and another one takes its place', async () => {
      const first = await put('social')
      const created_at = now()
      expect(first).toEqual({ ...content(), platform: 'social', created_at, updated_at: now() })
      expect(await store().get('social')).toEqual(first)
      clock.advance(1_000)
      const second = await put('social', { digest: 'd2', catalog_etag: 'e' })
      expect(second).toMatchObject({ digest: 'd2', catalog_etag: 'e', created_at })
      expect(second.updated_at).toBe(now())
      expect(await database().transact((tx) => store().lock(tx, 'social'))).toEqual(second)
      expect(await store().get('other')).toBeUndefined()
    })

    test('mirrors are listed by platform, without their documents', async () => {
      await put('b')
      await put('a')
      await put('c')
      const { total, mirrors } = await store().list({ limit: 2, offset: 1 })
      expect([total, mirrors.map(({ platform }) => platform)]).toEqual([3, ['b', 'c']])
      expect(mirrors[0]).not.toHaveProperty('document')
      await database().transact((tx) => store().remove(tx, 'b'))
      expect((await store().list({ limit: 2, offset: 0 })).total).toBe(2)
    })

    test('a proposal waits until it is decided', async () => {
      const made = await propose('p1')
      expect(made).toEqual({
        ...content(),
        id: 'p1',
        platform: 'social',
        base_mirror_digest: null,
        status: 'pending',
        organization_id: 'org_a',
        proposed_at: now(),
        reviewed_at: null,
        review_notes: null,
        updated_at: now(),
      })
      expect(await store().proposal('p1')).toEqual(made)
      clock.advance(1_000)
      const decided = await database().transact((tx) =>
        store().decide(tx, 'p1', { status: 'rejected', notes: 'no' }),
      )
      expect(decided).toMatchObject({ status: 'rejected', review_notes: 'no', reviewed_at: now() })
    })

    test('proposals are listed from the newest, of one organisation or of all, and by status', async () => {
      await propose('p1')
      await propose('p2', 'org_b')
      await propose('p3')
      const decision = { status: 'approved', notes: null } as const
      await database().transact((tx) => store().decide(tx, 'p3', decision))
      const ids = async (filter: Parameters<ReturnType<typeof store>['proposals']>[0]) => {
        const page = await store().proposals(filter, { limit: 10, offset: 0 })
        expect(page.total).toBe(page.proposals.length)
        return page.proposals.map(({ id }) => id)
      }
      expect(await ids({})).toEqual(['p3', 'p2', 'p1'])
      expect(await ids({ organizationId: 'org_a' })).toEqual(['p3', 'p1'])
      expect(await ids({ status: 'pending' })).toEqual(['p2', 'p1'])
      expect(await ids({ organizationId: '' })).toEqual([])
      expect(await database().transact((tx) => store().countPendingOf(tx, 'org_a'))).toBe(1)
    })
  },
  { clock },
)

function content(overrides: Partial<MirrorContent> = {}): MirrorContent {
  return {
    document: '{"authorized_agents":[]}',
    digest: 'd1',
    catalog_etag: null,
    superseded_by: null,
    ...overrides,
  }
}
