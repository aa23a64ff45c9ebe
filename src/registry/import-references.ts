// Bulk import: JSON lines in, references out. Each batch is one transaction, so a crash leaves only complete rows;
// repeating an import finds the existing rows and adds nothing twice.

import type { UrlCheck } from '../lib/safe-fetch/safe-fetch.ts'
import type { Transact } from '../lib/transaction.ts'
import { parseReference } from './parse-reference.ts'
import { referenceEvent } from './references.ts'
import type { FeedStore, NewReference, ReferenceStore } from './store.ts'
import { VERIFICATION_TOPIC } from './verification-schedule.ts'

export interface ImportPorts {
  transact: Transact
  references: ReferenceStore
  feed: FeedStore
  checkUrl: (url: string) => UrlCheck
}

export interface ImportOptions {
  /** The contributor of the references, and how the feed names it. */
  contributor: { organizationId: string; actor: string }
  /** Called for every skipped line, with its line number in the file. */
  onBadLine: (line: number, error: string) => void
  /** Called after each commit with the lines read so far. */
  onProgress?: (lines: number) => void
  /** Called for each reference that would be added; with this set, nothing is changed. */
  onlyReport?: (line: number, reference: NewReference) => void
  /** Lines per transaction. Default 50 000: smaller batches write the same index pages again and again. */
  batchSize?: number
}

export interface ImportTotals {
  lines: number
  added: number
  known: number
  bad: number
}

const SLICE = 500
const MAX_LINE_CHARS = 16_384

export async function importReferences(
  ports: ImportPorts,
  lines: AsyncIterable<string>,
  { contributor, onBadLine, onProgress, onlyReport, batchSize = 50_000 }: ImportOptions,
): Promise<ImportTotals> {
  const totals: ImportTotals = { lines: 0, added: 0, known: 0, bad: 0 }
  let batch: GoodLine[] = []
  const seen = new Set<string>()

  const commit = async () => {
    const good = batch
    batch = []
    if (onlyReport) await lookAtBatch(ports, good, { seen, totals, onlyReport })
    else if (good.length > 0) {
      const references = good.map(({ reference }) => reference)
      await addBatch(ports, references, { actor: contributor.actor, totals })
    }
    onProgress?.(totals.lines)
  }
  for await (const line of lines) {
    totals.lines++
    if (line.trim() === '') continue
    const parsed = parseLine(line, ports.checkUrl)
    if (!parsed.ok) {
      totals.bad++
      onBadLine(totals.lines, parsed.error)
      continue
    }
    const { organizationId: contributed_by_org_id } = contributor
    batch.push({ line: totals.lines, reference: { ...parsed.reference, contributed_by_org_id } })
    if (batch.length >= batchSize) await commit()
  }
  await commit()
  return totals
}

interface GoodLine {
  line: number
  reference: NewReference
}

interface Looking {
  /** The ids that earlier lines would add. */
  seen: Set<string>
  totals: ImportTotals
  onlyReport: NonNullable<ImportOptions['onlyReport']>
}

/** Counts and reports what `addBatch` would do. */
async function lookAtBatch(
  { references }: Pick<ImportPorts, 'references'>,
  good: readonly GoodLine[],
  { seen, totals, onlyReport }: Looking,
): Promise<void> {
  const ids = await references.idsOf(good.map(({ reference }) => reference))
  for (const [at, { line, reference }] of good.entries()) {
    const { id, isKnown } = ids[at] ?? { id: '', isKnown: true }
    if (isKnown || seen.has(id)) {
      totals.known++
      continue
    }
    seen.add(id)
    totals.added++
    onlyReport(line, reference)
  }
}

async function addBatch(
  ports: ImportPorts,
  references: readonly NewReference[],
  { actor, totals }: { actor: string; totals: ImportTotals },
): Promise<void> {
  // Rows that are adjacent in the index are inserted together; each slice is released before the next is created.
  const sorted = references.toSorted((a, b) => (a.domain < b.domain ? -1 : 1))
  const added = await ports.transact(async (tx) => {
    const verifyAt = await tx.now()
    let total = 0
    for (let start = 0; start < sorted.length; start += SLICE) {
      const slice = sorted.slice(start, start + SLICE)
      const answers = await ports.references.add(tx, slice, { verifyAt })
      const created = answers.filter((answer) => answer.created)
      await ports.feed.append(
        tx,
        created.map(({ reference }) =>
          referenceEvent('manifest_ref.created', reference, { actor }),
        ),
      )
      total += created.length
    }
    if (total > 0) await tx.wake(VERIFICATION_TOPIC)
    return total
  })
  totals.added += added
  totals.known += references.length - added
}

function parseLine(line: string, checkUrl: ImportPorts['checkUrl']) {
  if (line.length > MAX_LINE_CHARS) {
    return { ok: false as const, error: `longer than ${MAX_LINE_CHARS} characters` }
  }
  let input: unknown
  try {
    input = JSON.parse(line)
  } catch {
    return { ok: false as const, error: 'not JSON: each line is one reference object' }
  }
  return parseReference(input, checkUrl)
}
