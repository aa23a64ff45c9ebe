// Search over references: by the beginning of the domain, or of a word that a verified manifest uses for itself or
// its properties. Both read the start of an index range, so a search costs the same at any size; if there are more
// than a thousand entries, it returns the alphabetically first ones.

import { isStorable } from '../../../lib/storable-text.ts'
import type { SearchHit, SearchLabel } from '../../../registry/store.ts'
import type { Queryable } from '../../sql/database.ts'
import { RANKING } from './best-reference.ts'

export const referenceSearch = { find, replaceLabels }

const MAX_WORDS = 200

/** Maximum index entries that a search reads: a short query must not cost more than a long one. */
const LOOKED_AT = 1_000

/** Sorts after every string that begins with the prefix, in byte order. */
export const AFTER_PREFIX = '\u{10ffff}'

async function find(
  read: Queryable,
  prefix: string,
  { kind, limit }: { kind: SearchLabel['kind']; limit: number },
): Promise<SearchHit[]> {
  if (!isStorable(prefix)) return []
  const byWord = await read.all<Omit<SearchHit, 'kind'>>(
    `SELECT DISTINCT r.domain, w.label, r.verification_status
     FROM (SELECT reference_id, kind, label FROM reference_words
           WHERE word >= $1 AND word < $2 ORDER BY word, reference_id, kind, label LIMIT ${LOOKED_AT}) AS w
     JOIN manifest_references r ON r.id = w.reference_id
     WHERE w.kind = $3 ORDER BY w.label, r.domain LIMIT $4`,
    [prefix, prefix + AFTER_PREFIX, kind, limit],
  )
  const hits = byWord.map((row) => ({ ...row, kind }))
  if (kind === 'property' || hits.length >= limit) return hits
  const known = new Set(hits.map(({ domain }) => domain))
  const byDomain = await read.all<Omit<SearchHit, 'kind' | 'label'> & { title: string | null }>(
    `SELECT domain, title, verification_status
     FROM (SELECT * FROM manifest_references
           WHERE domain >= $1 AND domain < $2 ORDER BY domain, manifest_type, ${RANKING} LIMIT ${LOOKED_AT}) AS d
     WHERE manifest_type = $3 ORDER BY domain, ${RANKING} LIMIT $4`,
    [prefix, prefix + AFTER_PREFIX, kind === 'brand' ? 'brand.json' : 'adagents.json', limit * 4],
  )
  for (const { domain, title, verification_status } of byDomain) {
    if (hits.length >= limit) break
    if (known.has(domain)) continue
    known.add(domain)
    hits.push({ kind, domain, label: title ?? domain, verification_status })
  }
  return hits
}

async function replaceLabels(
  tx: Queryable,
  referenceId: string,
  labels: readonly SearchLabel[],
): Promise<void> {
  await tx.run('DELETE FROM reference_words WHERE reference_id = $1', [referenceId])
  let left = MAX_WORDS
  for (const { kind, label } of labels) {
    for (const word of wordsOf(label)) {
      if (left-- <= 0) return
      await tx.run(
        'INSERT INTO reference_words (word, reference_id, kind, label) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
        [word, referenceId, kind, label],
      )
    }
  }
}

/** The words of a label, and the label itself, so that "acme shoes" is found as typed. */
function wordsOf(label: string): string[] {
  const whole = label.normalize('NFKC').toLowerCase().trim().slice(0, 200)
  const words = whole.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  return [...new Set([whole, ...words])]
}
