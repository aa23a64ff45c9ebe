// What a server started with --demo has in addition: some references, a catalogue of signals, and a principal whose
// key is printed. Loading it again adds no duplicates, and changes no key that works.

import { createPrincipal } from '../../agent/principals.ts'
import { createApiKey, describeApiKey, hashApiKey } from '../../lib/api-key.ts'
import { loadDemoProducts } from '../../media-buys/demo/load-demo-products.ts'
import { importReferences } from '../../registry/import-references.ts'
import { createOrganization, isOperatorMade } from '../../registry/organizations.ts'
import { loadDemoSignals } from '../../signals/demo/load-demo-signals.ts'
import type { Storage } from '../open-storage.ts'
import { DEMO_BRANDS, demoManifestUrl } from './demo-brands.ts'
import { keepDemoKey, readDemoKey } from './demo-key.ts'

const DEMO_NAME = 'Adwire demo'

export interface DemoOptions {
  /** The URL of the demo server itself. */
  url: string
  /** A key chosen by the operator. Default: the one stored in `folder`, or else a new one. */
  key?: string | undefined
  /** Where a new key is kept for the next start. */
  folder: string
  /** Called when the folder cannot be written: the key works now, but the next start will generate another one. */
  onUnkept: (error: unknown) => void
}

export async function loadDemo(
  storage: Storage,
  { url, key, folder, onUnkept }: DemoOptions,
): Promise<{ key: string }> {
  const organizationId = await demoOrganization(storage)
  await importReferences(
    // The demo's URLs need no check: they point to this server.
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
  await loadDemoProducts(storage)
  const used = key ?? (await keptKey(storage, folder)) ?? createApiKey('adw_').key
  await demoPrincipal(storage, used)
  if (!(await opensDemo(storage, used))) throw new Error('the key of the demo does not work')
  if (key === undefined) {
    try {
      keepDemoKey(folder, used)
    } catch (error) {
      onUnkept(error)
    }
  }
  return { key: used }
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

/** A key that no longer works, such as a revoked one, is not restored. */
async function keptKey(storage: Storage, folder: string): Promise<string | undefined> {
  const kept = readDemoKey(folder)
  return kept !== undefined && (await opensDemo(storage, kept)) ? kept : undefined
}

async function opensDemo(storage: Storage, key: string): Promise<boolean> {
  const principal = await storage.principals.byKeyHash(hashApiKey(key))
  return principal?.is_demo === true
}

export async function demoOrganizationId({
  organizations,
}: Pick<Storage, 'organizations'>): Promise<string | undefined> {
  const known = (await organizations.list()).find(
    (one) => one.name === DEMO_NAME && isOperatorMade(one),
  )
  return known?.organization_id
}

async function demoOrganization(storage: Storage): Promise<string> {
  const known = await demoOrganizationId(storage)
  if (known !== undefined) return known
  const created = await createOrganization(storage, { name: DEMO_NAME })
  if (!created.ok) throw new Error(created.error)
  return created.organization.organization_id
}

/** The same principal for all starts, so that it keeps what it created; only the key in use is kept. */
async function demoPrincipal(storage: Storage, key: string): Promise<void> {
  const known = (await storage.principals.list({ onlyDemo: true })).find(
    // In addition there is a buyer, whose deliveries the console displays.
    ({ revoked_at, scopes }) => revoked_at === null && scopes.includes('operator'),
  )
  if (!known) return newPrincipal(storage, key)
  const { key: _, ...stored } = describeApiKey(key)
  const owner = { kind: 'principal', owner_id: known.principal_id }
  await storage.transact(async (tx) => {
    const others = await storage.apiKeys.lock(tx, owner)
    const added = await storage.apiKeys.add(tx, owner, stored)
    if (!added)
      throw new Error('ADWIRE_DEMO_KEY is the key of a principal that is none of the demo')
    const before = others.map(({ key_id }) => key_id).filter((id) => id !== added.key_id)
    await storage.apiKeys.forget(tx, before)
  })
}

async function newPrincipal(storage: Storage, key: string): Promise<void> {
  const created = await createPrincipal(storage, {
    name: DEMO_NAME,
    scopes: ['tasks', 'operator', 'approver', 'admin'],
    isDemo: true,
    key,
  })
  if (!created.ok) throw new Error(`demo principal: ${created.message}`)
}
