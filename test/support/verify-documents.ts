// Manifests that are verified as the worker does it, without a network: each is where its domain says that it is.

import { challengesBy } from '../../src/registry/challenge.ts'
import { verifyReference } from '../../src/registry/verify-reference.ts'
import type { Database } from '../../src/storage/sql/database.ts'
import { createReferenceStore } from '../../src/storage/stores/references/references.ts'

export interface DocumentsOptions {
  type?: 'brand.json' | 'adagents.json'
  organizationId?: string
}

/** By their domains. Where a document is undefined, nothing answers. */
export async function verifyDocuments(
  database: Database,
  documents: Readonly<Record<string, object | undefined>>,
  { type = 'brand.json', organizationId = 'org_a' }: DocumentsOptions = {},
): Promise<void> {
  const store = createReferenceStore(database)
  const urlOf = (domain: string) => `https://${domain}/.well-known/${type}`
  const served = new Map(
    Object.entries(documents).map(([domain, document]) => [urlOf(domain), document]),
  )
  const references = Object.keys(documents).map((domain) => ({
    domain,
    manifest_type: type,
    reference_type: 'url' as const,
    manifest_url: urlOf(domain),
    agent_url: null,
    agent_id: null,
    contributed_by_org_id: organizationId,
  }))
  const claimed = await database.transact(async (tx) => {
    const added = await store.add(tx, references, { verifyAt: 0 })
    for (const { reference } of added) await store.requestVerification(tx, reference.id)
    return store.claimDue(tx, { limit: references.length, leaseMs: 60_000 })
  })
  if (claimed.length !== references.length) throw new Error('all of them are due')
  for (const claim of claimed) {
    const verdict = await verifyReference(claim, {
      fetch: async ({ url }) => {
        const document = served.get(url)
        const body = Buffer.from(JSON.stringify(document ?? {}))
        const status = document === undefined ? 404 : 200
        return { ok: true, status, headers: {}, body, url, truncated: false, durationMs: 1 }
      },
      resolveTxt: async () => ({ ok: true, records: [] }),
      challenge: challengesBy('secret'),
      allowHttp: false,
      maxManifestBytes: 4_000_000,
      now: Date.now,
    })
    await database.transact((tx) =>
      store.recordVerification(tx, claim, {
        ...verdict,
        duration_ms: 1,
        nextVerificationAt: Number.MAX_SAFE_INTEGER,
      }),
    )
  }
}
