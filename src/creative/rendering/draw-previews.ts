// Draws the creatives of one call in the worker pool: in a few jobs at once, so that a batch uses all its workers,
// and with the tags they need fetched. A creative that is too costly fails alone. What was drawn before is cached
// here, and costs no job.

import { hash } from 'node:crypto'
import { createRecentCache, type RecentCache } from '../../lib/recent-cache.ts'
import type { Egress } from '../../lib/safe-fetch/safe-fetch.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import { revived } from '../../lib/worker-pool/thrown-in-worker.ts'
import { isTooCostly, type WorkerPoolError } from '../../lib/worker-pool/worker-pool-error.ts'
import { type TaskError, taskError } from '../../protocol/errors.ts'
import type { CreativeQuality, PreviewOutput } from '../../protocol/schemas/preview.ts'
import type { FormatCatalogue } from '../format-catalogue.ts'
import { type CreativeWorkerPool, type OnBehalf, wasKilled } from '../jobs/creative-worker-pool.ts'
import { costOf } from '../jobs/too-costly.ts'
import { MAX_CALL_CHARS } from '../limits.ts'
import {
  type DrawItem,
  type DrawnItem,
  type DrawnPart,
  type DrawRequest,
  tooManyChars,
} from './draw-items.ts'
import { createFetchTag, type FetchTag } from './fetch-tag.ts'
import { createFindFormat, type FindFormatOf } from './format-of-item.ts'
import type { FetchedTag, TagAddress } from './resolve-tag.ts'

export interface DrawPorts {
  catalogue: FormatCatalogue
  workerPool: CreativeWorkerPool
  /** Fetches VAST and DAAST tags. Default: none is fetched. */
  egress?: Pick<Egress, 'fetch'> | undefined
  /** Hosts from which markup and scripts of a creative may load. Default none. */
  allowHosts?: readonly string[] | undefined
  /** Workers of the worker pool, among which a batch is shared out. Default 2. */
  workers?: number
  /** Receives unexpected errors of one creative. */
  onFault: (error: unknown) => void
}

export interface DrawCall {
  /** The names of this server in format ids. */
  ownAgentUrls: readonly string[]
  /** The output for a creative that does not specify one. */
  output: PreviewOutput
  /** The quality for a creative that does not specify one. */
  quality?: CreativeQuality | undefined
  /** Whether the call is from 3.x, where slots also have other names. Default false. */
  isNewer?: boolean
  /** Whether the shape of the requests was checked. */
  isShaped: boolean
  by: OnBehalf & { signal: AbortSignal }
}

/** Drawn once, whatever the number of calls that display it. */
export interface SharedDrawing extends DrawnItem {
  drawingId: string
  /** Whether it was returned to an earlier call, which may have stored it. */
  mayBeStored: boolean
}

type Outcome = { ok: true; item: SharedDrawing } | { ok: false; errors: readonly TaskError[] }

/** With notes on how the request was read. */
type ReportedOutcome = Outcome & { reported: readonly string[] }

/** In request order. An invalid one does not make the others fail. */
export type DrawPreviews = (
  requests: readonly unknown[],
  call: DrawCall,
) => Promise<ReportedOutcome[]>

/** At most 16 million characters in all. */
const KEPT_CREATIVES = 512
const MAX_KEPT_CHARS = 32 * 1_024
/** The minimum number of items per job, if there are enough: a message costs as much as a few small creatives. */
const LEAST_ITEMS = 4
const CHARS_PER_JOB = 256 * 1_024
/** For a job whose creatives are so small that none of them is expected to cost too much. */
const LIGHT_CHARS = 64 * 1_024

export function createDrawPreviews(ports: DrawPorts): DrawPreviews {
  const kept = createRecentCache<SharedDrawing>(KEPT_CREATIVES)
  const findFormat = createFindFormat(ports.catalogue)
  return async (requests, call) => {
    const formatOf = findFormat(call)
    const context = { ports, call, fetchTag: createFetchTag(ports.egress, call.by.signal), kept }
    const most = itemsPerJob(requests.length, ports.workers ?? 2)
    const jobs = startJobs(most, (job) => drawJob(job, context))
    const firsts = new Map<string, Work>()
    const works = requests.map((request) => {
      const work = workOf(request, formatOf, call)
      work.outcome = rememberedFor(work, kept)
      if (work.outcome) return work
      // Equal requests are drawn once: the others get the result of the first.
      const first = work.key === undefined ? undefined : firsts.get(work.key)
      if (first) return { ...work, first }
      if (work.key !== undefined) firsts.set(work.key, work)
      jobs.add(work)
      return work
    })
    await jobs.end()
    for (const work of works) work.outcome ??= work.first?.outcome
    const outcomes = withinBudget(works.map(({ outcome }) => outcome as Outcome))
    return works.map(({ reported }, index) => ({ ...(outcomes[index] as Outcome), reported }))
  }
}

interface Work {
  item: DrawItem & { documents: Map<string, FetchedTag> }
  /** Equal for equal requests; undefined if the result would be too large to cache. */
  key: string | undefined
  outcome: Outcome | undefined
  reported: readonly string[]
  /** The equal request in the call that is drawn. */
  first?: Work
}

function workOf(request: unknown, formatOf: FindFormatOf, call: DrawCall): Work {
  const { meant, reported, ...found } = formatOf(request)
  const json = JSON.stringify(meant)
  const { output, isShaped } = call
  const isKept = found.format !== undefined && json.length <= MAX_KEPT_CHARS
  // The same creative with its members in another order is drawn again, but stored only once.
  const key = isKept
    ? hash('sha256', `${output} ${found.isSameFormat} ${json}`, 'base64url')
    : undefined
  return {
    item: { json, isShaped, output, ...found, documents: new Map() },
    key,
    outcome: undefined,
    reported,
  }
}

function rememberedFor({ key }: Work, kept: RecentCache<SharedDrawing>): Outcome | undefined {
  const known = key === undefined ? undefined : kept.get(key)
  return known && { ok: true, item: known }
}

/** One job per worker; large creatives need more jobs. */
function itemsPerJob(requests: number, workers: number): number {
  return Math.max(Math.ceil(requests / workers), LEAST_ITEMS)
}

/** Starts a job when there is enough for one, so that it is drawn while the others are still being prepared. */
function startJobs(most: number, start: (works: readonly Work[]) => Promise<void>) {
  const started: Promise<void>[] = []
  let [next, chars]: [Work[], number] = [[], 0]
  const flush = () => {
    if (next.length === 0) return
    const job = start(next)
    // Handled at the end; until then this keeps it from being an unhandled rejection.
    job.catch(() => {})
    started.push(job)
    next = []
    chars = 0
  }
  return {
    add: (work: Work) => {
      const size = work.item.json.length
      if (chars + size > CHARS_PER_JOB) flush()
      next.push(work)
      chars += size
      if (next.length === most) flush()
    },
    end: async () => {
      flush()
      await Promise.all(started)
    },
  }
}

interface Context {
  ports: DrawPorts
  call: DrawCall
  fetchTag: FetchTag
  kept: RecentCache<SharedDrawing>
}

/** Repeats until each has an outcome: those that need tags are requested again with the tags. */
async function drawJob(works: readonly Work[], context: Context): Promise<void> {
  let left = works
  let reportsEach = !areLight(works)
  for (let deaths = 0; left.length > 0; ) {
    const { parts, failure } = await drawOnce(left, reportsEach, context)
    await Promise.all(left.map((work, index) => settle(work, parts[index], context)))
    if (isTooCostly(failure)) {
      // The one that caused it is known if each is reported, or if there is only one.
      const culprit = reportsEach || left.length === 1 ? left[parts.length] : undefined
      if (culprit) culprit.outcome = tooCostly(failure)
      reportsEach = true
    } else if (failure !== undefined) {
      // Killed from outside, which says nothing about the drawing: try once more.
      if (!wasKilled(failure) || ++deaths > 1) throw failure
    } else if (parts.length < left.length) {
      throw new Error('a job ended without reporting all its creatives')
    }
    left = left.filter(({ outcome }) => !outcome)
  }
}

function areLight(works: readonly Work[]): boolean {
  return works.reduce((sum, { item }) => sum + item.json.length, 0) <= LIGHT_CHARS
}

async function drawOnce(
  works: readonly Work[],
  reportsEach: boolean,
  { ports: { allowHosts = [], workerPool }, call }: Context,
): Promise<{ parts: DrawnPart[]; failure?: unknown }> {
  const parts: DrawnPart[] = []
  const request = { ...sentOf(works), reportsEach, allowHosts }
  try {
    const onPart = (part: DrawnPart) => parts.push(part)
    const last = await workerPool.run('draw_previews', request, { ...call.by, onPart })
    parts.push(...last)
    return { parts }
  } catch (failure) {
    return { parts, failure }
  }
}

/** Each format once: in full, it is longer than most creatives. */
function sentOf(works: readonly Work[]): Pick<DrawRequest, 'items' | 'formats'> {
  const places = new Map<string, number>()
  const items = works.map(({ item }) => {
    const { format } = item
    if (format === undefined) return { ...item, format }
    const place = places.get(format) ?? places.size
    places.set(format, place)
    return { ...item, format: place }
  })
  return { items, formats: [...places.keys()] }
}

async function settle(work: Work, part: DrawnPart | undefined, context: Context): Promise<void> {
  const { kept, fetchTag, ports } = context
  switch (part?.state) {
    case 'wants':
      await fetchAll(work, part.tags, fetchTag)
      return
    case 'refused':
      work.outcome = { ok: false, errors: part.errors }
      return
    case 'broken': {
      ports.onFault(revived(part.error))
      const message = 'this creative could not be drawn'
      work.outcome = { ok: false, errors: [taskError('SERVICE_UNAVAILABLE', message)] }
      return
    }
    case 'drawn': {
      const item = { ...part.item, drawingId: uuid7(Date.now()), mayBeStored: false }
      work.outcome = { ok: true, item }
      const isSmall = charsOf(item) + item.recipe.length <= MAX_KEPT_CHARS
      if (item.isLasting && isSmall && work.key !== undefined) {
        kept.set(work.key, { ...item, mayBeStored: true })
      }
      return
    }
    default:
      return
  }
}

async function fetchAll(
  { item }: Work,
  tags: readonly TagAddress[],
  fetchTag: FetchTag,
): Promise<void> {
  const fetched = await Promise.all(tags.map(({ url }) => fetchTag(url)))
  for (const [index, { url }] of tags.entries()) {
    item.documents.set(url, fetched[index] as FetchedTag)
  }
}

function tooCostly(failure: WorkerPoolError): Outcome {
  const message = `this creative cannot be drawn: ${costOf(failure)}`
  const field = '/creative_manifest'
  return { ok: false, errors: [taskError('VALIDATION_ERROR', message, { field })] }
}

function charsOf({ previews }: DrawnItem): number {
  let chars = 0
  for (const { pages } of previews) for (const { html } of pages) chars += html.length
  return chars
}

/** For all creatives of the call together: the first one that exceeds it, and all after it, are refused. */
function withinBudget(outcomes: Outcome[]): Outcome[] {
  let left = MAX_CALL_CHARS
  return outcomes.map((outcome) => {
    if (!outcome.ok) return outcome
    left -= charsOf(outcome.item)
    return left >= 0 ? outcome : { ok: false, errors: tooManyChars().errors }
  })
}
