// A server in one's own program: `adwire serve` without the command around it. It takes the data folder
// as the command does, and gives it back when it has stopped.

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

/** What a program may bring along; every part of it may be left out. */
export interface AppOptions extends Extensions {
  /** Receives the log of the server. Default: lines on standard error, formatted according to the settings. */
  log?: Log
}

/** A server that lives in this process. */
export interface App {
  /** Begins to listen and to work. Throws when it cannot, and has given everything back then. */
  start(): Promise<Started>
  /** Lets requests and work under way end, then closes everything; the second time it does nothing. */
  stop(): Promise<void>
  /** Where it listens, once started. */
  url(): string
  /** Whether it may get requests, as `/readyz` says. */
  health(): Promise<Health>
  /** Makes somebody who may call tasks. Throws when a name, scope or account cannot be taken. */
  createPrincipal(principal: PrincipalOptions): Promise<CreatedCaller>
}

/** How a server is. */
export interface Health {
  /** Whether it may get requests. */
  ready: boolean
  /** Why it may not, for people; empty when it may. */
  reasons: readonly string[]
}

/** Somebody who is to call tasks. */
export interface PrincipalOptions {
  /** As people know it. */
  name: string
  /** What it may do. Default `tasks` alone. */
  scopes?: readonly Scope[]
  /** The accounts it may use, as `<platform>:<account>`. Default none. */
  accounts?: readonly string[]
}

/** Somebody who may call tasks now. */
export interface CreatedCaller {
  /** Known by this from now on. */
  principal_id: string
  /** Sent with every call as `Authorization: Bearer <key>`. It is stored as a hash and returned only here. */
  key: string
}

/**
 * Opens the database and puts the server together; `start` makes it listen. One server at a time has a
 * data folder: where there is another one already, this throws. It also throws for a config that lacks a setting (a
 * ConfigError) and for a part that does not exist or lacks a method (a TypeError).
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

/** Only by a server, which has the folder to itself. */
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
