// The hot path of the registry: one row for a domain, at the end of one index.

import type { ManifestReference } from '../../protocol/manifest-reference.ts'
import type { Database } from '../sql/database.ts'

const RANKING = 'is_valid DESC, completeness_score DESC, last_verified_at DESC, created_at DESC, id'
const FIELDS = 'reference_type, manifest_url, agent_url, agent_id, verification_status'

export type BestReference = (
  domain: string,
  manifestType: string,
) => Promise<ManifestReference | undefined>

export function createBestReference(database: Database): BestReference {
  return database.dialect === 'sqlite' ? oneByOne(database) : together(database)
}

function oneByOne({ read }: Database): BestReference {
  const sql = `SELECT ${FIELDS} FROM manifest_references
    WHERE domain = $1 AND manifest_type = $2 ORDER BY ${RANKING} LIMIT 1`
  return (domain, manifestType) => read.get<ManifestReference>(sql, [domain, manifestType])
}

interface Waiting {
  domain: string
  manifestType: string
  resolve(reference: ManifestReference | undefined): void
  reject(error: unknown): void
}

/** Most lookups that share one round trip. */
const MAX_TOGETHER = 200

/** Over a network the round trip is the cost, so lookups of one turn of the loop share it. */
function together({ read }: Database): BestReference {
  let waiting: Waiting[] = []
  const sql = `SELECT asked.ordinality AS position, best.* FROM
      unnest(string_to_array($1, ' '), string_to_array($2, ' ')) WITH ORDINALITY AS asked (domain, manifest_type, ordinality)
    CROSS JOIN LATERAL (SELECT ${FIELDS} FROM manifest_references r
      WHERE r.domain = asked.domain AND r.manifest_type = asked.manifest_type
      ORDER BY ${RANKING} LIMIT 1) AS best`

  async function ask(batch: readonly Waiting[]): Promise<void> {
    try {
      const rows = await read.all<ManifestReference & { position: number }>(sql, [
        batch.map(({ domain }) => domain).join(' '),
        batch.map(({ manifestType }) => manifestType).join(' '),
      ])
      const found = new Map(rows.map(({ position, ...reference }) => [position, reference]))
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
