// Manifest references in SQL: the lookup, the list, and the references that contributors add and remove.

import { namedUuid } from '../../../lib/named-uuid.ts'
import { isStorable } from '../../../lib/storable-text.ts'
import type { Transaction } from '../../../lib/transaction.ts'
import type { ReferenceRecord } from '../../../protocol/manifest-reference.ts'
import type { NewReference, ReferenceStore, VerificationRecord } from '../../../registry/store.ts'
import {
  type Database,
  placeholders,
  type Queryable,
  type SqlValue,
  sqlOf,
} from '../../sql/database.ts'
import { isoTime } from '../../sql/iso-time.ts'
import { createBestReference } from './best-reference.ts'
import { verificationClaims } from './claims.ts'
import { contributions } from './contributions.ts'
import { isCursor, listReferences } from './list.ts'
import { REFERENCE_COLUMNS, type ReferenceRow, referenceOf } from './reference-row.ts'
import { referenceSearch } from './search.ts'
import { referenceStats } from './stats.ts'

export function createReferenceStore(database: Database): ReferenceStore {
  const { read } = database
  const best = createBestReference(database)
  return {
    ...verificationClaims(best),
    bestJson: best.find,
    add: async (tx, references, { verifyAt }) => {
      const answers = await addReferences(database, tx, { references, verifyAt })
      best.changed(
        sqlOf(tx),
        references.map(({ domain }) => domain),
      )
      return answers
    },
    get: async (id) => {
      if (!isStorable(id)) return undefined
      const row = await read.get<ReferenceRow>(
        `SELECT ${REFERENCE_COLUMNS} FROM manifest_references WHERE id = $1`,
        [id],
      )
      return row && referenceOf(row)
    },
    idsOf: async (references) => {
      const ids = references.map(idOf)
      const known = await storedRows(read, ids)
      return ids.map((id) => ({ id, isKnown: known.has(id) }))
    },
    list: (filter) =>
      listReferences(database, filter, { columns: REFERENCE_COLUMNS, recordOf: referenceOf }),
    isCursor,
    stats: () => referenceStats(database),
    remove: async (tx, id) => {
      const removed = await sqlOf(tx).get<{ domain: string }>(
        'DELETE FROM manifest_references WHERE id = $1 RETURNING domain',
        [id],
      )
      if (removed) best.changed(sqlOf(tx), [removed.domain])
      return removed !== undefined
    },
    countOf: (tx, organizationId) => contributions.count(sqlOf(tx), organizationId),
    removeSomeOf: async (tx, organizationId, page) => {
      const rows = await contributions.removeSome(sqlOf(tx), organizationId, {
        ...page,
        columns: REFERENCE_COLUMNS,
      })
      best.changed(
        sqlOf(tx),
        rows.map(({ domain }) => domain),
      )
      return rows.map(referenceOf)
    },
    requestVerification: async (tx, id) =>
      (await sqlOf(tx).run(
        'UPDATE manifest_references SET next_verification_at = 0 WHERE id = $1',
        [id],
      )) > 0,
    askProof: async (tx, id) =>
      (await sqlOf(tx).run('UPDATE manifest_references SET is_proof_asked = 1 WHERE id = $1', [
        id,
      ])) > 0,
    history: (id, limit) => history(database, id, limit),
    search: (kind, prefix, limit) => referenceSearch.find(read, prefix, { kind, limit }),
  }
}

const INSERT = `INSERT INTO manifest_references (id, domain, manifest_type, reference_type, manifest_url, agent_url, agent_id,
  contributed_by_org_id, verification_status, authority, completeness_score, last_verified_at, created_at,
  updated_at, failures, next_verification_at, lease_until)`
const INSERTED = 17
const UNLESS_KNOWN = 'ON CONFLICT (id) DO NOTHING'
const ROWS_AT_ONCE = 500

async function addReferences(
  database: Database,
  tx: Transaction,
  { references, verifyAt }: { references: readonly NewReference[]; verifyAt: number },
): Promise<{ reference: ReferenceRecord; created: boolean }[]> {
  const now = await tx.now()
  const rows = references.map((reference) => rowFor(reference, now))
  // Two identical references in one batch would conflict in one statement.
  const distinct = [...new Map(rows.map((row) => [row.id, row])).values()]
  const created = await insertNew(database, tx, { rows: distinct, verifyAt })
  const known = await storedRows(
    sqlOf(tx),
    distinct.filter(({ id }) => !created.has(id)).map(({ id }) => id),
  )
  return rows.map((row) => ({
    reference: referenceOf(known.get(row.id) ?? row),
    created: created.delete(row.id),
  }))
}

/** Inserts missing rows and returns their ids. */
async function insertNew(
  database: Database,
  tx: Transaction,
  { rows, verifyAt }: { rows: readonly ReferenceRow[]; verifyAt: number },
): Promise<Set<string>> {
  const created = new Set<string>()
  // SQLite is fastest row by row; on PostgreSQL the round trip is the cost.
  if (database.dialect === 'sqlite') {
    const sql = `${INSERT} VALUES ${placeholders(1, INSERTED)} ${UNLESS_KNOWN}`
    const counts = await sqlOf(tx).runEach(
      sql,
      rows.map((row) => valuesOf(row, verifyAt)),
    )
    counts.forEach((count, index) => {
      if (count > 0) created.add((rows[index] as ReferenceRow).id)
    })
    return created
  }
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    const chunk = rows.slice(start, start + ROWS_AT_ONCE)
    const inserted = await sqlOf(tx).all<{ id: string }>(
      `${INSERT} VALUES ${placeholders(chunk.length, INSERTED)} ${UNLESS_KNOWN} RETURNING id`,
      chunk.flatMap((row) => valuesOf(row, verifyAt)),
    )
    for (const { id } of inserted) created.add(id)
  }
  return created
}

function rowFor(reference: NewReference, now: number): ReferenceRow {
  return {
    ...reference,
    id: idOf(reference),
    verification_status: 'pending',
    proved_by: null,
    completeness_score: 0,
    last_verified_at: 0,
    created_at: now,
    updated_at: now,
  }
}

/** A contributor has each target of a domain once: the id is derived from it, so the primary key enforces this. */
function idOf(reference: NewReference): string {
  const { domain, manifest_type, contributed_by_org_id, reference_type } = reference
  const target = reference.manifest_url ?? `${reference.agent_id} ${reference.agent_url}`
  return namedUuid([contributed_by_org_id, domain, manifest_type, reference_type, target].join(' '))
}

function valuesOf(row: ReferenceRow, verifyAt: number): SqlValue[] {
  return [
    row.id,
    row.domain,
    row.manifest_type,
    row.reference_type,
    row.manifest_url,
    row.agent_url,
    row.agent_id,
    row.contributed_by_org_id,
    row.verification_status,
    0,
    row.completeness_score,
    row.last_verified_at,
    row.created_at,
    row.updated_at,
    0,
    verifyAt,
    0,
  ]
}

async function storedRows(
  queries: Queryable,
  ids: readonly string[],
): Promise<Map<string, ReferenceRow>> {
  const found = new Map<string, ReferenceRow>()
  for (let start = 0; start < ids.length; start += ROWS_AT_ONCE) {
    const chunk = ids.slice(start, start + ROWS_AT_ONCE)
    const rows = await queries.all<ReferenceRow>(
      `SELECT ${REFERENCE_COLUMNS} FROM manifest_references WHERE id IN ${placeholders(1, chunk.length)}`,
      chunk,
    )
    for (const row of rows) found.set(row.id, row)
  }
  return found
}

async function history({ read }: Database, id: string, limit: number) {
  const rows = await read.all<
    Omit<VerificationRecord, 'issues'> & { verified_at: number; issues: string }
  >(
    `SELECT verified_at, verification_status, proved_by, completeness_score, reason, issues, duration_ms
     FROM reference_verifications WHERE reference_id = $1 ORDER BY id DESC LIMIT $2`,
    [id, limit],
  )
  return rows.map((row) => ({
    ...row,
    verified_at: isoTime(row.verified_at),
    issues: JSON.parse(row.issues) as { pointer: string; message: string }[],
  }))
}
