// Loads a folder of fixtures into a sandbox: signals and products through their imports, principals with the keys
// that graders use, their accounts through sync_accounts, their creatives as a grader would seed them. Safe to
// repeat.

import { createPrincipal, type Principal } from '../../agent/principals.ts'
import { kindFormats } from '../../creative/canonical/kind-format.ts'
import { hashApiKey } from '../../lib/api-key.ts'
import { syncAccounts } from '../../media-buys/sync-accounts.ts'
import { agentUrls } from '../../protocol/agent-url.ts'
import { RELEASES } from '../../protocol/releases/releases.ts'
import { unnamed } from '../../protocol/releases/unnamed.ts'
import type { SyncAccountsRequest } from '../../protocol/schemas/accounts.ts'
import type { CallContext } from '../../protocol/task.ts'
import { creativeSeed } from '../../sandbox/seed-creatives.ts'
import { addPrefix, refuseRealPrincipals } from '../../sandbox/tenants.ts'
import { grantAccounts, parseGrant } from '../../signals/accounts.ts'
import type { Config } from '../config.ts'
import { catalogueOf } from '../load-formats.ts'
import type { Storage } from '../open-storage.ts'
import { loadCatalogues, type PrincipalFixture, readPrincipals } from './fixture-files.ts'

export interface LoadedFixtures {
  signals: number
  products: number
  principals: { principal_id: string; name: string; key: string }[]
}

/** Throws on a database that is not a sandbox's, and when a fixture cannot be used. */
export async function loadFixtures(
  storage: Storage,
  config: Config,
  folder: string,
): Promise<LoadedFixtures> {
  await refuseRealPrincipals(storage)
  const fixtures = readPrincipals(folder)
  const counts = await loadCatalogues(storage, folder)
  const principals: LoadedFixtures['principals'] = []
  for (const fixture of fixtures) {
    const { principal_id, name } = await loadPrincipal(storage, config, fixture)
    principals.push({ principal_id, name, key: fixture.key })
  }
  return { ...counts, principals }
}

async function loadPrincipal(
  storage: Storage,
  config: Config,
  { name, key, key_prefix, accounts = [], buyer_accounts = [], creatives = [] }: PrincipalFixture,
): Promise<Principal> {
  const { transact, sandboxNotes: notes, buyerAccounts } = storage
  if (key_prefix !== undefined) await addPrefix({ transact, notes }, { prefix: key_prefix, name })
  const principal = await principalOf(storage, { name, key })
  const { principal_id } = principal
  await grantAccounts(storage, principal_id, accounts.map(grantOf))
  const call = callOf(principal, config)
  if (buyer_accounts.length > 0) {
    const { maxAccounts } = config
    const request = { accounts: buyer_accounts } as unknown as SyncAccountsRequest
    await syncAccounts({ transact, accounts: buyerAccounts, maxAccounts }).handle(request, call)
  }
  const put = creativePutter(storage, config)
  await transact(async (tx) => {
    for (const { creative_id, ...fixture } of creatives) {
      const seed = { ids: { creative_id }, fixture }
      await put(tx, seed, { owner: principal_id, call })
    }
  })
  return principal
}

async function principalOf(
  storage: Storage,
  { name, key }: { name: string; key: string },
): Promise<Principal> {
  const known = await storage.principals.byKeyHash(hashApiKey(key))
  if (known) return known
  const created = await createPrincipal(storage, { name, key, isSandbox: true })
  if (!created.ok) throw new Error(`${name}: ${created.message}`)
  return created.principal
}

function grantOf(account: string) {
  const parsed = parseGrant(account)
  if (!parsed.ok) throw new Error(parsed.message)
  return parsed.grant
}

function publicUrlOf({ publicUrl, host, port }: Config): string {
  return publicUrl ?? `http://${host}:${port}`
}

function callOf(principal: Principal, config: Config): CallContext {
  return {
    principal,
    transport: 'http',
    calledOn: publicUrlOf(config),
    version: RELEASES.version(unnamed.name),
    signal: new AbortController().signal,
  }
}

function creativePutter(storage: Storage, config: Config) {
  const catalogue = catalogueOf({ config: { ...config, sandbox: true } })
  const publicUrl = () => publicUrlOf(config)
  const names = { publicUrl, ownAgentUrls: config.formatAgentUrls }
  return creativeSeed({
    library: storage.creatives,
    findFormat: (formatId, calledOn) => catalogue.find(formatId, agentUrls(names, calledOn)),
    kindFormat: kindFormats(catalogue, publicUrl),
    publicUrl,
  }).put
}
