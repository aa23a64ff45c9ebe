// What a server started with --demo has that another has not: some references, a catalogue of signals,
// and a principal whose key is printed. Loading it again adds nothing twice.

import { authenticatePrincipal, createPrincipal } from '../../agent/principals.ts'
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

async function demoPrincipal(storage: Storage, key: string | undefined): Promise<string> {
  if (key !== undefined && (await authenticatePrincipal(storage.principals, key))) return key
  for (const principal of await storage.principals.list()) {
    if (principal.name !== DEMO_NAME || principal.revoked_at !== null) continue
    await storage.transact((tx) => storage.principals.revoke(tx, principal.principal_id))
  }
  const created = await createPrincipal(storage, {
    name: DEMO_NAME,
    scopes: ['tasks', 'operator'],
    ...(key === undefined ? {} : { key }),
  })
  if (!created.ok) throw new Error(`demo principal: ${created.message}`)
  return created.key
}
