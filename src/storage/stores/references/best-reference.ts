// The hot path of the registry: one row for a domain, at the end of one index. The response is JSON text built by the
// database, because building an object only to serialize it again costs more than finding the row.

import { createRecentCache } from '../../../lib/recent-cache.ts'
import { MANIFEST_TYPES } from '../../../protocol/manifest-reference.ts'
import type { Database, SqlTransaction } from '../../sql/database.ts'

/**
 * The order of the index `manifest_references_best`, and the id: references with the strongest domain verification
 * come first.
 */
export const RANKING =
  'authority DESC, completeness_score DESC, last_verified_at DESC, created_at DESC, id'
const FIELDS = [
  'reference_type',
  'manifest_url',
  'agent_url',
  'agent_id',
  'verification_status',
] as const

export interface BestReference {
  /** Returns immediately if the answer is cached. */
  find(domain: string, manifestType: string): string | undefined | Promise<string | undefined>
  /** Must be called with every domain whose references a transaction changes. */
  changed(tx: SqlTransaction, domains: readonly string[]): void
}

type Find = (domain: string, manifestType: string) => Promise<string | undefined>

export function createBestReference(database: Database): BestReference {
  if (!database.foreignVersion) return { find: together(database), changed: () => {} }
  return remembered(oneByOne(database), database.foreignVersion)
}

const REMEMBERED = 262_144
/** How long a change made by another process (an administrative command) may go unseen. */
const FOREIGN_CHECK_MS = 50

/**
 * If one process does all the writing, it can tell when an answer changes: its own changes are evicted from the cache
 * as they commit, and everything is evicted when another process has written.
 */
function remembered(find: Find, foreignVersion: () => number): BestReference {
  const known = createRecentCache<string | null>(REMEMBERED)
  let version = foreignVersion()
  let checkedAt = performance.now()
  let changes = 0
  const noticeOthers = () => {
    const now = performance.now()
    if (now - checkedAt < FOREIGN_CHECK_MS) return
    checkedAt = now
    const current = foreignVersion()
    if (current === version) return
    version = current
    changes++
    known.clear()
  }
  return {
    find: (domain, manifestType) => {
      noticeOthers()
      const key = `${domain} ${manifestType}`
      const answer = known.get(key)
      if (answer !== undefined) return answer ?? undefined
      const before = changes
      return find(domain, manifestType).then((found) => {
        // A value read before a change must not be cached after it.
        if (changes === before) known.set(key, found ?? null)
        return found
      })
    },
    changed: (tx, domains) => {
      tx.afterCommit(() => {
        changes++
        for (const domain of domains) {
          for (const type of MANIFEST_TYPES) known.delete(`${domain} ${type}`)
        }
      })
    },
  }
}

function oneByOne({ read }: Database): Find {
  const json = `json_object(${FIELDS.map((field) => `'${field}', ${field}`).join(', ')})`
  const sql = `SELECT ${json} AS json FROM manifest_references
    WHERE domain = $1 AND manifest_type = $2 ORDER BY ${RANKING} LIMIT 1`
  return async (domain, manifestType) =>
    (await read.get<{ json: string }>(sql, [domain, manifestType]))?.json
}

interface Waiting {
  domain: string
  manifestType: string
  resolve(reference: string | undefined): void
  reject(error: unknown): void
}

/** Most lookups that share one round trip. */
const MAX_TOGETHER = 200

/** Over a network the round trip is the cost, so lookups of one event loop turn share it. */
function together({ read }: Database): Find {
  let waiting: Waiting[] = []
  const members = FIELDS.map(
    (field) => `'"${field}":' || coalesce(to_json(${field})::text, 'null')`,
  )
  const sql = `SELECT asked.ordinality AS position, best.json FROM
      unnest(string_to_array($1, ' '), string_to_array($2, ' ')) WITH ORDINALITY AS asked (domain, manifest_type, ordinality)
    CROSS JOIN LATERAL (SELECT '{' || ${members.join(" || ',' || ")} || '}' AS json FROM manifest_references r
      WHERE r.domain = asked.domain AND r.manifest_type = asked.manifest_type
      ORDER BY ${RANKING} LIMIT 1) AS best`

  async function ask(batch: readonly Waiting[]): Promise<void> {
    try {
      const rows = await read.all<{ position: number; json: string }>(sql, [
        batch.map(({ domain }) => domain).join(' '),
        batch.map(({ manifestType }) => manifestType).join(' '),
      ])
      const found = new Map(rows.map(({ position, json }) => [position, json]))
      batch.forEach((one, index) => {
        one.resolve(found.get(index + 1))
      })
    } catch (error) {
      for (const one of batch) one.reject(error)
    }
  }

  function flush(): void {
    const all = waiting
    waiting = []
    for (let start = 0; start < all.length; start += MAX_TOGETHER) {
      void ask(all.slice(start, start + MAX_TOGETHER))
    }
  }

  return (domain, manifestType) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(flush)
      waiting.push({ domain, manifestType, resolve, reject })
    })
}
