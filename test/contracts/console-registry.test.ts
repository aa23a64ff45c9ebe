import { beforeEach, expect, test } from 'vitest'
import type { NewFeedEvent } from '../../src/registry/feed.ts'
import { createRegistryQueries } from '../../src/storage/stores/console/registry.ts'
import { createOrganizationStore } from '../../src/storage/stores/organizations/organizations.ts'
import { createFeedStore } from '../../src/storage/stores/references/feed.ts'
import { createReferenceStore } from '../../src/storage/stores/references/references.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'

const clock = fakeClock()

onBothStores(
  'the registry as the console asks for it',
  (database) => {
    const queries = () => createRegistryQueries(database())
    const references = () => createReferenceStore(database())
    const transact: ReturnType<typeof database>['transact'] = (work) => database().transact(work)
    beforeEach(async () => {
      for (const table of ['feed_events', 'manifest_references']) {
        await transact((tx) => tx.run(`DELETE FROM ${table}`))
      }
    })

    const addReference = async (domain: string) => {
      const [added] = await transact((tx) =>
        references().add(
          tx,
          [
            {
              domain,
              manifest_type: 'brand.json',
              reference_type: 'url',
              manifest_url: `https://${domain}/b.json`,
              agent_url: null,
              agent_id: null,
              contributed_by_org_id: 'org_x',
            },
          ],
          { verifyAt: 5 },
        ),
      )
      return added?.reference.id ?? ''
    }
    const event = (entity_type: NewFeedEvent['entity_type'], payload: object): NewFeedEvent => ({
      event_type: 'manifest_ref.created',
      entity_type,
      entity_id: 'x',
      payload: { ...payload },
      actor: 'system',
      visibleTo: 'org_other',
    })

    test('the feed is read from its end, regardless of who may read it, by domain and kind, page by page', async () => {
      const feed = createFeedStore(database())
      await transact((tx) =>
        feed.append(tx, [
          event('manifest_ref', { domain: 'a.example', n: 1, odd: 'zero \u0000 byte' }),
          event('agent', { n: 2 }),
          event('manifest_ref', { domain: 'b.example', n: 3 }),
          event('manifest_ref', { domain: 'a.example', n: 4 }),
        ]),
      )
      const numbers = async (filter: object) => {
        const { events, next } = await queries().feed({ limit: 9, ...filter })
        return [events.map(({ payload }) => payload.n), next !== undefined]
      }
      expect(await numbers({})).toEqual([[4, 3, 2, 1], false])
      expect(await numbers({ domain: 'a.example' })).toEqual([[4, 1], false])
      expect(await numbers({ entity_type: 'agent' })).toEqual([[2], false])
      expect(await numbers({ domain: 'a.example', entity_type: 'agent' })).toEqual([[], false])
      const first = await queries().feed({ limit: 3 })
      expect(first.events.map(({ payload }) => payload.n)).toEqual([4, 3, 2])
      expect(await numbers({ after: first.next })).toEqual([[1], false])
    })

    test('a reference that is to be verified first says so', async () => {
      const id = await addReference('facts.example')
      expect((await queries().facts([id, 'none'])).get(id)).toEqual({
        next_verification_at: 5,
        lease_until: 0,
        failures: 0,
        is_proof_asked: false,
      })
      await transact((tx) => references().requestVerification(tx, id))
      await transact((tx) => references().askProof(tx, id))
      expect((await queries().facts([id])).get(id)).toMatchObject({
        next_verification_at: 0,
        is_proof_asked: true,
      })
    })

    test('references are found by what their domain begins with, page by page', async () => {
      for (const domain of ['acme.example', 'acme-shop.example', 'acne.example', 'b.example']) {
        await addReference(domain)
      }
      const found = async (filter: object) => {
        const page = await references().list({ limit: 9, ...filter })
        return { domains: page.references.map(({ domain }) => domain), ...page }
      }
      const all = await found({ prefix: 'acme' })
      expect([all.domains, all.total]).toEqual([['acme-shop.example', 'acme.example'], 2])
      const first = await found({ prefix: 'ac', limit: 2 })
      const second = await found({ prefix: 'ac', limit: 2, cursor: first.cursor })
      expect([...first.domains, ...second.domains]).toEqual([
        'acme-shop.example',
        'acme.example',
        'acne.example',
      ])
      expect(second.cursor).toBeNull()
      expect((await found({ prefix: 'acme', verification_status: 'valid' })).domains).toEqual([])
    })

    test('the organisation of a mail domain comes with the agents that it lists', async () => {
      const organizations = createOrganizationStore(database())
      const organization_id = `org_${clock.now()}_${database().dialect}`
      const agent = {
        url: 'https://agent.mail.example/mcp',
        type: 'creative',
        name: null,
        visibility: 'private' as const,
        health_check_url: null,
      }
      await transact(async (tx) => {
        await organizations.add(tx, {
          organization_id,
          name: 'Mail',
          is_personal: false,
          company_type: null,
          revenue_tier: null,
          marketing_opt_in: false,
          auto_created: true,
          corporate_domain: 'mail.example',
        })
        await organizations.putAgent(tx, organization_id, agent)
      })
      expect(await queries().organizationOf('mail.example')).toEqual({
        organization_id,
        name: 'Mail',
        agents: [agent],
      })
      expect(await queries().organizationOf('none.example')).toBeUndefined()
      expect(await queries().names([organization_id, 'org_none'])).toEqual(
        new Map([[organization_id, 'Mail']]),
      )
    })
  },
  { clock },
)
