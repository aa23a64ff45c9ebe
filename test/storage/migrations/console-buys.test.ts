import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openPostgres } from '../../../src/storage/postgres/open-postgres.ts'
import type { Database } from '../../../src/storage/sql/database.ts'
import { loadMigrations, migrate } from '../../../src/storage/sql/migrate.ts'
import { openSqlite } from '../../../src/storage/sqlite/open-sqlite.ts'
import { createRegistryQueries } from '../../../src/storage/stores/console/registry.ts'
import { emptyPostgres, type StoreName } from '../../support/databases.ts'

const VERSION = 33

describe.each(['sqlite', 'postgres'] as const)('the feed of before its domains [%s]', (store) => {
  test('is found by the domain of what it tells of, however that was written', async () => {
    const database = await before(store)
    await insert(database, 'manifest_ref', '{"domain":"a.example","reason":"zero \\u0000 byte"}')
    // As an earlier migration of PostgreSQL wrote them.
    await insert(database, 'manifest_ref', '{"domain" : "a.example", "manifest_url" : null}')
    await insert(database, 'agent', '{"domain":"not.example"}')
    await migrate(database)
    const queries = createRegistryQueries(database)
    expect((await queries.feed({ limit: 9, domain: 'a.example' })).events).toHaveLength(2)
    expect((await queries.feed({ limit: 9, domain: 'not.example' })).events).toEqual([])
    expect((await queries.feed({ limit: 9 })).events).toHaveLength(3)
  })
})

/** A database as the version before left it. */
async function before(store: StoreName): Promise<Database> {
  const older = loadMigrations().filter(({ version }) => version < VERSION)
  const folder = mkdtempSync(join(tmpdir(), 'adwire-test-'))
  const postgres = store === 'postgres' ? await emptyPostgres() : undefined
  const database = postgres ? openPostgres({ url: postgres.url }) : openSqlite({ dataDir: folder })
  onTestFinished(async () => {
    await database.close()
    await postgres?.drop()
    rmSync(folder, { recursive: true, force: true })
  })
  await migrate(database, older)
  return database
}

function insert(database: Database, entityType: string, payload: string): Promise<unknown> {
  return database.transact((tx) =>
    tx.run(
      `INSERT INTO feed_events (event_type, entity_type, entity_id, payload, actor, created_at)
       VALUES ('manifest_ref.created', $1, 'x', $2, 'system', 1)`,
      [entityType, payload],
    ),
  )
}
