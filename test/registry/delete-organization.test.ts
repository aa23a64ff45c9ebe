import { expect, test } from 'vitest'
import { hashApiKey } from '../../src/lib/api-key.ts'
import { deleteOrganization } from '../../src/registry/delete-organization.ts'
import { createOrganization, organizationForUser } from '../../src/registry/organizations.ts'
import type { MemberAgent, NewReference } from '../../src/registry/store.ts'
import { createReferenceStore } from '../../src/storage/stores/references/references.ts'
import { onBothStores } from '../support/databases.ts'
import { eventsAbout, registryPorts, user } from '../support/registry.ts'
import { addRow, contentOf } from '../support/tables.ts'

const AGENT: MemberAgent = {
  url: 'https://agent.example/mcp',
  type: 'sales',
  name: 'Sales',
  visibility: 'public',
  health_check_url: null,
}

const referenceOf = (contributed_by_org_id: string, n = 1): NewReference => ({
  domain: `d${n}.example`,
  manifest_type: 'brand.json',
  reference_type: 'url',
  manifest_url: `https://d${n}.example/brand.json`,
  agent_url: null,
  agent_id: null,
  contributed_by_org_id,
})

onBothStores('deleting an organisation', (database) => {
  const ports = () => ({
    ...registryPorts(database()),
    references: createReferenceStore(database()),
  })
  const create = async (name = 'Acme') => {
    const made = await createOrganization(ports(), { name })
    if (!made.ok) throw new Error(made.error)
    return { id: made.organization.organization_id, key: made.key }
  }
  const contribute = (references: readonly NewReference[]) =>
    database().transact((tx) => ports().references.add(tx, references, { verifyAt: 0 }))
  const remove = (id: string, isForced = false) => deleteOrganization(ports(), id, { isForced })

  test('one that owns nothing is deleted with its keys, and the feed reports it', async () => {
    const { id, key } = await create()
    expect(await remove(id)).toMatchObject({ status: 'deleted', ownedRows: { keys: 1 } })
    expect(await ports().organizations.byKeyHash(hashApiKey(key))).toBeUndefined()
    expect(await ports().organizations.get(id)).toBeUndefined()
    expect(await eventsAbout(ports(), id)).toMatchObject([
      { event_type: 'organization.created' },
      { event_type: 'organization.removed', actor: 'system', payload: { name: 'Acme' } },
    ])
    expect(await remove(id)).toEqual({ status: 'unknown' })
  })

  test('is refused while it has references, agents or members, and changes nothing', async () => {
    const [{ id: contributor }, { id: lister }] = [await create(), await create()]
    await contribute([referenceOf(contributor)])
    await database().transact((tx) => ports().organizations.putAgent(tx, lister, AGENT))
    const { organization } = await organizationForUser(ports(), user())
    const before = await contentOf(database())
    for (const [id, what] of [
      [contributor, 'references'],
      [lister, 'agents'],
      [organization.organization_id, 'members'],
    ] as const) {
      expect(await remove(id)).toMatchObject({ status: 'in_use', ownedRows: { [what]: 1 } })
    }
    expect(await contentOf(database())).toEqual(before)
  })

  test('by force takes all of it with an event for each, and leaves others’ and the history', async () => {
    const [{ id, key }, { id: other }] = [await create(), await create('Other')]
    const [own] = await contribute([referenceOf(id, 7), referenceOf(id, 8), referenceOf(other, 7)])
    const reference = own?.reference.id ?? ''
    await database().transact((tx) => ports().organizations.putAgent(tx, id, AGENT))
    await addRow(database(), 'reference_words', { reference_id: reference })
    await database().transact((tx) =>
      tx.run("UPDATE manifest_references SET verification_status = 'valid' WHERE id = $1", [
        reference,
      ]),
    )
    const reported = (await contentOf(database())).feed_events ?? []

    expect(await remove(id, true)).toMatchObject({
      status: 'deleted',
      ownedRows: { references: 2, valid_references: 1, agents: 1, members: 0, keys: 1 },
    })
    expect(await ports().organizations.byKeyHash(hashApiKey(key))).toBeUndefined()
    expect(await ports().organizations.agents(id)).toEqual([])
    expect(await ports().references.get(reference)).toBeUndefined()
    expect(await eventsAbout(ports(), reference)).toMatchObject([
      {
        event_type: 'manifest_ref.removed',
        actor: 'system',
        payload: {
          domain: 'd7.example',
          verification_status: 'valid',
          reason: expect.stringContaining('was deleted'),
        },
      },
    ])
    expect(await eventsAbout(ports(), AGENT.url)).toMatchObject([{ event_type: 'agent.removed' }])
    const after = await contentOf(database())
    expect(after.feed_events).toEqual(expect.arrayContaining(reported))
    expect(after.reference_words).toEqual([])
    const { references } = await ports().references.list({ limit: 10, domain: 'd7.example' })
    expect(references).toMatchObject([{ contributed_by_org_id: other }])
  })

  test('of more references than are held at a time leaves none', async () => {
    const { id } = await create()
    const many = Array.from({ length: 1_001 }, (_, n) => referenceOf(id, 1_000 + n))
    await contribute(many)
    expect(await remove(id, true)).toMatchObject({ ownedRows: { references: 1_001 } })
    const left = await database().transact((tx) => ports().references.countOf(tx, id))
    expect(left).toEqual({ references: 0, valid_references: 0 })
  })

  test('a former member creates an organisation again with the next call', async () => {
    const ada = user({ email: 'ada@anew.example' })
    const { organization: first } = await organizationForUser(ports(), ada)
    await remove(first.organization_id, true)
    const { organization: second, autoCreated } = await organizationForUser(ports(), ada)
    expect(autoCreated).toBe(true)
    expect(second.organization_id).not.toBe(first.organization_id)
    expect(second.corporate_domain).toBe('anew.example')
  })

  test('that fails on its way has deleted nothing, and notified no one', async () => {
    const { id } = await create()
    await contribute([referenceOf(id, 20)])
    const before = await contentOf(database())
    const organizations = {
      ...ports().organizations,
      remove: async () => {
        throw new Error('the last step failed')
      },
    }
    const failing = deleteOrganization({ ...ports(), organizations }, id, { isForced: true })
    await expect(failing).rejects.toThrow('the last step failed')
    expect(await contentOf(database())).toEqual(before)
  })

  test('a reference that a call under way added goes when it is deleted once more', async () => {
    const { id } = await create()
    await remove(id)
    await contribute([referenceOf(id, 30)])
    expect(await remove(id)).toMatchObject({ status: 'in_use', organization: undefined })
    expect(await remove(id, true)).toMatchObject({ status: 'deleted' })
    expect(await remove(id, true)).toEqual({ status: 'unknown' })
  })
})
