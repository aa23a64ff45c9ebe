// A server embedded in another program: `adwire serve` without the command around it. It locks the data folder as the
// command does, and releases it after it has stopped.

import { createPrincipal, type Scope } from '../agent/principals.ts'
import type { Log } from '../lib/log.ts'
import { grantAccounts, parseGrant } from '../signals/accounts.ts'
import { checkAtStart } from '../storage/sqlite/check-at-start.ts'
import { takeServeLock } from '../storage/sqlite/serve-lock.ts'
import { settleLog } from '../storage/sqlite/settle-log.ts'
import { refuseBadParts, refuseIncompleteConfig } from './check-parts.ts'
import type { Config } from './config.ts'
import type { Extensions, Started } from './extensions.ts'
import { openLog } from './open-log.ts'
import { type WiredApp, wireApp } from './wire.ts'

/** What an embedding program may supply; every part is optional. */
export interface AppOptions extends Extensions {
  /** Receives the log of the server. Default: lines on standard error, formatted according to the settings. */
  log?: Log
}

/** A server that runs in this process. */
export interface App {
  /** Starts to listen and to work. Throws when it cannot, after it has released everything. */
  start(): Promise<Started>
  /** Lets requests and work in progress finish, then closes everything; further calls do nothing. */
  stop(): Promise<void>
  /** Where it listens, once started. */
  url(): string
  /** Whether it is ready for requests, as reported by `/readyz`. */
  health(): Promise<Health>
  /** Creates a principal that may call tasks. Throws when a name, scope or account is not accepted. */
  createPrincipal(principal: PrincipalOptions): Promise<CreatedCaller>
}

/** How a server is. */
export interface Health {
  /** Whether it may get requests. */
  ready: boolean
  /** Human-readable reasons why it is not ready; empty when it is. */
  reasons: readonly string[]
}

/** Someone who is to call tasks. */
export interface PrincipalOptions {
  /** As people know it. */
  name: string
  /** What the principal may do. Default only `tasks`. */
  scopes?: readonly Scope[]
  /** The accounts it may use, as `<platform>:<account>`. Default none. */
  accounts?: readonly string[]
}

/** Someone who may call tasks now. */
export interface CreatedCaller {
  /** Known by this from now on. */
  principal_id: string
  /** Sent with every call as `Authorization: Bearer <key>`. It is stored as a hash and returned only here. */
  key: string
}

/**
 * Opens the database and assembles the server; `start` makes it listen. A data folder belongs to one server at a
 * time: if another one uses it, this throws. It also throws for a config that lacks a setting (a ConfigError) and for
 * a part that does not exist or lacks a method (a TypeError).
 */
export async function createApp(config: Config, parts: AppOptions = {}): Promise<App> {
  refuseIncompleteConfig(config)
  refuseBadParts(parts)
  const { log = openLog(config), ...extensions } = parts
  const giveBack = takeFolder(config)
  const orGiveBack = (error: unknown) => {
    giveBack()
    throw error
  }
  await checkDatabase(config, log).catch(orGiveBack)
  const wired = await wireApp(config, log, extensions).catch(orGiveBack)
  let stopping: Promise<void> | undefined
  const stop = () => {
    stopping ??= wired
      .stop()
      .then(() => {
        if (config.databaseUrl === undefined) settleLog(config.data)
      })
      .finally(giveBack)
    return stopping
  }
  return {
    start: async () => {
      try {
        return await wired.start()
      } catch (error) {
        await stop()
        throw error
      }
    },
    stop,
    url: wired.url,
    health: async () => {
      const reasons = stopping ? ['the server has stopped'] : await wired.notReady()
      return { ready: reasons.length === 0, reasons }
    },
    createPrincipal: (principal) => makeCaller(wired, principal),
  }
}

function takeFolder({ data, databaseUrl }: Config): () => void {
  if (databaseUrl !== undefined) return () => {}
  const lock = takeServeLock(data)
  if (!lock.ok) throw new Error(lock.message)
  return lock.release
}

/** Called only by a server, which has exclusive use of the folder. */
async function checkDatabase(
  { data: dataDir, databaseUrl, databaseCheck: mode }: Config,
  log: Log,
): Promise<void> {
  if (databaseUrl === undefined) await checkAtStart({ dataDir, log, mode })
}

async function makeCaller(
  { storage }: WiredApp,
  { name, scopes = ['tasks'], accounts = [] }: PrincipalOptions,
): Promise<CreatedCaller> {
  const grants = accounts.map((account) => {
    const parsed = parseGrant(account)
    if (!parsed.ok) throw new Error(parsed.message)
    return parsed.grant
  })
  const created = await createPrincipal(storage, { name, scopes })
  if (!created.ok) throw new Error(created.message)
  const { principal_id } = created.principal
  await grantAccounts(storage, principal_id, grants)
  return { principal_id, key: created.key }
}
