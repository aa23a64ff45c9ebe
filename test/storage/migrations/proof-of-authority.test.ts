import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openPostgres } from '../../../src/storage/postgres/open-postgres.ts'
import type { Database } from '../../../src/storage/sql/database.ts'
import { loadMigrations, migrate } from '../../../src/storage/sql/migrate.ts'
import { openSqlite } from '../../../src/storage/sqlite/open-sqlite.ts'
import { createFeedStore } from '../../../src/storage/stores/references/feed.ts'
import { createReferenceStore } from '../../../src/storage/stores/references/references.ts'
import { emptyPostgres, type StoreName } from '../../support/databases.ts'

const VERSION = 21
const DUE = 4_000_000_000_000

describe.each(['sqlite', 'postgres'] as const)('references of before proofs [%s]', (store) => {
  test('are pending and unproved after the upgrade, due at once, and the feed says so', async () => {
    const database = await before(store)
    for (const status of ['valid', 'invalid', 'unreachable', 'pending'])
      await insert(database, status)
    await migrate(database)
    const references = createReferenceStore(database)

    const best = await references.bestJson('acme.example', 'brand.json')
    expect(JSON.parse(best ?? '{}')).not.toMatchObject({ verification_status: 'valid' })
    const rows = await database.read.all<Record<string, unknown>>(
      `SELECT id, verification_status, authority, completeness_score, proved_by, title, failures,
         next_verification_at, is_proof_asked FROM manifest_references ORDER BY id`,
    )
    const kept = { authority: 0, completeness_score: 0, proved_by: null, is_proof_asked: 0 }
    const waiting = { ...kept, title: 'Acme', failures: 2, next_verification_at: DUE }
    expect(rows).toEqual([
      { ...waiting, id: 'invalid', verification_status: 'invalid' },
      { ...waiting, id: 'pending', verification_status: 'pending' },
      { ...waiting, id: 'unreachable', verification_status: 'unreachable' },
      {
        ...kept,
        id: 'valid',
        verification_status: 'pending',
        title: null,
        failures: 0,
        next_verification_at: 1,
      },
    ])

    const reason = expect.stringContaining('to be verified anew')
    const page = await createFeedStore(database).page({
      cursor: null,
      types: [],
      limit: 10,
      organizationId: 'org_x',
    })
    expect(page === 'expired' ? [] : page.events).toEqual([
      expect.objectContaining({
        event_type: 'manifest_ref.verified',
        entity_id: 'valid',
        actor: 'system',
        payload: expect.objectContaining({
          domain: 'acme.example',
          manifest_url: 'https://cdn.example/valid',
          agent_url: null,
          verification_status: 'pending',
          completeness_score: 0,
          proved_by: null,
          reason,
        }),
      }),
    ])
    expect(await references.history('valid', 10)).toMatchObject([
      { verification_status: 'pending', reason, issues: [] },
    ])
    expect(await references.history('invalid', 10)).toEqual([])

    const claims = await database.transact((tx) =>
      references.claimDue(tx, { limit: 10, leaseMs: 1_000 }),
    )
    expect(claims.map(({ id }) => id)).toEqual(['valid'])
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

/** A reference under its status as its id; the valid one as complete as can be. */
function insert(database: Database, status: string): Promise<void> {
  const isValid = status === 'valid' ? 1 : 0
  return database.transact(async (tx) => {
    await tx.run(
      `INSERT INTO manifest_references (id, domain, manifest_type, reference_type, manifest_url,
         contributed_by_org_id, verification_status, is_valid, completeness_score, last_verified_at,
         created_at, updated_at, failures, next_verification_at, lease_until, title)
       VALUES ($1, 'acme.example', 'brand.json', 'url', $2, 'org_a', $1, $3, $4, 1000, 500, 500, 2, $5, 0, 'Acme')`,
      [status, `https://cdn.example/${status}`, isValid, isValid * 100, DUE],
    )
  })
}
