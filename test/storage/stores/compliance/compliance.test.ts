import { beforeAll, expect, test } from 'vitest'
import {
  type ClaimedExamination,
  type ComplianceRun,
  neverExamined,
  type StoredCompliance,
} from '../../../../src/registry/compliance/store.ts'
import { createOrganization } from '../../../../src/registry/organizations.ts'
import { createComplianceStore } from '../../../../src/storage/stores/compliance/compliance.ts'
import { onBothStores } from '../../../support/databases.ts'
import { fakeClock } from '../../../support/fake-clock.ts'
import { registryPorts } from '../../../support/registry.ts'

const clock = fakeClock()
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const PACE = {
  leaseMs: 4 * MINUTE_MS,
  siteMs: 2 * MINUTE_MS,
  retryMs: HOUR_MS,
  unpublishedMs: 12 * HOUR_MS,
}

onBothStores(
  'the compliance of agents',
  (database, _store, another) => {
    let organizationId: string
    beforeAll(async () => {
      const made = await createOrganization(registryPorts(database()), { name: 'Acme' })
      if (!made.ok) throw new Error(made.error)
      organizationId = made.organization.organization_id
    })

    const store = () => createComplianceStore(database())
    const list = (url: string, visibility: 'public' | 'private' = 'public') =>
      database().transact((tx) =>
        registryPorts(database()).organizations.putAgent(tx, organizationId, {
          url,
          type: 'sales',
          name: null,
          visibility,
          health_check_url: null,
        }),
      )
    const removeFromList = (url: string) =>
      database().transact((tx) =>
        registryPorts(database()).organizations.removeAgent(tx, organizationId, url),
      )
    const addPublished = () =>
      database().transact((tx) => store().addPublished(tx, { at: clock.now(), limit: 100 }))
    const claim = (url: string, from = store()) =>
      database().transact((tx) => from.claim(tx, url, PACE))
    const record = (claimed: ClaimedExamination, over: Partial<StoredCompliance> = {}) =>
      database().transact(async (tx) => {
        const before = await store().lock(tx, claimed)
        if (!before) return false
        const compliance = { ...before, last_checked_at: clock.now(), ...over }
        await store().record(tx, compliance, {
          run: runOf(compliance),
          nextCheckAt: clock.now() + 12 * HOUR_MS,
        })
        return true
      })
    /** Every agent that is due now, in the order in which they are claimed. */
    const claimAll = async () => {
      const urls: string[] = []
      for (let n = 0; n < 50; n++) {
        const { claimed, isMore } = await database().transact((tx) => store().claimDue(tx, PACE))
        if (claimed) {
          urls.push(claimed.agent_url)
          await record(claimed)
        }
        if (!isMore) return urls
      }
      throw new Error('there is always more')
    }
    const forgetAll = async (urls: readonly string[]) => {
      for (const url of urls) await removeFromList(url)
      clock.advance(13 * HOUR_MS)
      expect(await claimAll()).toEqual([])
    }

    test('an agent is examined by one at a time, and by the next when that one is late', async () => {
      const url = 'https://lease.example/mcp'
      await list(url)
      const first = await claim(url)
      expect(first).toEqual({ agent_url: url, lease_until: clock.now() + PACE.leaseMs })
      const elsewhere = another()
      try {
        const other = createComplianceStore(elsewhere)
        expect(await elsewhere.transact((tx) => other.claim(tx, url, PACE))).toBeUndefined()
        clock.advance(PACE.leaseMs)
        const second = await elsewhere.transact((tx) => other.claim(tx, url, PACE))
        expect(second).toBeDefined()
      } finally {
        await elsewhere.close()
      }
      expect(await record(first as ClaimedExamination)).toBe(false)
      expect(await store().get(url)).toEqual(neverExamined(url))
      clock.advance(PACE.leaseMs)
      await forgetAll([url])
    })

    test('what came of it is stored with the newest hundred runs, and ends the lease', async () => {
      const url = 'https://record.example/mcp'
      await list(url)
      for (let n = 0; n < 102; n++) {
        clock.advance(1)
        const claimed = await claim(url)
        expect(await record(claimed as ClaimedExamination, { status: 'passing' })).toBe(true)
      }
      const last = { ...neverExamined(url), status: 'passing', last_checked_at: clock.now() }
      expect(await store().get(url)).toEqual(last)
      expect(await store().some([url, 'https://unknown.example/'])).toEqual(new Map([[url, last]]))
      const runs = await store().runs(url, 1_000)
      expect(runs).toHaveLength(100)
      expect(runs[0]).toEqual(runOf(last as StoredCompliance))
      expect((await store().runs(url, 2)).map(({ tested_at }) => tested_at)).toEqual([
        clock.now(),
        clock.now() - 1,
      ])
      await forgetAll([url])
      expect([await store().get(url), await store().runs(url, 1)]).toEqual([undefined, []])
    })

    test('a lease under which nothing was written ends with its release, and only that one', async () => {
      const url = 'https://release.example/mcp'
      await list(url)
      const first = (await claim(url)) as ClaimedExamination
      const release = (claimed: ClaimedExamination) =>
        database().transact((tx) => store().release(tx, claimed, clock.now()))
      await release({ ...first, lease_until: first.lease_until - 1 })
      expect(await claim(url)).toBeUndefined()
      await release(first)
      expect(await claim(url)).toBeDefined()
      await forgetAll([url])
    })

    test('the agents of one site are due one after the other, and other sites do not wait', async () => {
      const urls = ['a', 'b', 'c'].map((name) => `https://${name}.one.example/mcp`)
      const other = 'https://other-site.example/mcp'
      for (const url of [...urls, other]) await list(url)
      expect(await addPublished()).toBe(4)
      expect(await addPublished()).toBe(0)
      expect((await claimAll()).sort()).toEqual([urls[0], other])
      expect(await claimAll()).toEqual([])
      clock.advance(PACE.siteMs)
      expect(await claimAll()).toEqual([urls[1]])
      clock.advance(PACE.siteMs)
      expect(await claimAll()).toEqual([urls[2]])
      clock.advance(PACE.siteMs)
      expect(await claimAll()).toEqual([])
      await forgetAll([...urls, other])
    })

    test('an agent whose examination came to nothing is due again, but not at once', async () => {
      const url = 'https://lost.example/mcp'
      await list(url)
      await addPublished()
      const { claimed } = await database().transact((tx) => store().claimDue(tx, PACE))
      expect(claimed?.agent_url).toBe(url)
      clock.advance(PACE.leaseMs)
      expect(await claimAll()).toEqual([])
      clock.advance(PACE.retryMs)
      expect(await claimAll()).toEqual([url])
      await forgetAll([url])
    })

    test('an agent that is no longer published is not examined, and one that no one lists is deleted', async () => {
      const [kept, gone] = ['https://kept.example/mcp', 'https://gone.example/mcp']
      for (const url of [kept, gone]) await list(url)
      await addPublished()
      await list(kept, 'private')
      await removeFromList(gone)
      expect(await claimAll()).toEqual([])
      expect(await store().get(kept)).toEqual(neverExamined(kept))
      expect(await store().get(gone)).toBeUndefined()
      await list(kept, 'public')
      expect(await addPublished()).toBe(0)
      clock.advance(PACE.unpublishedMs)
      expect(await claimAll()).toEqual([kept])
      await forgetAll([kept])
      const sites = await database().read.all('SELECT site FROM agent_compliance_sites')
      expect(sites).toEqual([])
    })

    test('only an organisation that lists an agent lists it', async () => {
      const url = 'https://listed.example/mcp'
      await list(url, 'private')
      expect(await store().isListedBy(organizationId, url)).toBe(true)
      expect(await store().isListedBy('org_other', url)).toBe(false)
      expect(await store().isListedBy(organizationId, 'https://listed.example/\u0000')).toBe(false)
    })
  },
  { clock },
)

function runOf({ agent_url, status, tracks, last_checked_at }: StoredCompliance): ComplianceRun {
  return {
    id: `run of ${agent_url} at ${last_checked_at}`,
    agent_url,
    status,
    headline: 'All passed',
    tracks,
    duration_ms: 12,
    triggered_by: 'owner',
    tested_at: last_checked_at,
  }
}
