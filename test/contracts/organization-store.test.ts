import { expect, test } from 'vitest'
import type { MemberAgent, Organization } from '../../src/registry/store.ts'
import type { SqlTransaction } from '../../src/storage/sql/database.ts'
import { createOrganizationStore } from '../../src/storage/stores/organizations/organizations.ts'
import { onBothStores } from '../support/databases.ts'

let made = 0

function organization(overrides: Partial<Organization> = {}): Organization {
  made += 1
  return {
    organization_id: `org_${String(made).padStart(4, '0')}`,
    name: `Acme ${made}`,
    is_personal: false,
    company_type: 'agency',
    revenue_tier: '1m_5m',
    marketing_opt_in: true,
    corporate_domain: null,
    auto_created: false,
    ...overrides,
  }
}

function agent(overrides: Partial<MemberAgent> = {}): MemberAgent {
  return {
    url: 'https://agent.example/mcp',
    type: 'sales',
    name: 'Sales',
    visibility: 'private',
    health_check_url: null,
    ...overrides,
  }
}

onBothStores('organization store', (database) => {
  const store = () => createOrganizationStore(database())
  const transact = <T>(work: (tx: SqlTransaction) => Promise<T>) => database().transact(work)
  const add = async (overrides: Partial<Organization> = {}) => {
    const one = organization(overrides)
    await transact((tx) => store().add(tx, one))
    return one
  }

  test('an organisation is found by its id, as it was added', async () => {
    const one = await add()
    expect(await store().get(one.organization_id)).toEqual(one)
    const blank = await add({ company_type: null, revenue_tier: null, marketing_opt_in: false })
    expect(await store().get(blank.organization_id)).toEqual(blank)
    expect(await store().get('org_unknown')).toBeUndefined()
  })

  test('an update replaces all that may change', async () => {
    const one = await add({ auto_created: true, is_personal: true })
    const changed: Organization = {
      ...one,
      name: 'Other',
      is_personal: false,
      company_type: null,
      revenue_tier: null,
      marketing_opt_in: false,
      corporate_domain: 'changed.example',
      auto_created: false,
    }
    await transact((tx) => store().update(tx, changed))
    expect(await store().get(one.organization_id)).toEqual(changed)
  })

  test('the list holds them all', async () => {
    const one = await add()
    expect(await store().list()).toContainEqual(one)
  })

  test('an organisation is found by its mail domain, and a domain has one', async () => {
    const one = await add({ corporate_domain: 'acme.example' })
    expect(await transact((tx) => store().byCorporateDomain(tx, 'acme.example'))).toEqual(one)
    expect(await transact((tx) => store().byCorporateDomain(tx, 'other.example'))).toBeUndefined()
    await expect(add({ corporate_domain: 'acme.example' })).rejects.toThrow()
  })

  test('an organisation is found by the hash of its key until the key is revoked', async () => {
    const one = await add()
    await transact((tx) =>
      store().addKey(tx, one.organization_id, { keyHash: 'org-hash', hint: 'sk_12345' }),
    )
    expect(await store().byKeyHash('org-hash')).toEqual(one)
    expect(await store().byKeyHash('other-hash')).toBeUndefined()

    await transact((tx) => tx.run("UPDATE api_keys SET revoked_at = 1 WHERE key_hash = 'org-hash'"))
    expect(await store().byKeyHash('org-hash')).toBeUndefined()
  })

  test('a member is found with the organisation, inside a transaction and after it', async () => {
    const one = await add()
    await transact(async (tx) => {
      expect(await store().lockMembership(tx, 'user-1')).toBeUndefined()
      await store().addMember(tx, {
        userId: 'user-1',
        organizationId: one.organization_id,
        email: null,
      })
      expect(await store().lockMembership(tx, 'user-1')).toEqual(one)
    })
    expect(await store().organizationOf('user-1')).toEqual(one)
    expect(await store().organizationOf('user-2')).toBeUndefined()
  })

  test('of many who lock one unknown member at once, only the first finds none', async () => {
    const one = await add()
    // Opens the connections first: otherwise the first caller is done before the others arrive.
    await Promise.all(Array.from({ length: 20 }, () => transact((tx) => tx.now())))
    const found = await Promise.all(
      Array.from({ length: 20 }, () =>
        transact(async (tx) => {
          const known = await store().lockMembership(tx, 'user-contended')
          if (known) return true
          await store().addMember(tx, {
            userId: 'user-contended',
            organizationId: one.organization_id,
            email: null,
          })
          return false
        }),
      ),
    )
    expect(found.filter((known) => !known)).toHaveLength(1)
  })

  test('of many concurrent requests for one free domain, only the first finds it free', async () => {
    const found = await Promise.all(
      Array.from({ length: 20 }, () =>
        transact(async (tx) => {
          const taken = await store().byCorporateDomain(tx, 'contended.example')
          if (taken) return true
          await store().add(tx, organization({ corporate_domain: 'contended.example' }))
          return false
        }),
      ),
    )
    expect(found.filter((taken) => !taken)).toHaveLength(1)
  })

  test('agents are kept for each organisation, one to a URL, in the order of URLs', async () => {
    const [one, other] = [await add(), await add()]
    const put = (id: string, it: MemberAgent) => transact((tx) => store().putAgent(tx, id, it))
    await put(one.organization_id, agent({ url: 'https://b.example' }))
    await put(one.organization_id, agent({ url: 'https://a.example' }))
    await put(other.organization_id, agent({ url: 'https://a.example', name: null }))
    const changed = agent({
      url: 'https://a.example',
      type: 'signals',
      name: null,
      visibility: 'public',
      health_check_url: 'https://a.example/health',
    })
    await put(one.organization_id, changed)

    expect(await store().agents(one.organization_id)).toEqual([
      changed,
      agent({ url: 'https://b.example' }),
    ])
    expect(await store().agents(other.organization_id)).toHaveLength(1)
  })

  test('a removed agent is gone, and removing it again is no fault', async () => {
    const one = await add()
    await transact((tx) => store().putAgent(tx, one.organization_id, agent()))
    const remove = () => transact((tx) => store().removeAgent(tx, one.organization_id, agent().url))
    await remove()
    await remove()
    expect(await store().agents(one.organization_id)).toEqual([])
  })

  test('of many who lock the agents of one organisation, each sees what those before wrote', async () => {
    const one = await add()
    const seen = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        transact(async (tx) => {
          const listed = await store().lockAgents(tx, one.organization_id)
          const url = `https://agent-${index}.example`
          await store().putAgent(tx, one.organization_id, agent({ url }))
          return listed.length
        }),
      ),
    )
    expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, index) => index))
  })
})
