// Vectors of the sentence model in SQL. The catalogue is scanned for texts without one in the order of its
// changes, each place once per model; texts found but not yet processed are in signal_vector_claims. So the cost
// of a claim does not depend on the size of the catalogue.

import { admitAlone, type PossiblyPoisonJob } from '../../../lib/poison-jobs.ts'
import type { CatalogueSignal } from '../../../signals/catalogue.ts'
import type {
  ClaimedText,
  SignalText,
  SignalVector,
  SignalVectorStore,
  VectorCounts,
} from '../../../signals/store.ts'
import { type Database, placeholders, type SqlTransaction, sqlOf } from '../../sql/database.ts'
import { isIn, listed, valuesOf } from '../../sql/lists.ts'
import { FOR_UPDATE } from '../../sql/locks.ts'
import { chunksOf } from './rows.ts'
import type { SignalStoreParts } from './signals.ts'

type Dialect = Database['dialect']

const ROWS_AT_ONCE = 500
/** Positions examined by one statement, and statements of one claim: it ends soon. */
const LOOKED_AT_ONCE = 1_000
const MAX_LOOKS = 50

export function createSignalVectorStore(
  { dialect, read }: Database,
  parts: SignalStoreParts,
): SignalVectorStore {
  return {
    get: async (model, digests) => {
      const found = new Map<string, Uint8Array>()
      for (const chunk of chunksOf(digests, ROWS_AT_ONCE)) {
        const rows = await read.all<SignalVector>(
          `SELECT digest, vector FROM signal_vectors
           WHERE model = $1 AND ${isIn('digest', 2)}`,
          [model, listed(chunk)],
        )
        for (const { digest, vector } of rows) found.set(digest, vector)
      }
      return found
    },
    put: (tx, model, vectors) => put(sqlOf(tx), { model, vectors }),
    claimMissing: (tx, model, options) =>
      claimMissing({ dialect, tx: sqlOf(tx), ...parts }, model, options),
    release: async (tx, model, digests) => {
      await lockModel(sqlOf(tx), model)
      await sqlOf(tx).run(
        `UPDATE signal_vector_claims SET lease_until = 0, lost = lost - 1
         WHERE model = $1 AND lost > 0 AND ${isIn('digest', 2)}`,
        [model, listed(digests)],
      )
    },
    counts: async (model) => {
      const row = await read.get<CountsRow>(COUNTS, [model])
      return countsOf(row as CountsRow)
    },
    models: async () => {
      const rows = await read.all<{ model: string }>(
        'SELECT model FROM signal_vector_models WHERE vectors > 0 ORDER BY model',
      )
      return rows.map(({ model }) => model)
    },
    sweep: (tx) => sweep(sqlOf(tx)),
  }
}

/**
 * A transaction that claims, stores or sweeps vectors of a model holds its row until the commit: none of them sees
 * half of another's changes, and there are no deadlocks.
 */
async function lockModel(tx: SqlTransaction, model: string): Promise<number> {
  await tx.useIndexes()
  await tx.run(
    `INSERT INTO signal_vector_models (model, seq, vectors) VALUES ($1, 0, 0)
     ON CONFLICT DO NOTHING`,
    [model],
  )
  const row = await tx.get<{ seq: number }>(
    `SELECT seq FROM signal_vector_models WHERE model = $1
     ${FOR_UPDATE}`,
    [model],
  )
  return row?.seq ?? 0
}

async function put(
  tx: SqlTransaction,
  { model, vectors }: { model: string; vectors: readonly SignalVector[] },
): Promise<void> {
  if (vectors.length === 0) return
  await lockModel(tx, model)
  let added = 0
  for (const chunk of chunksOf(vectors, ROWS_AT_ONCE)) {
    // Equal texts have equal vectors, so the existing one is kept.
    added += await tx.run(
      `INSERT INTO signal_vectors (model, digest, vector) VALUES ${placeholders(chunk.length, 3)}
       ON CONFLICT DO NOTHING`,
      chunk.flatMap(({ digest, vector }) => [model, digest, vector]),
    )
    const digests = listed(chunk.map(({ digest }) => digest))
    await tx.run(`DELETE FROM signal_vector_claims WHERE model = $1 AND ${isIn('digest', 2)}`, [
      model,
      digests,
    ])
    // The signal may have been deleted while its vector was computed.
    await tx.run(
      `INSERT INTO signal_vector_orphans (digest)
       SELECT v.digest FROM signal_vectors v
       WHERE v.model = $1 AND ${isIn('v.digest', 2)}
         AND NOT EXISTS (SELECT 1 FROM signals s WHERE s.text_digest = v.digest)
       ON CONFLICT DO NOTHING`,
      [model, digests],
    )
  }
  await tx.run('UPDATE signal_vector_models SET vectors = vectors + $2 WHERE model = $1', [
    model,
    added,
  ])
}

interface Claiming extends SignalStoreParts {
  dialect: Dialect
  tx: SqlTransaction
}

async function claimMissing(
  on: Claiming,
  model: string,
  { limit, leaseMs }: { limit: number; leaseMs: number },
): Promise<ClaimedText[]> {
  const { tx } = on
  const before = await lockModel(tx, model)
  const now = await tx.now()
  const lost = await tx.all<PossiblyPoisonJob>(
    `SELECT digest AS id, lost FROM signal_vector_claims
     WHERE model = $1 AND lease_until <= $2 AND lost > 0 ORDER BY lease_until, digest LIMIT 1`,
    [model, now],
  )
  const { lost: alone, others } = admitAlone(lost, limit)
  const due = await tx.all<{ digest: string }>(
    `SELECT digest FROM signal_vector_claims WHERE model = $1 AND lease_until <= $2 AND lost = 0
     ORDER BY lease_until, digest LIMIT $3`,
    [model, now, others],
  )
  const claimed = await tx.all<ClaimedText>(
    `UPDATE signal_vector_claims SET lease_until = $2, lost = lost + 1
     WHERE model = $1 AND ${isIn('digest', 3)} RETURNING digest, text, lost`,
    [model, now + leaseMs, listed([...alone, ...due.map(({ digest }) => digest)])],
  )
  const { found, seq } = await lookFurther(on, model, {
    seq: before,
    limit: others - due.length,
  })
  await tx.runEach(
    `INSERT INTO signal_vector_claims (model, digest, text, lease_until, lost)
     VALUES ($1, $2, $3, $4, 1)`,
    found.map(({ digest, text }) => [model, digest, text, now + leaseMs]),
  )
  if (seq > before) {
    await tx.run('UPDATE signal_vector_models SET seq = $2 WHERE model = $1', [model, seq])
  }
  return [...claimed, ...found.map((text) => ({ ...text, lost: 1 }))]
}

/** Up to `limit` texts without a vector after a position in the order of changes, and the position reached. */
async function lookFurther(
  { tx, embeddedText }: Claiming,
  model: string,
  from: { seq: number; limit: number },
): Promise<{ found: SignalText[]; seq: number }> {
  const found = new Map<string, SignalText>()
  let { seq } = from
  for (let looks = 0; looks < MAX_LOOKS && found.size < from.limit; looks++) {
    const rows = await tx.all<{ seq: number; digest: string; is_known: number }>(
      `SELECT s.seq, s.text_digest AS digest,
         CASE WHEN EXISTS (SELECT 1 FROM signal_vectors v
                           WHERE v.model = $1 AND v.digest = s.text_digest)
           OR EXISTS (SELECT 1 FROM signal_vector_claims c
                      WHERE c.model = $1 AND c.digest = s.text_digest)
           THEN 1 ELSE 0 END AS is_known
       FROM signals s WHERE s.seq > $2 ORDER BY s.seq LIMIT ${LOOKED_AT_ONCE}`,
      [model, seq],
    )
    const wanted: { seq: number; digest: string }[] = []
    const known = new Set(found.keys())
    for (const row of rows) {
      const isWanted = row.is_known === 0 && !known.has(row.digest)
      if (isWanted && known.size === from.limit) break
      seq = row.seq
      if (!isWanted) continue
      known.add(row.digest)
      wanted.push(row)
    }
    for (const { digest, signal } of await signalsAt(tx, wanted)) {
      found.set(digest, { digest, text: embeddedText(JSON.parse(signal) as CatalogueSignal) })
    }
    if (rows.length < LOOKED_AT_ONCE) break
  }
  return { found: [...found.values()], seq }
}

async function signalsAt(
  tx: SqlTransaction,
  places: readonly { seq: number }[],
): Promise<{ digest: string; signal: string }[]> {
  if (places.length === 0) return []
  return tx.all(
    `SELECT text_digest AS digest, signal FROM signals WHERE seq IN ${valuesOf('BIGINT')} ORDER BY seq`,
    [JSON.stringify(places.map(({ seq }) => seq))],
  )
}

interface CountsRow {
  signals: number
  latest: number
  looked_to: number | null
  vectors: number | null
  claims: number
}

const COUNTS = `SELECT c.signals, c.seq AS latest, m.seq AS looked_to, m.vectors,
    (SELECT count(*) FROM (SELECT 1 FROM signal_vector_claims WHERE model = $1 LIMIT 1) AS one) AS claims
  FROM signal_catalogue c LEFT JOIN signal_vector_models m ON m.model = $1 WHERE c.id = 1`

function countsOf({ signals, latest, looked_to, vectors, claims }: CountsRow): VectorCounts {
  return {
    signals,
    // Until they are swept, some belong to deleted signals.
    vectors: Math.min(vectors ?? 0, signals),
    isWhole: (looked_to ?? 0) >= latest && claims === 0,
  }
}

async function sweep(tx: SqlTransaction): Promise<number> {
  await tx.useIndexes()
  await tx.all(`SELECT model FROM signal_vector_models ORDER BY model ${FOR_UPDATE}`)
  for (;;) {
    const orphans = await tx.all<{ digest: string }>(
      `DELETE FROM signal_vector_orphans WHERE digest IN (
         SELECT digest FROM signal_vector_orphans LIMIT ${ROWS_AT_ONCE}) RETURNING digest`,
    )
    if (orphans.length === 0) return 0
    const deleted = await deleteUnused(tx, orphans)
    if (deleted > 0) return deleted
  }
}

/** Deletes the vectors of these texts that no signal has. */
async function deleteUnused(
  tx: SqlTransaction,
  orphans: readonly { digest: string }[],
): Promise<number> {
  const digests = listed(orphans.map(({ digest }) => digest))
  const unused = `${isIn('digest', 1)}
    AND NOT EXISTS (SELECT 1 FROM signals s WHERE s.text_digest = digest)`
  await tx.run(`DELETE FROM signal_vector_claims WHERE ${unused}`, [digests])
  const deleted = await tx.all<{ model: string }>(
    `DELETE FROM signal_vectors WHERE ${unused} RETURNING model`,
    [digests],
  )
  const byModel = new Map<string, number>()
  for (const { model } of deleted) byModel.set(model, (byModel.get(model) ?? 0) + 1)
  for (const [model, count] of byModel) {
    await tx.run('UPDATE signal_vector_models SET vectors = vectors - $2 WHERE model = $1', [
      model,
      count,
    ])
  }
  return deleted.length
}
