// Reading the changes and the summary of the signal catalogue, in SQL.

import { defined } from '../../../lib/defined.ts'
import type { CatalogueStats, ChangePage, SignalChange } from '../../../signals/store.ts'
import type { Database, Queryable } from '../../sql/database.ts'
import { type CatalogueRow, type SignalRow, storedOf } from './rows.ts'

/** A change, or, when there is none, a placeholder: the row of the catalogue alone. */
type ChangeRow = { latest: number; forgotten: number } & (
  | { signal_agent_segment_id: null }
  | SignalRow
  | (Omit<SignalRow, 'signal'> & { signal: null })
)

// One statement, so that signals, removals and the latest position come from one snapshot: if removals were read a
// moment after the signals, the reader could skip changes committed in between.
const CHANGES = `SELECT c.seq AS latest, c.forgotten, x.signal_agent_segment_id, x.seq, x.version,
    x.text_digest, x.changed_at, x.signal
  FROM signal_catalogue c LEFT JOIN (
    SELECT * FROM (
      SELECT * FROM (
        SELECT signal_agent_segment_id, seq, version, text_digest, changed_at, signal
        FROM signals WHERE seq > $1 ORDER BY seq LIMIT $2) AS kept
      UNION ALL
      SELECT * FROM (
        SELECT signal_agent_segment_id, seq, CAST(NULL AS BIGINT), CAST(NULL AS TEXT), removed_at,
          CAST(NULL AS TEXT)
        FROM signal_removals WHERE seq > $1 ORDER BY seq LIMIT $2) AS removed
    ) AS all_changes ORDER BY seq LIMIT $2
  ) AS x ON 1 = 1
  WHERE c.id = 1 ORDER BY x.seq`

export async function changes(read: Queryable, after: number, limit: number): Promise<ChangePage> {
  const rows = await read.all<ChangeRow>(CHANGES, [after, limit + 1])
  const { latest = 0, forgotten = 0 } = rows[0] ?? {}
  // A position that was never issued comes from another database, such as one restored from a copy.
  if (after > 0 && (after < forgotten || after > latest)) {
    return { changes: [], last: after, more: false, isExpired: true }
  }
  const found = rows.flatMap((row) => (row.signal_agent_segment_id === null ? [] : [changeOf(row)]))
  const more = found.length > limit
  const page = found.slice(0, limit)
  return { changes: page, last: more ? (page.at(-1)?.seq ?? after) : latest, more }
}

function changeOf(row: SignalRow | (Omit<SignalRow, 'signal'> & { signal: null })): SignalChange {
  const { signal_agent_segment_id: id, seq, signal } = row
  return signal === null ? { id, seq } : { id, seq, stored: storedOf({ ...row, signal }) }
}

const domainsSql = (signal: string) => `WITH part AS MATERIALIZED (
    SELECT signal_agent_segment_id AS id, CASE
      WHEN signal_type = 'marketplace' AND ${signal} -> 'visibility' IS NULL
      THEN CAST(${signal} -> 'data_provider_domain' AS TEXT) END AS domain
    FROM signals WHERE signal_agent_segment_id > $1
    ORDER BY signal_agent_segment_id LIMIT $2)
  SELECT DISTINCT domain, (SELECT max(id) FROM part) AS last, (SELECT count(*) FROM part) AS n
  FROM part`
// PostgreSQL parses every string it reads and fails at what its texts cannot hold: both escapes are replaced.
const READABLE = String.raw`CAST(replace(replace(signal, '\u0000', '\u0020'), '\ud', '\u0') AS JSON)`
const DOMAINS = { sqlite: domainsSql('signal'), postgres: domainsSql(READABLE) }

export async function providerDomains(
  { read, dialect }: Pick<Database, 'read' | 'dialect'>,
  after: string,
  limit: number,
): Promise<{ domains: string[]; next: string | undefined }> {
  const rows = await read.all<{ domain: string | null; last: string; n: number }>(
    DOMAINS[dialect],
    [after, limit],
  )
  const [first] = rows
  return {
    domains: rows.flatMap(({ domain }) => (domain === null ? [] : [JSON.parse(domain) as string])),
    next: first && first.n === limit ? first.last : undefined,
  }
}

export async function stats(
  read: Queryable,
  { seq, signals }: CatalogueRow,
): Promise<CatalogueStats> {
  const types = await read.all<{ type: string; n: number }>(
    'SELECT signal_type AS type, count(*) AS n FROM signals GROUP BY signal_type ORDER BY 1',
  )
  const rest = await read.get<{ providers: number; changed_at: number | null }>(
    `SELECT count(DISTINCT data_provider) AS providers, max(changed_at) AS changed_at
     FROM signals`,
  )
  return {
    signals,
    by_type: Object.fromEntries(types.map(({ type, n }) => [type, n])),
    data_providers: rest?.providers ?? 0,
    latest: seq,
    ...defined({ changed_at: rest?.changed_at ? rest.changed_at : undefined }),
  }
}
