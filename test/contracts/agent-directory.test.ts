import { expect, test } from 'vitest'
import type { DirectoryReader } from '../../src/registry/directory/store.ts'
import type { MemberAgent } from '../../src/registry/store.ts'
import { createAgentDirectory } from '../../src/storage/stores/organizations/agent-directory.ts'
import { createOrganizationStore } from '../../src/storage/stores/organizations/organizations.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'

const clock = fakeClock()
const EVERYBODY: DirectoryReader = { isMember: false }
const MEMBER: DirectoryReader = { isMember: true }

onBothStores(
  'the directory of agents',
  (database) => {
    const directory = () => createAgentDirectory(database())
    const organizations = () => createOrganizationStore(database())
    const put = (organizationId: string, agent: Partial<MemberAgent> & { url: string }) =>
      database().transact((tx) =>
        organizations().putAgent(tx, organizationId, {
          type: 'sales',
          name: null,
          visibility: 'public',
          health_check_url: null,
          ...agent,
        }),
      )
    const add = (organization_id: string, isPersonal = false) =>
      database().transact((tx) =>
        organizations().add(tx, {
          organization_id,
          name: `Name of ${organization_id}`,
          is_personal: isPersonal,
          company_type: null,
          revenue_tier: null,
          marketing_opt_in: false,
          corporate_domain: null,
          auto_created: false,
        }),
      )
    const urls = async (reader: DirectoryReader, page: object = {}) =>
      (await directory().page(reader, { limit: 100, ...page })).map(({ url }) => url)

    test('each reader sees what is listed for it, page by page, in the order of the URLs', async () => {
      await add('org_a')
      await add('org_b', true)
      await put('org_a', { url: 'https://c.example/mcp', name: 'C', type: 'creative' })
      const at = new Date(clock.now()).toISOString()
      clock.advance(1_000)
      await put('org_b', { url: 'https://a.example/mcp' })
      await put('org_b', { url: 'https://b.example/mcp', visibility: 'members_only' })
      await put('org_b', { url: 'https://d.example/mcp', visibility: 'private' })

      expect(await directory().page(EVERYBODY, { limit: 2 })).toEqual([
        {
          url: 'https://a.example/mcp',
          type: 'sales',
          name: null,
          listed_by: null,
          created_at: new Date(clock.now()).toISOString(),
          updated_at: new Date(clock.now()).toISOString(),
        },
        {
          url: 'https://c.example/mcp',
          type: 'creative',
          name: 'C',
          listed_by: 'Name of org_a',
          created_at: at,
          updated_at: at,
        },
      ])
      expect(await urls(MEMBER)).toEqual([
        'https://a.example/mcp',
        'https://b.example/mcp',
        'https://c.example/mcp',
      ])
      const owner = { isMember: true, organizationId: 'org_b' }
      expect(await urls(owner, { after: 'https://a.example/mcp' })).toEqual([
        'https://b.example/mcp',
        'https://c.example/mcp',
        'https://d.example/mcp',
      ])
      expect(await urls(owner, { after: 'https://c.example/mcp', limit: 1 })).toEqual([
        'https://d.example/mcp',
      ])
      expect(await urls(MEMBER, { type: 'creative' })).toEqual(['https://c.example/mcp'])
      expect(await urls({ isMember: true, organizationId: 'org_a' })).toHaveLength(3)

      const d = 'https://d.example/mcp'
      expect(await directory().get(owner, d)).toMatchObject({ url: d })
      expect(await directory().get(MEMBER, d)).toBeUndefined()
      expect(await directory().get(EVERYBODY, 'https://b.example/mcp')).toBeUndefined()
      expect(await directory().get(EVERYBODY, 'https://a.example/\0')).toBeUndefined()
    })

    test('a URL that several list is read once, as the first of them listed it', async () => {
      const url = 'https://shared.example/mcp'
      await add('org_late')
      await add('org_early')
      await put('org_early', { url, name: 'Own', visibility: 'members_only' })
      clock.advance(1_000)
      await put('org_late', { url, name: 'Squatter', type: 'creative' })
      expect(await directory().get(MEMBER, url)).toMatchObject({ name: 'Own' })
      expect((await urls(MEMBER)).filter((one) => one === url)).toHaveLength(1)
      expect(await urls(MEMBER, { type: 'creative' })).not.toContain(url)
      expect(await directory().get(EVERYBODY, url)).toMatchObject({ name: 'Squatter' })
      const squatter = { isMember: true, organizationId: 'org_late' }
      await put('org_late', { url, name: 'Squatter', visibility: 'private' })
      expect(await directory().get(squatter, url)).toMatchObject({ name: 'Own' })
    })
  },
  { clock },
)
