// Manifest references in SQL: the lookup, the list, and the lease that lets several instances share
// the verification.

import { randomUUID } from 'node:crypto'
import { namedUuid } from '../../../lib/named-uuid.ts'
import type { PossiblyPoisonJob } from '../../../lib/poison-jobs.ts'
import { isStorable } from '../../../lib/storable-text.ts'
import type { Transaction } from '../../../lib/transaction.ts'
import type { ReferenceRecord } from '../../../protocol/manifest-reference.ts'
import { authorityOf, PROVED_ONCE } from '../../../protocol/proof.ts'
import type {
  ClaimedReference,
  NewReference,
  ReferenceStore,
  VerificationRecord,
} from '../../../registry/store.ts'
import {
  type Database,
  placeholders,
  type Queryable,
  type SqlValue,
  sqlOf,
} from '../../sql/database.ts'
import { isoTime } from '../../sql/iso-time.ts'
import { skipLocked } from '../../sql/locks.ts'
import { takeAny } from '../../sql/take-any.ts'
import { keepBrand } from '../brands/brands.ts'
import { createBestReference } from './best-reference.ts'
import { contributions } from './contributions.ts'
import { isCursor, listReferences } from './list.ts'
import type { ReferenceRow } from './reference-row.ts'
import { referenceSearch } from './search.ts'
import { referenceStats } from './stats.ts'

const COLUMNS = `id, domain, manifest_type, reference_type, manifest_url, agent_url, agent_id,
  verification_status, proved_by, completeness_score, contributed_by_org_id, last_verified_at, created_at, updated_at`

/** Verifications kept of each reference. */
const HISTORY_LENGTH = 50

export function createReferenceStore(database: Database): ReferenceStore {
  const { read } = database
  const best = createBestReference(database)
  return {
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
        `SELECT ${COLUMNS} FROM manifest_references WHERE id = $1`,
        [id],
      )
      return row && recordOf(row)
    },
    idsOf: async (references) => {
      const ids = references.map(idOf)
      const known = await storedRows(read, ids)
      return ids.map((id) => ({ id, isKnown: known.has(id) }))
    },
    list: (filter) => listReferences(database, filter, { columns: COLUMNS, recordOf }),
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
        columns: COLUMNS,
      })
      best.changed(
        sqlOf(tx),
        rows.map(({ domain }) => domain),
      )
      return rows.map(recordOf)
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
    claimDue: (tx, options) => claimDue(database, tx, options),
    take: async (tx, id) => {
      const leaseToken = randomUUID()
      const row = await sqlOf(tx).get<ClaimedRow>(
        `UPDATE manifest_references SET lease_token = $2 WHERE id = $1
         RETURNING ${COLUMNS}, failures, lost, is_proof_asked`,
        [id, leaseToken],
      )
      return row && claimedOf(row, leaseToken)
    },
    recordVerification: async (tx, claim, result) => {
      const now = await tx.now()
      const row = await sqlOf(tx).get<ReferenceRow>(
        `UPDATE manifest_references SET verification_status = $3, proved_by = $9, completeness_score = $5,
           authority = CASE WHEN $4 > 0 THEN CAST($4 AS INTEGER) WHEN authority > 0 THEN ${PROVED_ONCE} ELSE 0 END,
           last_verified_at = $6, updated_at = $6, failures = CASE WHEN $4 > 0 THEN 0 ELSE failures + 1 END,
           next_verification_at = CASE WHEN next_verification_at = 0 THEN 0 ELSE CAST($7 AS BIGINT) END,
           lease_until = 0, lease_token = NULL, lost = CASE WHEN $10 = 1 THEN lost - 1 ELSE 0 END,
           title = CASE WHEN $4 > 0 THEN $8 WHEN $3 = 'pending' THEN NULL ELSE title END
         WHERE id = $1 AND lease_token = $2 RETURNING ${COLUMNS}`,
        [
          claim.id,
          claim.leaseToken,
          result.verification_status,
          authorityOf(result.proved_by),
          result.completeness_score,
          now,
          result.nextVerificationAt,
          result.labels[0]?.label ?? null,
          result.proved_by,
          result.isGivenUp ? 1 : 0,
        ],
      )
      if (!row) return undefined
      best.changed(sqlOf(tx), [row.domain])
      await sqlOf(tx).run(
        `INSERT INTO reference_verifications
           (reference_id, verified_at, verification_status, completeness_score, reason, issues, duration_ms, proved_by)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [
          claim.id,
          now,
          result.verification_status,
          result.completeness_score,
          result.reason,
          JSON.stringify(result.issues),
          result.duration_ms,
          result.proved_by,
        ],
      )
      await sqlOf(tx).run(
        `DELETE FROM reference_verifications WHERE reference_id = $1 AND id <= (
           SELECT id FROM reference_verifications WHERE reference_id = $1 ORDER BY id DESC LIMIT 1 OFFSET $2)`,
        [claim.id, HISTORY_LENGTH],
      )
      await referenceSearch.replaceLabels(sqlOf(tx), claim.id, result.labels)
      await keepBrand(sqlOf(tx), claim.id, result.brand)
      return recordOf(row)
    },
    releaseClaim: async (tx, { id, leaseToken }) => {
      await sqlOf(tx).run(
        `UPDATE manifest_references SET lease_until = 0, lease_token = NULL, lost = lost - 1
         WHERE id = $1 AND lease_token = $2`,
        [id, leaseToken],
      )
    },
    history: (id, limit) => history(database, id, limit),
    search: (kind, prefix, limit) => referenceSearch.find(read, prefix, { kind, limit }),
  }
}

function recordOf(row: ReferenceRow): ReferenceRecord {
  return {
    id: row.id,
    domain: row.domain,
    manifest_type: row.manifest_type,
    reference_type: row.reference_type,
    manifest_url: row.manifest_url,
    agent_url: row.agent_url,
    agent_id: row.agent_id,
    verification_status: row.verification_status,
    proved_by: row.proved_by,
    completeness_score: row.completeness_score,
    contributed_by_org_id: row.contributed_by_org_id,
    last_verified_at: row.last_verified_at === 0 ? null : isoTime(row.last_verified_at),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
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
    reference: recordOf(known.get(row.id) ?? row),
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
      `SELECT ${COLUMNS} FROM manifest_references WHERE id IN ${placeholders(1, chunk.length)}`,
      chunk,
    )
    for (const row of rows) found.set(row.id, row)
  }
  return found
}

async function claimDue(
  { dialect }: Database,
  tx: Transaction,
  { limit, leaseMs, chooseLost }: Parameters<ReferenceStore['claimDue']>[1],
): Promise<ClaimedReference[]> {
  const now = await tx.now()
  const leaseToken = randomUUID()
  const due = (condition: string, place: number) =>
    `SELECT id, lost FROM manifest_references
     WHERE next_verification_at <= $${place} AND lease_until <= $${place} AND ${condition}
     ORDER BY next_verification_at LIMIT $${place + 1} ${skipLocked(dialect)}`
  const lost = await sqlOf(tx).all<PossiblyPoisonJob>(due('lost > 0', 1), [now, LOST_AT_ONCE])
  const { lost: ids, others } = (chooseLost ?? takeAny(limit))(lost)
  const rows: ClaimedRow[] = []
  const lease = async (those: string, params: readonly SqlValue[]) => {
    const taken = await sqlOf(tx).all<ClaimedRow>(
      `UPDATE manifest_references
       SET lease_until = $1, lease_token = $2, lost = lost + 1,
           next_verification_at = CASE WHEN next_verification_at = 0 THEN $3 ELSE next_verification_at END
       WHERE id IN (${those}) RETURNING ${COLUMNS}, failures, lost, is_proof_asked`,
      [now + leaseMs, leaseToken, now, ...params],
    )
    rows.push(...taken)
  }
  if (ids.length > 0) await lease(ids.map((_, n) => `$${n + 4}`).join(), ids)
  if (others > 0) await lease(`SELECT id FROM (${due('lost = 0', 4)}) AS due`, [now, others])
  return rows.map((row) => claimedOf(row, leaseToken))
}

function claimedOf(
  { failures, lost, is_proof_asked, ...row }: ClaimedRow,
  leaseToken: string,
): ClaimedReference {
  return {
    ...recordOf(row),
    leaseToken,
    failures,
    lost,
    isProofRequested: is_proof_asked === 1,
  }
}

type ClaimedRow = ReferenceRow & { failures: number; lost: number; is_proof_asked: number }

/** Lost references that one claim examines. */
const LOST_AT_ONCE = 100

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
