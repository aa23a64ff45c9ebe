// Opens the database that the settings name, migrates it, and creates every store on it.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { defined } from '../lib/defined.ts'
import { createLog, type Log } from '../lib/log.ts'
import { StorageUnavailable } from '../lib/transaction.ts'
import { NO_LIMITS, type QuotaLimits } from '../protocol/quota.ts'
import { embeddedText } from '../signals/embedded-text.ts'
import { placeInUrl } from '../storage/postgres/hosts.ts'
import type { Database } from '../storage/sql/database.ts'
import { migrate, pendingMigrations } from '../storage/sql/migrate.ts'
import { hasTables } from '../storage/sql/own-place.ts'
import { SQLITE_FILE } from '../storage/sqlite/database-file.ts'
import { openSqlite } from '../storage/sqlite/open-sqlite.ts'
import { createAuthorizationStore } from '../storage/stores/authorizations/authorizations.ts'
import { createFileStore } from '../storage/stores/authorizations/files.ts'
import { createBrandStore } from '../storage/stores/brands/brands.ts'
import { createCatalogStore } from '../storage/stores/catalog/catalog.ts'
import { createClockMarkStore } from '../storage/stores/clock/clock-marks.ts'
import { createComplianceStore } from '../storage/stores/compliance/compliance.ts'
import { createAuditStore } from '../storage/stores/console/audit.ts'
import { createBuyQueries } from '../storage/stores/console/buys.ts'
import { createLinkStore } from '../storage/stores/console/links.ts'
import { createPrincipalQueries } from '../storage/stores/console/principals.ts'
import { createConsoleQueries } from '../storage/stores/console/queries.ts'
import { createReceivedQueries } from '../storage/stores/console/received.ts'
import { createRegistryQueries } from '../storage/stores/console/registry.ts'
import { createSessionStore } from '../storage/stores/console/sessions.ts'
import { createSignInStore } from '../storage/stores/console/sign-ins.ts'
import { createSignalQueries } from '../storage/stores/console/signals.ts'
import { createCrawlStore } from '../storage/stores/crawl/crawl.ts'
import { createAssetStore } from '../storage/stores/creatives/assets.ts'
import { createCreativeStore } from '../storage/stores/creatives/creatives.ts'
import { createPreviewStore } from '../storage/stores/creatives/previews.ts'
import { createInboxOperations } from '../storage/stores/inbox/dead.ts'
import { createServerSecretStore } from '../storage/stores/keys/server-secrets.ts'
import { createSigningKeyStore } from '../storage/stores/keys/signing-keys.ts'
import { createAccountStore } from '../storage/stores/media-buys/accounts.ts'
import { createApprovalStore } from '../storage/stores/media-buys/approvals.ts'
import { createFeedbackStore } from '../storage/stores/media-buys/feedback.ts'
import { createImpairmentStore } from '../storage/stores/media-buys/impairments.ts'
import { createMediaBuyStore } from '../storage/stores/media-buys/media-buys.ts'
import { createOrderStore } from '../storage/stores/media-buys/orders.ts'
import {
  createOwnSignals,
  createPackageCreatives,
} from '../storage/stores/media-buys/package-creatives.ts'
import { createProductStore } from '../storage/stores/media-buys/products.ts'
import { createProposalStore } from '../storage/stores/media-buys/proposals.ts'
import { createReportStore } from '../storage/stores/media-buys/reports.ts'
import { createUsageStore } from '../storage/stores/media-buys/usage.ts'
import { createMirrorStore } from '../storage/stores/mirrors/mirrors.ts'
import { createNetworkStore } from '../storage/stores/network/network.ts'
import { createReplayStore } from '../storage/stores/nonces/replay.ts'
import { createAgentDirectory } from '../storage/stores/organizations/agent-directory.ts'
import { createOrganizationStore } from '../storage/stores/organizations/organizations.ts'
import { createActivityStore } from '../storage/stores/outbox/activity.ts'
import { createChannelStore } from '../storage/stores/outbox/channels.ts'
import { createLimitStore } from '../storage/stores/outbox/limits.ts'
import { createOutboxOperations } from '../storage/stores/outbox/operations.ts'
import { createOutboxStore } from '../storage/stores/outbox/outbox.ts'
import { createQueueUse } from '../storage/stores/outbox/queue-use.ts'
import { createRecoveryStore } from '../storage/stores/outbox/recoveries.ts'
import { createPolicyStore } from '../storage/stores/policies/policies.ts'
import { createGrantStore } from '../storage/stores/principals/accounts.ts'
import { createApiKeyStore } from '../storage/stores/principals/api-keys.ts'
import { createOwnedRowsStore } from '../storage/stores/principals/owned-rows.ts'
import { createPrincipalStore } from '../storage/stores/principals/principals.ts'
import { createRequestKeyStore } from '../storage/stores/principals/request-keys.ts'
import { createProfileStore } from '../storage/stores/profiles/profiles.ts'
import { createPropertyCheckStore } from '../storage/stores/properties/property-checks.ts'
import { createPublisherStore } from '../storage/stores/publishers/publishers.ts'
import { createFeedStore } from '../storage/stores/references/feed.ts'
import { createReferenceStore } from '../storage/stores/references/references.ts'
import { createReplicaStore } from '../storage/stores/replica/replicas.ts'
import { createRevisionStore } from '../storage/stores/revisions/revisions.ts'
import { createSandboxStore } from '../storage/stores/sandbox/notes.ts'
import { createSavedStore } from '../storage/stores/saved/saved.ts'
import { createActivationStore } from '../storage/stores/signals/activations.ts'
import { createSignalStore } from '../storage/stores/signals/signals.ts'
import { createSignalVectorStore } from '../storage/stores/signals/vectors.ts'
import { createA2aTaskStore } from '../storage/stores/tasks/a2a.ts'
import { createIdempotencyStore } from '../storage/stores/tasks/idempotency.ts'
import { createTaskStore } from '../storage/stores/tasks/tasks.ts'
import { moveCircuit } from '../webhooks/sender/circuit.ts'
import type { Config } from './config.ts'

export type StorageConfig = Pick<Config, 'data' | 'databaseUrl' | 'databasePool'> &
  Partial<Pick<Config, 'databaseSchema' | 'databaseListenUrl' | 'requestNoncesPerKey'>>

export type Storage = Awaited<ReturnType<typeof openStorage>>

export async function openStorage(
  config: StorageConfig,
  log: Log = createLog({ level: 'warn' }),
  limits: QuotaLimits = NO_LIMITS,
) {
  const database = await openDatabase(config, log)
  const applied = await migrate(database).catch(async (error: unknown) => {
    await database.close()
    throw openFault(error, config)
  })
  const queue = createQueueUse(database, limits)
  return {
    database,
    applied,
    transact: database.transact,
    onWake: database.onWake,
    principals: createPrincipalStore(database),
    apiKeys: createApiKeyStore(database),
    requestKeys: createRequestKeyStore(database),
    requestNonces: createReplayStore(database, {
      ...REQUEST_NONCES,
      ...defined({ perKeyCap: config.requestNoncesPerKey }),
    }),
    signingKeys: createSigningKeyStore(database),
    idempotency: createIdempotencyStore(database),
    a2aTasks: createA2aTaskStore(database),
    tasks: createTaskStore(database, limits),
    channels: createChannelStore(database, { limits, queue }),
    outbox: createOutboxStore(database, { moveCircuit, queue }),
    outboxOperations: createOutboxOperations(database),
    recoveries: createRecoveryStore(database),
    endpointLimits: createLimitStore(database),
    inboxOperations: createInboxOperations(database),
    received: createReceivedQueries(database),
    activity: createActivityStore(database),
    serverSecrets: createServerSecretStore(database),
    assets: createAssetStore(database, limits),
    previews: createPreviewStore(database, { limits }),
    creatives: createCreativeStore(database),
    signals: createSignalStore(database, { embeddedText }),
    signalVectors: createSignalVectorStore(database, { embeddedText }),
    activations: createActivationStore(database),
    grants: createGrantStore(database),
    ownedRows: createOwnedRowsStore(database),
    sandboxNotes: createSandboxStore(database),
    clockMarks: createClockMarkStore(database),
    close: database.close,
    ...registryStores(database),
    ...mediaBuyStores(database, limits),
    ...consoleStores(database),
  }
}

function registryStores(database: Database) {
  return {
    references: createReferenceStore(database),
    feed: createFeedStore(database),
    publisherFiles: createFileStore(database),
    authorizations: createAuthorizationStore(database),
    crawl: createCrawlStore(database),
    network: createNetworkStore(database),
    replicas: createReplicaStore(database),
    organizations: createOrganizationStore(database),
    directory: createAgentDirectory(database),
    brands: createBrandStore(database),
    catalog: createCatalogStore(database),
    policies: createPolicyStore(database),
    mirrors: createMirrorStore(database),
    profiles: createProfileStore(database),
    compliance: createComplianceStore(database),
    saved: createSavedStore(database),
    propertyChecks: createPropertyCheckStore(database),
    publishers: createPublisherStore(database),
    revisions: createRevisionStore(database),
  }
}

function mediaBuyStores(database: Database, limits: QuotaLimits) {
  return {
    products: createProductStore(database),
    mediaBuys: createMediaBuyStore(database, { limits }),
    approvals: createApprovalStore(database),
    proposals: createProposalStore(),
    feedback: createFeedbackStore(database),
    usage: createUsageStore(database),
    impairments: createImpairmentStore(database),
    buyerAccounts: createAccountStore(database),
    packageCreatives: createPackageCreatives(database),
    ownSignals: createOwnSignals(),
    reports: createReportStore(database),
    deliveryOrders: createOrderStore(database),
  }
}

function consoleStores(database: Database) {
  return {
    consoleSessions: createSessionStore(database),
    consoleSignIns: createSignInStore(database),
    consoleAudit: createAuditStore(database),
    consoleQueries: createConsoleQueries(database),
    consoleSignals: createSignalQueries(database),
    consoleBuys: createBuyQueries(database),
    consoleRegistry: createRegistryQueries(database),
    principalQueries: createPrincipalQueries(database),
    buyerLinks: createLinkStore(database),
  }
}

/** Unexpired nonces of signed requests: per key or principal, and in total (spec 8). */
const REQUEST_NONCES = { perKeyCap: 1_000_000, perSignerCap: 1_000_000, totalCap: 10_000_000 }

/** No server has used this location yet: a wrong name must not look like an empty database. */
export class NoDatabase extends Error {}

/** Throws a NoDatabase if there is none yet. */
export async function findDatabase(config: StorageConfig): Promise<void> {
  const { data, databaseUrl } = config
  const isThere =
    databaseUrl === undefined
      ? existsSync(join(data, SQLITE_FILE))
      : await isMigrated(config).catch((error: unknown) => {
          throw openFault(error, config)
        })
  if (isThere) return
  throw new NoDatabase(`no database at ${placeOf(config)}: serve makes one, or give --create`)
}

/** Throws an OlderDatabase if `openStorage` would migrate the database. */
export async function refuseOlder(config: StorageConfig): Promise<void> {
  const database = await openDatabase(config, createLog({ level: 'silent' }))
  try {
    const pending = await pendingMigrations(database)
    if (pending.length === 0) return
    const what = `the database at ${placeOf(config)} is of an older program`
    throw new OlderDatabase(`${what}, and nothing is to be changed: run adwire migrate first`)
  } finally {
    await database.close()
  }
}

/** A database that has to be migrated before it can be read. */
export class OlderDatabase extends Error {}

async function isMigrated(config: StorageConfig): Promise<boolean> {
  const database = await openDatabase(config, createLog({ level: 'silent' }))
  try {
    return await hasTables(database)
  } finally {
    await database.close()
  }
}

/** Without the password. */
export function placeOf({ data, databaseUrl, databaseSchema }: StorageConfig): string {
  if (databaseUrl === undefined) return data
  const schema = databaseSchema === undefined ? '' : ` (schema ${databaseSchema})`
  return `${placeInUrl(databaseUrl)}${schema}`
}

function openFault(error: unknown, config: StorageConfig): unknown {
  if (!(error instanceof StorageUnavailable) || config.databaseUrl === undefined) return error
  const { code } = (error.cause ?? {}) as NodeJS.ErrnoException
  const why = code === undefined ? '' : ` (${code})`
  const where = `at ${placeOf(config)}${why}: check --database-url`
  return new Error(`${error.message} ${where}`, { cause: error })
}

/** Opened without migrating it. */
export async function openDatabase(config: StorageConfig, log: Log): Promise<Database> {
  if (config.databaseUrl === undefined) return openSqlite({ dataDir: config.data })
  const { openPostgres } = await import('../storage/postgres/open-postgres.ts')
  return openPostgres({
    url: config.databaseUrl,
    poolSize: config.databasePool,
    ...defined({ schema: config.databaseSchema, listenUrl: config.databaseListenUrl }),
    onLimit: (message) => log.warn(message),
    onFault: (error) => log.warn({ err: error }, 'a PostgreSQL connection broke'),
  })
}
