import { describe, expect, test } from 'vitest'
import { hashApiKey } from '../../src/lib/api-key.ts'
import {
  createOrAdoptOrganization,
  createOrganization,
  isOperatorMade,
  organizationForUser,
  type RegistryUser,
} from '../../src/registry/organizations.ts'
import { onBothStores } from '../support/databases.ts'
import { eventsAbout, registryPorts, user } from '../support/registry.ts'

onBothStores('organizations', (database) => {
  const ports = () => registryPorts(database())
  const post = (who: RegistryUser, input: unknown) => createOrAdoptOrganization(ports(), who, input)
  const accepted = async (who: RegistryUser, input: unknown) => {
    const answer = await post(who, input)
    if (!answer.ok) throw new Error(answer.error)
    return answer
  }

  test('an operator makes an organisation with a key that is stored hashed', async () => {
    const made = await createOrganization(ports(), { name: ' Acme ' })
    if (!made.ok) throw new Error(made.error)
    expect(made.key).toMatch(/^sk_[A-Za-z0-9_-]{43}$/)
    expect(made.organization).toMatchObject({ name: 'Acme', is_personal: false })
    expect(made.organization.organization_id).toMatch(/^org_[0-9a-f]{32}$/)
    expect(await ports().organizations.byKeyHash(hashApiKey(made.key))).toEqual(made.organization)
    expect(await eventsAbout(ports(), made.organization.organization_id)).toMatchObject([
      { event_type: 'organization.created', actor: 'system', payload: { name: 'Acme' } },
    ])
    expect(await createOrganization(ports(), { name: '' })).toMatchObject({ status: 400 })
  })

  test('one that a user named like an operator’s is still the user’s', async () => {
    const made = await createOrganization(ports(), { name: 'Operator imports' })
    expect(made.ok && isOperatorMade(made.organization)).toBe(true)
    const named = await accepted(user(), { organization_name: 'Operator imports' })
    const personal = { organization_name: 'Operator imports', is_personal: true }
    const own = await accepted(user({ email: null }), personal)
    expect([named, own].map(({ organization }) => isOperatorMade(organization))).toEqual([
      false,
      false,
    ])
  })

  describe('spec 4.5: the first call of a user', () => {
    test('makes the organisation of a company, named after its mail domain', async () => {
      const ada = user({ email: 'Ada@Northwind-media.Example' })
      const first = await organizationForUser(ports(), ada)
      expect(first).toMatchObject({
        autoCreated: true,
        organization: {
          name: 'Northwind-media',
          is_personal: false,
          corporate_domain: 'northwind-media.example',
          auto_created: true,
        },
      })
      const second = await organizationForUser(ports(), ada)
      expect(second).toEqual({ organization: first.organization, autoCreated: false })
    })

    test('joins the organisation that a colleague has made', async () => {
      const made = await organizationForUser(ports(), user({ email: 'a@shared.example' }))
      const joined = await organizationForUser(ports(), user({ email: 'b@shared.example' }))
      expect(joined).toEqual({ organization: made.organization, autoCreated: false })
      expect(await eventsAbout(ports(), made.organization.organization_id)).toHaveLength(1)
    })

    test('joins no company with an address that no one has verified', async () => {
      const made = await organizationForUser(ports(), user({ email: 'a@guarded.example' }))
      const stranger = user({ email: 'b@guarded.example', emailVerified: false })
      const { organization } = await organizationForUser(ports(), stranger)
      expect(organization.organization_id).not.toBe(made.organization.organization_id)
      expect(organization).toMatchObject({ is_personal: true, corporate_domain: null })
    })

    test.each([
      [{ email: 'ada@gmail.com', name: 'Ada Lovelace' }, "Ada Lovelace's Workspace"],
      [{ email: 'ada@yahoo.co.jp', name: null }, 'Personal Workspace'],
      [{ email: null, name: '   ' }, 'Personal Workspace'],
      [{ email: null, name: 'x'.repeat(195) }, 'Personal Workspace'],
      [{ email: 'ada@[127.0.0.1]', name: null }, 'Personal Workspace'],
      [{ email: 'ada@localhost', name: null }, 'Personal Workspace'],
      [{ email: 'a@b@c.example', name: null }, 'Personal Workspace'],
    ])('makes a personal one for %j', async (overrides, name) => {
      const { organization } = await organizationForUser(ports(), user(overrides))
      expect(organization).toMatchObject({ name, is_personal: true, corporate_domain: null })
    })

    test('is reported to the feed without an address and without a person', async () => {
      const ada = user({ email: 'ada.secret@gmail.com', name: 'Ada Lovelace' })
      const { organization } = await organizationForUser(ports(), ada)
      const events = await eventsAbout(ports(), organization.organization_id)
      expect(events).toMatchObject([
        { event_type: 'organization.created', actor: `user:${ada.userId}` },
      ])
      expect(JSON.stringify(events[0]?.payload)).not.toMatch(/secret|Lovelace/)
    })

    test('makes one organisation when twenty come at once', async () => {
      const ada = user()
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => organizationForUser(ports(), ada)),
      )
      const ids = new Set(answers.map(({ organization }) => organization.organization_id))
      expect(ids.size).toBe(1)
      expect(answers.filter(({ autoCreated }) => autoCreated)).toHaveLength(1)
      expect(await eventsAbout(ports(), [...ids][0] as string)).toHaveLength(1)
    })

    test('makes one organisation when twenty colleagues come at once', async () => {
      const colleagues = Array.from({ length: 20 }, () => user({ email: 'x@crowd.example' }))
      const answers = await Promise.all(
        colleagues.map((colleague) => organizationForUser(ports(), colleague)),
      )
      expect(new Set(answers.map((answer) => answer.organization.organization_id)).size).toBe(1)
      expect(answers.filter(({ autoCreated }) => autoCreated)).toHaveLength(1)
    })
  })

  describe('spec 4.5: POST /api/organizations', () => {
    test('makes the organisation of a user who has none', async () => {
      const ada = user({ email: 'ada@fresh.example' })
      const { organization, adopted } = await accepted(ada, {
        organization_name: 'Fresh & Co',
        company_type: 'agency',
        revenue_tier: '5m_50m',
        marketing_opt_in: true,
        corporate_domain: 'victim.example',
        membership_tier: 'gold',
      })
      expect(adopted).toBe(false)
      expect(organization).toMatchObject({
        name: 'Fresh & Co',
        company_type: 'agency',
        revenue_tier: '5m_50m',
        marketing_opt_in: true,
        corporate_domain: 'fresh.example',
        auto_created: false,
      })
      expect((await organizationForUser(ports(), ada)).organization).toEqual(organization)
      const events = await eventsAbout(ports(), organization.organization_id)
      expect(events.map((event) => event.event_type)).toEqual(['organization.created'])
    })

    test('overrides what was derived at the first call, and nothing that was not said', async () => {
      const ada = user()
      const { organization: derived } = await organizationForUser(ports(), ada)
      const { organization, adopted } = await accepted(ada, {
        organization_name: 'Given',
        company_type: 'publisher',
      })
      expect(adopted).toBe(true)
      expect(organization).toEqual({
        ...derived,
        name: 'Given',
        company_type: 'publisher',
        auto_created: false,
      })
      expect((await eventsAbout(ports(), derived.organization_id)).at(-1)).toMatchObject({
        event_type: 'organization.updated',
        actor: `user:${ada.userId}`,
        payload: { name: 'Given', changed_fields: ['name', 'company_type'] },
      })
    })

    test('said twice, answers the same and changes nothing', async () => {
      const ada = user()
      const input = { organization_name: 'Twice', company_type: 'ai' }
      const first = await accepted(ada, input)
      const second = await accepted(ada, input)
      expect(second).toEqual({ ...first, adopted: true })
      expect(await eventsAbout(ports(), first.organization.organization_id)).toHaveLength(1)
    })

    test('is refused when the organisation was given its name before', async () => {
      const ada = user()
      const { organization } = await accepted(ada, { organization_name: 'Named' })
      expect(await post(ada, { organization_name: 'Renamed' })).toEqual({
        ok: false,
        status: 409,
        error: 'Organization exists',
        details: { existing_org_id: organization.organization_id, existing_org_name: 'Named' },
      })
      const personal = user({ email: null })
      await accepted(personal, { organization_name: 'Mine', is_personal: true })
      expect(
        await post(personal, { organization_name: 'Mine too', is_personal: true }),
      ).toMatchObject({ status: 409, error: 'Personal workspace exists' })
    })

    test('is refused when the mail domain has an organisation the user is not in', async () => {
      const { organization } = await organizationForUser(ports(), user({ email: 'a@held.example' }))
      const late = user({ email: 'b@held.example' })
      expect(await post(late, { organization_name: 'Mine' })).toMatchObject({
        status: 409,
        details: { existing_org_id: organization.organization_id, existing_org_name: 'Held' },
      })
      expect(await ports().organizations.organizationOf(late.userId)).toBeUndefined()
    })

    test('needs a verified company address for an organisation that is not personal', async () => {
      const body = { organization_name: 'Acme' }
      const unverified = user({ email: 'a@unproven.example', emailVerified: false })
      for (const who of [user({ email: 'ada@gmail.com' }), user({ email: null }), unverified]) {
        expect(await post(who, body)).toMatchObject({ status: 400 })
        expect(await accepted(who, { ...body, is_personal: true })).toMatchObject({
          organization: { is_personal: true, corporate_domain: null },
        })
      }
    })

    test('names a personal workspace that a first call made', async () => {
      const ada = user({ email: 'ada@gmail.com' })
      await organizationForUser(ports(), ada)
      expect(await accepted(ada, { organization_name: 'Studio' })).toMatchObject({
        adopted: true,
        organization: { name: 'Studio', is_personal: true },
      })
    })

    test('turns a personal workspace into a company once the address is verified', async () => {
      const ada = user({ email: 'ada@grown.example', emailVerified: false })
      await organizationForUser(ports(), ada)
      const body = { organization_name: 'Grown', is_personal: false }
      expect(await post(ada, body)).toMatchObject({ status: 400 })
      expect(await accepted({ ...ada, emailVerified: true }, body)).toMatchObject({
        adopted: true,
        organization: { is_personal: false, corporate_domain: 'grown.example' },
      })
    })

    test('does not make a company personal', async () => {
      const ada = user()
      const { organization } = await organizationForUser(ports(), ada)
      expect(await post(ada, { organization_name: 'Mine', is_personal: true })).toMatchObject({
        status: 409,
      })
      expect(await ports().organizations.get(organization.organization_id)).toEqual(organization)
    })

    test('of two colleagues who name one organisation at once, one succeeds', async () => {
      const [ada, bob] = [user({ email: 'a@duel.example' }), user({ email: 'b@duel.example' })]
      await organizationForUser(ports(), ada)
      await organizationForUser(ports(), bob)
      const answers = await Promise.all([
        post(ada, { organization_name: 'By Ada' }),
        post(bob, { organization_name: 'By Bob' }),
      ])
      expect(answers.filter((answer) => answer.ok)).toHaveLength(1)
    })

    test.each([
      [undefined, 'JSON object'],
      [[], 'JSON object'],
      [{}, 'organization_name'],
      [{ organization_name: '' }, 'organization_name'],
      [{ organization_name: 'x'.repeat(201) }, '1 to 200'],
      [{ organization_name: 'a\u0000' }, 'control characters'],
      [{ organization_name: 7 }, 'organization_name'],
      [{ organization_name: 'A', company_type: 'bank' }, 'adtech, agency'],
      [{ organization_name: 'A', revenue_tier: 'lots' }, 'under_1m'],
      [{ organization_name: 'A', is_personal: 'yes' }, 'is_personal'],
      [{ organization_name: 'A', marketing_opt_in: 1 }, 'marketing_opt_in'],
    ])('refuses %j', async (input, part) => {
      const ada = user()
      expect(await post(ada, input)).toMatchObject({
        status: 400,
        error: expect.stringContaining(part),
      })
      expect(await ports().organizations.organizationOf(ada.userId)).toBeUndefined()
    })
  })
})
