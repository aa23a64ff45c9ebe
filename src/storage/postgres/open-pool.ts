// The connections to PostgreSQL: to the host that served last, and never to a standby where a primary is wanted.

import type pg from 'pg'
import { driver } from './driver.ts'
import { READ_ONLY } from './errors.ts'
import { chooseHost, type Hosts } from './hosts.ts'

/** Whether a new transaction is read-only here; a standby in recovery has no writing ones. */
export const IS_READ_ONLY =
  "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS is_read_only"

/** With several hosts, each new connection goes to the one that served last, and a server in recovery is refused. */
export function openPool(hosts: Hosts, max: number): pg.Pool {
  const { Client, Pool } = driver()
  const choice = chooseHost(hosts)
  class HostClient extends Client {
    readonly #url: string
    constructor(config: pg.ClientConfig) {
      const url = choice.url()
      super({ ...config, connectionString: url })
      this.#url = url
      this.on('error', this.failed)
    }
    failed = (): void => choice.next(this.#url)
    override connect(): Promise<pg.Client>
    override connect(callback: (error: Error) => void): void
    override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
      if (!callback) return super.connect()
      super.connect((error: Error) => {
        if (error) this.failed()
        callback(error)
      })
      return undefined
    }
  }
  const verify = (client: HostClient, done: (error?: unknown) => void): void => {
    client.query(IS_READ_ONLY).then(
      ({ rows: [row] }) => {
        if (row.is_read_only !== true) return done()
        client.failed()
        done(Object.assign(new Error(READ_ONLY), { code: '25006' }))
      },
      (error: unknown) => done(error),
    )
  }
  return new Pool({
    Client: HostClient,
    max,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: 'adwire',
    // Statements issued together are sent together: one round trip for all of them.
    pipeline: true,
    ...(hosts.needsPrimary ? { verify } : {}),
  } as unknown as pg.PoolConfig)
}
