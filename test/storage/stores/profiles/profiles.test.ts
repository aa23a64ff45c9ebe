import { beforeAll, expect, test } from 'vitest'
import type { DirectoryReader } from '../../../../src/registry/directory/store.ts'
import { createOrganization } from '../../../../src/registry/organizations.ts'
import {
  type AgentProfile,
  addPublisher,
  emptyInventory,
  profileOf,
} from '../../../../src/registry/profiles/profile.ts'
import type { ProfileQuery } from '../../../../src/registry/profiles/store.ts'
import { createProfileStore } from '../../../../src/storage/stores/profiles/profiles.ts'
import { onBothStores } from '../../../support/databases.ts'
import { fakeClock } from '../../../support/fake-clock.ts'
import { registryPorts } from '../../../support/registry.ts'

const clock = fakeClock()
const LEASE_MS = 60_000
const ANYBODY: DirectoryReader = { isMember: false }

onBothStores(
  'profiles of agents',
  (database, _store, another) => {
    let organizationId: string
    beforeAll(async () => {
      const made = await createOrganization(registryPorts(database()), { name: 'Acme' })
      if (!made.ok) throw new Error(made.error)
      organizationId = made.organization.organization_id
    })

    const store = () => createProfileStore(database())
    const mark = (...urls: string[]) => database().transact((tx) => store().mark(tx, urls))
    const takeMarks = (limit = 100) => database().transact((tx) => store().takeMarks(tx, limit))
    const claim = () => database().transact((tx) => store().claim(tx, LEASE_MS))
    const put = (profile: AgentProfile, dueAt?: number, notBefore = 0) =>
      database().transact((tx) => store().put(tx, profile, { dueAt, notBefore }))
    /** An agent with a profile that is up to date. */
    const known = async (url: string, types: readonly string[], tags: string[] = []) => {
      await mark(url)
      await takeMarks()
      const inventory = emptyInventory()
      const properties = types.map((property_type, n) => ({
        property_id: `p${n}`,
        property_type,
        tags,
      }))
      if (types.length > 0) {
        addPublisher(inventory, 'publisher.example', { countries: ['DE'], properties })
      }
      const profile = profileOf(url, inventory, clock.now())
      await put(profile)
      return profile
    }
    const list = (url: string, visibility: 'public' | 'members_only' | 'private') =>
      database().transact((tx) =>
        registryPorts(database()).organizations.putAgent(tx, organizationId, {
          url,
          type: 'sales',
          name: 'Listed',
          visibility,
          health_check_url: null,
        }),
      )
    const search = async (query: Partial<ProfileQuery>) => {
      const { found } = await store().search({ reader: ANYBODY, lists: {}, limit: 100, ...query })
      return found.map(({ profile }) => profile.agent_url)
    }

    test('a marked agent is claimed once, by one, and again when its lease has ended', async () => {
      const url = 'https://marked.example/mcp'
      await mark(url, url)
      expect(await claim()).toBeUndefined()
      expect(await takeMarks(1)).toBe(1)
      expect(await takeMarks()).toBe(1)
      expect(await takeMarks()).toBe(0)
      const first = await claim()
      expect(first).toEqual({ agent_url: url, mark: 2 })
      const elsewhere = another()
      try {
        const other = createProfileStore(elsewhere)
        expect(await elsewhere.transact((tx) => other.claim(tx, LEASE_MS))).toBeUndefined()
      } finally {
        await elsewhere.close()
      }
      clock.advance(LEASE_MS)
      expect(await claim()).toEqual(first)
      await put(profileOf(url, emptyInventory(), clock.now()))
    })

    test('what was marked again while it was computed is not locked, and released for the next', async () => {
      const url = 'https://again.example/mcp'
      await mark(url)
      await takeMarks()
      const claimed = await claim()
      if (!claimed) throw new Error('nothing was claimed')
      const locked = () => database().transact((tx) => store().lock(tx, claimed))
      expect(await locked()).toMatchObject({ agent_url: url, publisher_count: 0 })
      await mark(url)
      await takeMarks()
      expect(await locked()).toBeUndefined()
      await database().transact((tx) => store().release(tx, url))
      expect(await claim()).toEqual({ agent_url: url, mark: claimed.mark + 1 })
      await put(profileOf(url, emptyInventory(), clock.now()))
      expect(await claim()).toBeUndefined()
    })

    test('a profile is due again when an authorization begins or ends, and not before its pause', async () => {
      const profile = await known('https://due.example/mcp', ['website'])
      const dueAt = clock.now() + 10_000
      await put(profile, dueAt, dueAt + 5_000)
      clock.advance(10_000)
      expect(await claim()).toBeUndefined()
      clock.advance(5_000)
      expect(await claim()).toMatchObject({ agent_url: profile.agent_url })
      await put(profile)
    })

    test('what is stored is what was computed', async () => {
      const profile = await known('https://stored.example/mcp', ['website', 'ctv_app'], ['news'])
      expect(await store().some([profile.agent_url, 'https://unknown.example/'])).toEqual(
        new Map([[profile.agent_url, profile]]),
      )
    })

    test('spec 4.5: a search is in the order of rank, then of URL, and pages follow it', async () => {
      const tag = ['ordered']
      const urls = ['a', 'b', 'c'].map((name) => `https://${name}.order.example/mcp`)
      await known(urls[0] as string, ['website'], tag)
      await known(urls[1] as string, ['website'], tag)
      await known(urls[2] as string, ['website', 'ctv_app'], tag)
      const lists = { tags: tag }
      expect(await search({ lists })).toEqual([urls[2], urls[0], urls[1]])
      const { found } = await store().search({ reader: ANYBODY, lists, limit: 2 })
      const last = found.at(-1)?.profile
      if (!last) throw new Error('nothing was found')
      expect(await search({ lists, after: last })).toEqual([urls[1]])
      expect(await search({ lists: { ...lists, channels: ['ctv', 'audio'] } })).toEqual([urls[2]])
      expect(await search({ lists, min_properties: 2 })).toEqual([urls[2]])
      expect(await search({ lists: { ...lists, markets: ['FR'] } })).toEqual([])
      expect(await search({ lists, type: 'sales' })).toEqual([])
      expect(await search({ lists, type: 'unknown', has_tmp: false })).toHaveLength(3)
    })

    test('spec 4.5: an agent that no publisher authorizes is found by those who see it listed', async () => {
      const site = 'listed.example'
      const [everybody, members, own] = ['public', 'members_only', 'private'].map(
        (visibility) => `https://${visibility.replace('_', '-')}.${site}/mcp`,
      ) as [string, string, string]
      await known(`https://nobody.${site}/mcp`, [])
      await list(everybody, 'public')
      await list(members, 'members_only')
      await list(own, 'private')
      const seen = async (reader: DirectoryReader) => {
        const found = await store().ofSite(reader, site, 10)
        const urls = found.map(({ profile }) => profile.agent_url)
        const searched = await search({ reader, type: 'sales' })
        expect(searched.filter((url) => url.includes(`.${site}/`))).toEqual(urls)
        return urls
      }
      expect(await seen(ANYBODY)).toEqual([everybody])
      expect(await seen({ isMember: true })).toEqual([members, everybody])
      expect(await seen({ isMember: true, organizationId })).toEqual([members, own, everybody])
      const [first] = await store().ofSite(ANYBODY, site, 10)
      expect(first?.listing).toEqual({ type: 'sales', name: 'Listed', updated_at: clock.now() })
      const listing = (url: string) => database().transact((tx) => store().listing(tx, url))
      expect(await listing(everybody)).toEqual({ type: 'sales', name: 'Listed' })
      expect(await listing(members)).toBeUndefined()
    })
  },
  { clock },
)
