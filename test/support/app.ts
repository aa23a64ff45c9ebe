// A whole server on a free port of this machine, wired as `adwire serve` transports it.

import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPrincipal, type Scope } from '../../src/agent/principals.ts'
import { type Config, readConfig } from '../../src/app/config.ts'
import type { Storage } from '../../src/app/open-storage.ts'
import { type WiredApp, wireApp } from '../../src/app/wire.ts'
import { createLog } from '../../src/lib/log.ts'
import type { ResolveTxt } from '../../src/lib/txt-records.ts'
import type { Release } from '../../src/protocol/releases/release.ts'
import type { AnyTask } from '../../src/protocol/task.ts'
import { createOrganization } from '../../src/registry/organizations.ts'
import type { Connector } from '../../src/signals/connectors/connector.ts'
import type { SignalSearch } from '../../src/signals/search/signal-search.ts'
import { migratedPostgres, type StoreName, sqliteTemplate } from './databases.ts'

export { type Answer, type Call, call } from './call.ts'

export interface TestApp {
  url: string
  storage: Storage
  /** The lines of the log so far. */
  logged: string[]
  /** A new organisation, with a key to call with. */
  organization(name?: string): Promise<{ id: string; key: string }>
  /** A new principal with these scopes, by default `tasks`: its key to call tasks with. */
  principal(...scopes: Scope[]): Promise<string>
  /** A new principal of this name, with the scope `tasks`. */
  named(name: string): Promise<{ principal_id: string; key: string }>
  /** Rows of a table. */
  count(table: string): Promise<number>
  stop(): Promise<void>
}

export interface TestAppOptions {
  /** Default sqlite. */
  store?: StoreName
  /** Over the defaults of every setting, and loopback http allowed. */
  config?: Partial<Config>
  /** Served beside the built-in tasks. */
  moreTasks?: readonly AnyTask[]
  /** Connectors beside the built-in ones. */
  connectors?: Readonly<Record<string, Connector>>
  /** In place of the built-in search for signals. */
  signalSearch?: (storage: () => Storage) => SignalSearch
  /** In place of the system's name servers. */
  resolveTxt?: ResolveTxt
  /** Releases of the protocol in place of those that are known. */
  releases?: readonly Release[]
}

export async function startApp({
  store = 'sqlite',
  config,
  moreTasks = [],
  connectors = {},
  signalSearch,
  resolveTxt,
  releases,
}: TestAppOptions = {}): Promise<TestApp> {
  const data = mkdtempSync(join(tmpdir(), 'adwire-test-'))
  const postgres = store === 'postgres' ? await migratedPostgres() : undefined
  if (!postgres) cpSync(await sqliteTemplate(), data, { recursive: true })
  const read = readConfig({ port: '0', data, logLevel: 'info' }, {})
  if (!read.ok) throw new Error(read.errors.join())
  const logged: string[] = []
  const destination = { write: (line: string) => logged.push(line) }
  const app: WiredApp = await wireApp(
    {
      ...read.config,
      // What it starts beside, few tests need, and those that do wait for it.
      warmUp: false,
      egressAllow: ['127.0.0.0/8'],
      egressAllowHttp: true,
      databaseUrl: postgres?.url,
      ...config,
    },
    createLog({ level: config?.logLevel ?? 'info', destination }),
    {
      moreTasks,
      connectors,
      releases,
      ...(resolveTxt ? { resolveTxt } : {}),
      ...(signalSearch ? { signalSearch: signalSearch(() => app.storage) } : {}),
    },
  )
  await app.start()
  return {
    url: app.url(),
    storage: app.storage,
    logged,
    organization: async (name = 'Acme') => {
      const made = await createOrganization(app.storage, { name })
      if (!made.ok) throw new Error(made.error)
      return { id: made.organization.organization_id, key: made.key }
    },
    principal: async (...scopes) => {
      const made = await createPrincipal(app.storage, {
        name: 'Caller',
        ...(scopes.length > 0 ? { scopes } : {}),
      })
      if (!made.ok) throw new Error(made.message)
      return made.key
    },
    named: async (name) => {
      const made = await createPrincipal(app.storage, { name })
      if (!made.ok) throw new Error(made.message)
      return { principal_id: made.principal.principal_id, key: made.key }
    },
    count: async (table) => {
      const sql = `SELECT count(*) AS n FROM ${table}`
      return (await app.storage.database.read.get<{ n: number }>(sql))?.n ?? Number.NaN
    },
    stop: async () => {
      await app.stop()
      await postgres?.drop()
      rmSync(data, { recursive: true, force: true })
    },
  }
}
