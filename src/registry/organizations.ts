// Which organisation a user belongs to, and how organisations are created (spec 4.5): by an operator, by a user's
// first call, or explicitly by the user. Each change and its feed event are one transaction.

import { createApiKey } from '../lib/api-key.ts'
import { type ApiKeyStore, type OwnerKeys, ownerKeys } from '../lib/api-keys.ts'
import { defined } from '../lib/defined.ts'
import { MAX_NAME_CHARS, NAME_RULE, parseName } from '../lib/display-name.ts'
import type { Transact, Transaction } from '../lib/transaction.ts'
import { uuid7 } from '../lib/uuid7.ts'
import type { NewFeedEvent } from './feed.ts'
import { corporateDomainOf } from './mail-domain.ts'
import { type OrganizationInput, parseOrganization } from './parse-organization.ts'
import { type Refusal, refuse } from './refusal.ts'
import type { FeedStore, Organization, OrganizationStore } from './store.ts'

export interface OrganizationPorts {
  transact: Transact
  organizations: OrganizationStore
  feed: FeedStore
}

/** A person, as the identity provider describes them. */
export interface RegistryUser {
  userId: string
  email: string | null
  emailVerified: boolean
  name: string | null
}

/** Creates an organisation for an operator. The key appears in the response and nowhere else. */
export async function createOrganization(
  ports: OrganizationPorts,
  input: { name: string },
): Promise<{ ok: true; organization: Organization; key: string } | Refusal> {
  const name = parseName(input.name)
  if (name === undefined) return refuse(400, `an organization's name is ${NAME_RULE}`)

  const { key, ...stored } = createApiKey(KEY_PREFIX)
  const organization = await ports.transact(async (tx) => {
    const added = await addOrganization(
      { tx, ports },
      { ...BLANK, name, auto_created: false },
      'system',
    )
    await ports.organizations.addKey(tx, added.organization_id, stored)
    return added
  })
  return { ok: true, organization, key }
}

/** Renames an organisation, for an operator. */
export async function renameOrganization(
  ports: OrganizationPorts,
  organizationId: string,
  givenName: string,
): Promise<{ ok: true } | Refusal> {
  const name = parseName(givenName)
  if (name === undefined) return refuse(400, `an organization's name is ${NAME_RULE}`)
  return ports.transact(async (tx) => {
    // Locks its row, so that concurrent changes are not overwritten.
    await ports.organizations.lockAgents(tx, organizationId)
    const current = await ports.organizations.get(organizationId)
    if (!current) {
      return refuse(
        404,
        `no organisation ${organizationId}: list the organisations with adwire orgs list`,
      )
    }
    const named = { ...current, name }
    const changed = changedFields(current, named)
    if (changed.length === 0) return { ok: true }
    await ports.organizations.update(tx, named)
    const event = { actor: 'system', changed }
    await ports.feed.append(tx, [organizationEvent('organization.updated', named, event)])
    return { ok: true }
  })
}

/** The keys of organisations. */
export function organizationKeys(
  ports: Pick<OrganizationPorts, 'transact'> & {
    apiKeys: ApiKeyStore
    organizations: Pick<OrganizationStore, 'get'>
  },
): OwnerKeys {
  return ownerKeys({
    ...ports,
    kind: 'organization',
    prefix: KEY_PREFIX,
    faultOf: async (id) =>
      (await ports.organizations.get(id))
        ? undefined
        : `no organisation ${id}: list the organisations with adwire orgs list`,
  })
}

const KEY_PREFIX = 'sk_'

/**
 * Whether an operator created it. Users may choose any name for theirs, so the name alone does not identify an
 * operator's organisation when it is to receive the operator's own references: users' organisations have a mail
 * domain, or are personal.
 */
export function isOperatorMade({ is_personal, corporate_domain }: Organization): boolean {
  return !is_personal && corporate_domain === null
}

/**
 * The user's organisation; created, or joined by its mail domain, on the user's first call. `autoCreated` is true if
 * this very call created it.
 */
export async function organizationForUser(
  ports: OrganizationPorts,
  user: RegistryUser,
): Promise<{ organization: Organization; autoCreated: boolean }> {
  const organization = await ports.organizations.organizationOf(user.userId)
  if (organization) return { organization, autoCreated: false }
  return ports.transact((tx) => organizationWithin(tx, ports, user))
}

/** Like organizationForUser, as part of a larger change. */
export async function organizationWithin(
  tx: Transaction,
  ports: OrganizationPorts,
  user: RegistryUser,
): Promise<{ organization: Organization; autoCreated: boolean }> {
  const known = await ports.organizations.lockMembership(tx, user.userId)
  if (known) return { organization: known, autoCreated: false }

  const domain = corporateDomainOf(user)
  const shared = domain ? await ports.organizations.byCorporateDomain(tx, domain) : undefined
  const organization =
    shared ?? (await addOrganization({ tx, ports }, derivedFrom(user, domain), actorOf(user)))
  await join({ tx, ports, user }, organization)
  return { organization, autoCreated: !shared }
}

export type OrganizationAnswer =
  | { ok: true; organization: Organization; adopted: boolean }
  | Refusal

/**
 * `POST /api/organizations`: creates the user's organisation, or overrides the derived values of the one that a
 * first call created. Values that were set explicitly once stay; sending the same values again succeeds, so that a
 * client can retry after a lost response.
 */
export async function createOrAdoptOrganization(
  ports: OrganizationPorts,
  user: RegistryUser,
  input: unknown,
): Promise<OrganizationAnswer> {
  const parsed = parseOrganization(input)
  if (!parsed.ok) return parsed
  return ports.transact(async (tx) => {
    const current = await ports.organizations.lockMembership(tx, user.userId)
    const change = { tx, ports, user }
    return current ? adopt(change, current, parsed.wanted) : found(change, parsed.wanted)
  })
}

/** What the steps of one change share. */
interface Change {
  tx: Transaction
  ports: OrganizationPorts
  user: RegistryUser
}

async function found(change: Change, wanted: OrganizationInput): Promise<OrganizationAnswer> {
  const free = wanted.is_personal ? PERSONAL : await freeDomain(change)
  if (!free.ok) return free
  const organization = await addOrganization(
    change,
    { ...BLANK, ...wanted, corporate_domain: free.domain, auto_created: false },
    actorOf(change.user),
  )
  await join(change, organization)
  return { ok: true, organization, adopted: false }
}

async function adopt(
  change: Change,
  current: Organization,
  wanted: OrganizationInput,
): Promise<OrganizationAnswer> {
  const { tx, ports, user } = change
  const named: Organization = { ...current, ...wanted, auto_created: false }
  if (changedFields(current, named).length === 0) {
    return { ok: true, organization: current, adopted: true }
  }
  // Colleagues may have joined by their mail domain, so it cannot become one person's own.
  const isTakenPrivate = named.is_personal && !current.is_personal
  if (!current.auto_created || isTakenPrivate) return alreadyExists(current)

  if (current.is_personal && !named.is_personal) {
    const free = await freeDomain(change)
    if (!free.ok) return free
    named.corporate_domain = free.domain
  }
  await ports.organizations.update(tx, named)
  await ports.feed.append(tx, [
    organizationEvent('organization.updated', named, {
      actor: actorOf(user),
      changed: changedFields(current, named),
    }),
  ])
  return { ok: true, organization: named, adopted: true }
}

const PERSONAL = { ok: true, domain: null } as const

/** The user's mail domain, if no organisation has it yet. */
async function freeDomain({
  tx,
  ports,
  user,
}: Change): Promise<{ ok: true; domain: string } | Refusal> {
  const domain = corporateDomainOf(user)
  if (domain === undefined) {
    return refuse(
      400,
      'an organization needs a verified e-mail address at its own domain: sign in with one, or set is_personal to true',
    )
  }
  const taken = await ports.organizations.byCorporateDomain(tx, domain)
  return taken ? alreadyExists(taken) : { ok: true, domain }
}

function alreadyExists(existing: Organization): Refusal {
  return refuse(409, existing.is_personal ? 'Personal workspace exists' : 'Organization exists', {
    existing_org_id: existing.organization_id,
    existing_org_name: existing.name,
  })
}

const BLANK = {
  is_personal: false,
  company_type: null,
  revenue_tier: null,
  marketing_opt_in: false,
  corporate_domain: null,
} as const

type NewOrganization = Omit<Organization, 'organization_id'>

/** spec 4.5: what a first call creates, named after the mail domain or the person. */
function derivedFrom(user: RegistryUser, domain: string | undefined): NewOrganization {
  if (domain) {
    const label = domain.split('.')[0] ?? domain
    const name = label.charAt(0).toUpperCase() + label.slice(1)
    return { ...BLANK, name, corporate_domain: domain, auto_created: true }
  }
  const person = parseName(user.name)
  const name = person && `${person}'s Workspace`
  const fits = name !== undefined && name.length <= MAX_NAME_CHARS
  return {
    ...BLANK,
    name: fits ? name : 'Personal Workspace',
    is_personal: true,
    auto_created: true,
  }
}

async function addOrganization(
  { tx, ports }: Omit<Change, 'user'>,
  values: NewOrganization,
  actor: string,
): Promise<Organization> {
  const organization_id = `org_${uuid7(await tx.now()).replaceAll('-', '')}`
  const organization = { organization_id, ...values }
  await ports.organizations.add(tx, organization)
  await ports.feed.append(tx, [organizationEvent('organization.created', organization, { actor })])
  return organization
}

async function join(
  { tx, ports, user }: Change,
  { organization_id: organizationId }: Organization,
): Promise<void> {
  await ports.organizations.addMember(tx, {
    userId: user.userId,
    organizationId,
    email: user.email,
  })
}

/** Visible to every reader, so it contains no address, no confidential information, and no person's name. */
export function organizationEvent(
  event_type: NewFeedEvent['event_type'],
  organization: Organization,
  { actor, changed }: { actor: string; changed?: string[] },
): NewFeedEvent {
  const { organization_id, name, is_personal, company_type } = organization
  return {
    event_type,
    entity_type: 'organization',
    entity_id: organization_id,
    payload: {
      organization_id,
      ...defined({ name: is_personal ? undefined : name }),
      is_personal,
      company_type,
      ...defined({ changed_fields: changed ? changed : undefined }),
    },
    actor,
    visibleTo: null,
  }
}

const NAMED_FIELDS = [
  'name',
  'is_personal',
  'company_type',
  'revenue_tier',
  'marketing_opt_in',
] as const

function changedFields(before: Organization, after: Organization): string[] {
  return NAMED_FIELDS.filter((field) => before[field] !== after[field])
}

function actorOf(user: RegistryUser): string {
  return `user:${user.userId}`
}
