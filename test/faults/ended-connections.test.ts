// PostgreSQL ends connections at any moment: at a restart, a failover, by a pooler or an operator. The end may arrive in the
// same packet as an answer.

import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { serve } from '../support/cli.ts'
import { migratedPostgres } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'

const TIMES = 200

test('spec 6.4: a server whose connections PostgreSQL ends again and again stays, and works afterwards', async () => {
  const { url, drop } = await migratedPostgres()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(async () => {
    await client.end()
    await drop()
  })
  const server = await serve(['--database-url', url])
  for (let times = 0; times < TIMES; times++) {
    // Requests that are under way when the connections end.
    const requests = [1, 2, 3].map(() => fetch(`${server.url}/readyz`))
    await client.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    )
    await Promise.all(requests)
    expect([server.child.exitCode, server.child.signalCode]).toEqual([null, null])
  }
  await eventually(async () => expect((await fetch(`${server.url}/readyz`)).status).toBe(200))
})
