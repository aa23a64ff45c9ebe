// The verification of references in SQL: the lease that lets several instances share it, and what it came to.

import { randomUUID } from 'node:crypto'
import type { PossiblyPoisonJob } from '../../../lib/poison-jobs.ts'
import type { Transaction } from '../../../lib/transaction.ts'
import { authorityOf, PROVED_ONCE } from '../../../protocol/proof.ts'
import type { ClaimedReference, ReferenceStore } from '../../../registry/store.ts'
import { type SqlValue, sqlOf } from '../../sql/database.ts'
import { SKIP_LOCKED } from '../../sql/locks.ts'
import { takeAny } from '../../sql/take-any.ts'
import { keepBrand } from '../brands/brands.ts'
import type { BestReference } from './best-reference.ts'
import { REFERENCE_COLUMNS, type ReferenceRow, referenceOf } from './reference-row.ts'
import { referenceSearch } from './search.ts'

/** Verifications kept of each reference. */
const HISTORY_LENGTH = 50

export function verificationClaims(
  best: BestReference,
): Pick<ReferenceStore, 'claimDue' | 'take' | 'recordVerification' | 'releaseClaim'> {
  return {
    claimDue: (tx, options) => claimDue(tx, options),
    take: async (tx, id) => {
      const leaseToken = randomUUID()
      const row = await sqlOf(tx).get<ClaimedRow>(
        `UPDATE manifest_references SET lease_token = $2 WHERE id = $1
         RETURNING ${REFERENCE_COLUMNS}, failures, lost, is_proof_asked`,
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
         WHERE id = $1 AND lease_token = $2 RETURNING ${REFERENCE_COLUMNS}`,
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
      await keepVerification(tx, claim.id, { result, now })
      await referenceSearch.replaceLabels(sqlOf(tx), claim.id, result.labels)
      await keepBrand(sqlOf(tx), { referenceId: claim.id, now }, result.brand)
      return referenceOf(row)
    },
    releaseClaim: async (tx, { id, leaseToken }) => {
      await sqlOf(tx).run(
        `UPDATE manifest_references SET lease_until = 0, lease_token = NULL, lost = lost - 1
         WHERE id = $1 AND lease_token = $2`,
        [id, leaseToken],
      )
    },
  }
}

type Verification = Parameters<ReferenceStore['recordVerification']>[2]

/** In the history of the reference, of which only the newest entries are kept. */
async function keepVerification(
  tx: Transaction,
  id: string,
  { result, now }: { result: Verification; now: number },
): Promise<void> {
  await sqlOf(tx).run(
    `INSERT INTO reference_verifications
       (reference_id, verified_at, verification_status, completeness_score, reason, issues, duration_ms, proved_by)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      id,
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
    [id, HISTORY_LENGTH],
  )
}

async function claimDue(
  tx: Transaction,
  { limit, leaseMs, chooseLost }: Parameters<ReferenceStore['claimDue']>[1],
): Promise<ClaimedReference[]> {
  const now = await tx.now()
  const leaseToken = randomUUID()
  const due = (condition: string, place: number) =>
    `SELECT id, lost FROM manifest_references
     WHERE next_verification_at <= $${place} AND lease_until <= $${place} AND ${condition}
     ORDER BY next_verification_at LIMIT $${place + 1} ${SKIP_LOCKED}`
  const lost = await sqlOf(tx).all<PossiblyPoisonJob>(due('lost > 0', 1), [now, LOST_AT_ONCE])
  const { lost: ids, others } = (chooseLost ?? takeAny(limit))(lost)
  const rows: ClaimedRow[] = []
  const lease = async (those: string, params: readonly SqlValue[]) => {
    const taken = await sqlOf(tx).all<ClaimedRow>(
      `UPDATE manifest_references
       SET lease_until = $1, lease_token = $2, lost = lost + 1,
           next_verification_at = CASE WHEN next_verification_at = 0 THEN $3 ELSE next_verification_at END
       WHERE id IN (${those}) RETURNING ${REFERENCE_COLUMNS}, failures, lost, is_proof_asked`,
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
    ...referenceOf(row),
    leaseToken,
    failures,
    lost,
    isProofRequested: is_proof_asked === 1,
  }
}

type ClaimedRow = ReferenceRow & { failures: number; lost: number; is_proof_asked: number }

/** Lost references that one claim examines. */
const LOST_AT_ONCE = 100
