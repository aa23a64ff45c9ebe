import { beforeEach, expect, test } from 'vitest'
import { bodyOf, type PolicyInput, placesOf } from '../../src/registry/policies/policy.ts'
import type { PolicyFilter } from '../../src/registry/policies/store.ts'
import { createPolicyStore } from '../../src/storage/stores/policies/policies.ts'
import { createRevisionStore } from '../../src/storage/stores/revisions/revisions.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'

const clock = fakeClock()

onBothStores(
  'the policy store',
  (database) => {
    const store = () => createPolicyStore(database())
    const add = (
      overrides: Partial<PolicyInput> = {},
      { reviewStatus = 'approved', contributedBy = 'org_a' as string | null } = {},
    ) =>
      database().transact((tx) => {
        const body = bodyOf(policy(overrides))
        const status = reviewStatus as 'approved' | 'pending'
        return store().add(tx, {
          body,
          places: placesOf(body),
          reviewStatus: status,
          contributedBy,
        })
      })
    const replace = (overrides: Partial<PolicyInput>) =>
      database().transact((tx) => {
        const body = bodyOf(policy(overrides))
        return store().replace(tx, body, placesOf(body))
      })
    const ids = async (filter: Partial<PolicyFilter> = {}) => {
      const { policies } = await store().list({ limit: 100, offset: 0, ...filter })
      return policies.map(({ policy_id }) => policy_id)
    }

    beforeEach(async () => {
      clock.advance(1_000)
      await database().transact(async (tx) => {
        await tx.run('DELETE FROM policies')
        await tx.run('DELETE FROM registry_revisions')
      })
    })

    test('a policy is read as it was added', async () => {
      expect(await add({ ext: { a: ['\0', { b: null }] } })).toBe(true)
      const now = new Date(clock.now()).toISOString()
      expect(await store().get('ads_policy')).toEqual({
        policy: {
          ...bodyOf(policy({ ext: { a: ['\0', { b: null }] } })),
          source_type: 'community',
          review_status: 'approved',
          created_at: now,
          updated_at: now,
        },
        contributedBy: 'org_a',
      })
      expect(await store().get('other')).toBeUndefined()
    })

    test('an id is taken once', async () => {
      expect(await add()).toBe(true)
      expect(await add({ name: 'Another' })).toBe(false)
      expect((await store().get('ads_policy'))?.policy.name).toBe('Ads policy')
    })

    test('a version stays readable when another has replaced it', async () => {
      await add({ version: '1.0.0', policy: 'first' })
      clock.advance(1_000)
      await replace({ version: '2.0.0', policy: 'second' })
      expect((await store().get('ads_policy'))?.policy.policy).toBe('second')
      expect((await store().version('ads_policy', '1.0.0'))?.policy).toMatchObject({
        version: '1.0.0',
        policy: 'first',
      })
      expect((await store().version('ads_policy', '2.0.0'))?.policy.policy).toBe('second')
      expect(await store().version('ads_policy', '3.0.0')).toBeUndefined()
      const within = await database().transact((tx) =>
        store().versionWithin(tx, 'ads_policy', '1.0.0'),
      )
      expect(within?.policy).toBe('first')
    })

    test('what waits for a review is in no list, counted for its organisation, and has no version yet', async () => {
      await add({ policy_id: 'waits' }, { reviewStatus: 'pending' })
      clock.advance(1_000)
      await add({ policy_id: 'waits_too' }, { reviewStatus: 'pending', contributedBy: 'org_b' })
      expect(await ids()).toEqual([])
      expect(await store().version('waits', '1.0.0')).toBeUndefined()
      const waiting = await store().pending(10)
      expect(waiting.map((one) => one.policy.policy_id)).toEqual(['waits', 'waits_too'])
      expect(await database().transact((tx) => store().countPendingOf(tx, 'org_a'))).toBe(1)
      await database().transact((tx) => store().approve(tx, 'waits'))
      expect(await ids()).toEqual(['waits'])
      expect((await store().version('waits', '1.0.0'))?.policy.name).toBe('Ads policy')
    })

    test('a removed policy leaves no version behind', async () => {
      await add()
      await database().transact((tx) => store().remove(tx, 'ads_policy'))
      expect(await store().get('ads_policy')).toBeUndefined()
      expect(await store().version('ads_policy', '1.0.0')).toBeUndefined()
    })

    test('the list filters by each member, by parts of words and by what a region alias names', async () => {
      await add({ policy_id: 'a_gdpr', name: 'GDPR', jurisdictions: ['EU'] })
      await add({
        policy_id: 'b_tobacco',
        name: 'Tobacco',
        enforcement: 'may',
        category: 'standard',
        jurisdictions: ['EFTA'],
        region_aliases: { EFTA: ['NO', 'CH'] },
        policy_categories: ['tobacco'],
        governance_domains: ['creative'],
      })
      expect(await ids({ search: 'OBACC' })).toEqual(['b_tobacco'])
      expect(await ids({ search: '%' })).toEqual([])
      expect(await ids({ category: 'regulation' })).toEqual(['a_gdpr'])
      expect(await ids({ enforcement: 'may' })).toEqual(['b_tobacco'])
      expect(await ids({ jurisdiction: 'ch' })).toEqual(['b_tobacco'])
      expect(await ids({ jurisdiction: 'EU' })).toEqual(['a_gdpr'])
      expect(await ids({ policy_category: 'tobacco' })).toEqual(['b_tobacco'])
      expect(await ids({ domain: 'creative' })).toEqual(['b_tobacco'])
      expect(await ids({ jurisdiction: 'US' })).toEqual([])
    })

    test('the statistics count all that match, whatever the page holds', async () => {
      await add({ policy_id: 'a', category: 'regulation' })
      await add({ policy_id: 'b', category: 'standard' })
      await add({ policy_id: 'c', category: 'standard' })
      const { policies, stats } = await store().list({ limit: 1, offset: 1 })
      expect(policies.map(({ policy_id }) => policy_id)).toEqual(['b'])
      expect(stats).toEqual({ total: 3, regulation: 1, standard: 2 })
    })

    test('many are read at once, and names that no database holds find nothing', async () => {
      await add({ policy_id: 'a' })
      const found = await store().some(['a', 'nothing', 'a\0'])
      expect(found.map(({ policy }) => policy.policy_id)).toEqual(['a'])
    })

    test('revisions are numbered from one and listed from the newest, those of one entry alone', async () => {
      const revisions = createRevisionStore(database())
      const edit = (key: string, summary: string) =>
        database().transact((tx) =>
          revisions.add(tx, {
            kind: 'policy',
            key,
            editorName: 'Acme',
            summary,
            source: null,
            rolledBackTo: null,
          }),
        )
      expect(await edit('a', 'one')).toBe(1)
      expect(await edit('b', 'other')).toBe(1)
      expect(await edit('a', 'two')).toBe(2)
      const of = { kind: 'policy', key: 'a' } as const
      const page = await revisions.page(of, { limit: 1, offset: 0 })
      expect(page.total).toBe(2)
      expect(page.revisions).toEqual([
        {
          revision_number: 2,
          editor_name: 'Acme',
          edit_summary: 'two',
          is_rollback: false,
          created_at: new Date(clock.now()).toISOString(),
        },
      ])
      const rest = await revisions.page(of, { limit: 5, offset: 1 })
      expect(rest.revisions.map((one) => one.edit_summary)).toEqual(['one'])
      expect(await revisions.page({ kind: 'brand', key: 'a' }, { limit: 5, offset: 0 })).toEqual({
        total: 0,
        revisions: [],
      })
    })
  },
  { clock },
)

function policy(overrides: Partial<PolicyInput>): PolicyInput {
  return {
    policy_id: 'ads_policy',
    version: '1.0.0',
    name: 'Ads policy',
    category: 'regulation',
    enforcement: 'must',
    policy: 'Say what is an ad.',
    ...overrides,
  }
}
