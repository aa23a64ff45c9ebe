// What a server started with --demo has that another has not: some references, a catalogue of signals,
// and a principal whose key is printed. Loading it again adds nothing twice.

import { createPrincipal } from '../../agent/principals.ts'
import { createApiKey, describeApiKey } from '../../lib/api-key.ts'
import { importReferences } from '../../registry/import-references.ts'
import { createOrganization, isOperatorMade } from '../../registry/organizations.ts'
import type { Storage } from '../open-storage.ts'
import { DEMO_BRANDS, demoManifestUrl } from './demo-brands.ts'
import { loadDemoSignals } from './demo-signals.ts'

const DEMO_NAME = 'Adwire demo'

export interface DemoOptions {
  /** Where the demo server itself is reached. */
  url: string
  /** A key to keep over restarts. Default: a new one each time. */
  key?: string | undefined
}

export async function loadDemo(
  storage: Storage,
  { url, key }: DemoOptions,
): Promise<{ key: string }> {
  const organizationId = await demoOrganization(storage)
  await importReferences(
    // Its own addresses need no check: they are this server's.
    { ...storage, checkUrl: (text) => ({ ok: true, url: new URL(text) }) },
    demoLines(url),
    {
      contributor: { organizationId, actor: 'system' },
      onBadLine: (line, error) => {
        throw new Error(`demo reference ${line}: ${error}`)
      },
    },
  )
  await loadDemoSignals(storage)
  return { key: await demoPrincipal(storage, key) }
}

async function* demoLines(url: string): AsyncIterable<string> {
  for (const { domain } of DEMO_BRANDS) {
    yield JSON.stringify({
      domain,
      manifest_type: 'brand.json',
      reference_type: 'url',
      manifest_url: demoManifestUrl(url, domain),
    })
  }
}

async function demoOrganization(storage: Storage): Promise<string> {
  const known = (await storage.organizations.list()).find(
    (one) => one.name === DEMO_NAME && isOperatorMade(one),
  )
  if (known) return known.organization_id
  const created = await createOrganization(storage, { name: DEMO_NAME })
  if (!created.ok) throw new Error(created.error)
  return created.organization.organization_id
}

/** One principal for all starts, so that what it made stays its own; a key that nobody gave ends with it. */
async function demoPrincipal(storage: Storage, given: string | undefined): Promise<string> {
  const known = (await storage.principals.list({ onlyDemo: true })).find(
    ({ revoked_at }) => revoked_at === null,
  )
  if (!known) return newPrincipal(storage, given)
  const { key, ...stored } = given === undefined ? createApiKey('adw_') : describeApiKey(given)
  const owner = { kind: 'principal', owner_id: known.principal_id }
  await storage.transact(async (tx) => {
    const others = await storage.apiKeys.lock(tx, owner)
    const added = await storage.apiKeys.add(tx, owner, stored)
    if (!added)
      throw new Error('ADWIRE_DEMO_KEY is the key of a principal that is none of the demo')
    const before = others.map(({ key_id }) => key_id).filter((id) => id !== added.key_id)
    await storage.apiKeys.forget(tx, before)
  })
  return key
}

async function newPrincipal(storage: Storage, key: string | undefined): Promise<string> {
  const created = await createPrincipal(storage, {
    name: DEMO_NAME,
    scopes: ['tasks', 'operator'],
    isDemo: true,
    ...(key === undefined ? {} : { key }),
  })
  if (!created.ok) throw new Error(`demo principal: ${created.message}`)
  return created.key
}
