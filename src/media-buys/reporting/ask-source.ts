// Queries a delivery source about many buys: within a timeout, several at once, in pieces of bounded size, and
// without one failure affecting the others. Figures that cannot be read count as not available yet.

import { groupsOf } from '../../lib/chunks.ts'
import { withDeadline } from '../../lib/deadline.ts'
import { createPacer } from '../../lib/pacer.ts'
import type { DeliveryQuery, DeliverySource, WindowDelivery } from '../delivery-source.ts'
import { SOURCE_LIMITS } from '../sources/limits.ts'

export interface AskOptions {
  /** Timeout for all of them, in milliseconds. */
  timeoutMs: number
  /** Questions at the same time. */
  concurrency: number
  signal: AbortSignal
  onFault: (error: unknown) => void
}

export type SourceQuestion = Omit<DeliveryQuery, 'signal'>

/** One answer for each window of each query, in order. */
export async function askSource(
  source: DeliverySource,
  questions: readonly SourceQuestion[],
  { timeoutMs, signal, ...options }: AskOptions,
): Promise<WindowDelivery[][]> {
  if (questions.every(({ windows }) => windows.length === 0)) return questions.map(() => [])
  return withDeadline({ timeoutMs, signals: [signal] }, (within) =>
    askWithin(source, questions, { within, ...options }),
  )
}

type Within = Pick<AskOptions, 'concurrency' | 'onFault'> & { within: AbortSignal }

async function askWithin(
  source: DeliverySource,
  questions: readonly SourceQuestion[],
  options: Within,
): Promise<WindowDelivery[][]> {
  const answers = questions.map(({ windows }) => windows.map(notYet))
  const pieces = questions.flatMap((question, index) =>
    piecesOf(question).map((piece) => ({ index, ...piece })),
  )
  const keep = ({ index, first, windows }: Piece, said: readonly WindowDelivery[]) => {
    if (said.length === windows.length) answers[index]?.splice(first, said.length, ...said)
    else
      options.onFault(new Error(`the source answered ${said.length} windows of ${windows.length}`))
  }
  const ask = source.deliveriesOf ? askTogether : askEach
  await ask(source, pieces, { ...options, keep, questions })
  return answers
}

/** Part of a query's windows, starting from one of them. */
interface Piece extends Pick<SourceQuestion, 'windows'> {
  index: number
  first: number
  /** Windows × packages. */
  cells: number
}

const MOST_CELLS = SOURCE_LIMITS.cells.value
const MOST_WINDOWS = SOURCE_LIMITS.windows.value

function piecesOf({ buy, windows }: SourceQuestion): Omit<Piece, 'index'>[] {
  const packages = Math.max(1, buy.packages.length)
  const size = Math.max(1, Math.min(MOST_WINDOWS, Math.floor(MOST_CELLS / packages)))
  const pieces: Omit<Piece, 'index'>[] = []
  for (let first = 0; first < windows.length; first += size) {
    const some = windows.slice(first, first + size)
    pieces.push({ first, windows: some, cells: some.length * packages })
  }
  return pieces
}

type Asking = Within & {
  questions: readonly SourceQuestion[]
  keep(piece: Piece, said: readonly WindowDelivery[]): void
}

function queryOf({ index, windows }: Piece, { questions, within }: Asking): DeliveryQuery {
  return { ...(questions[index] as SourceQuestion), windows, signal: within }
}

async function askTogether(
  source: DeliverySource,
  pieces: readonly Piece[],
  asking: Asking,
): Promise<void> {
  const pacer = createPacer()
  const timeIsUp = aborted(asking.within)
  for (const group of groupsOf(pieces, ({ cells }) => cells, MOST_CELLS)) {
    if (asking.within.aborted) return
    try {
      const requested = source.deliveriesOf?.(group.map((piece) => queryOf(piece, asking)))
      const said = (await Promise.race([requested, timeIsUp])) ?? []
      for (const [at, piece] of group.entries()) asking.keep(piece, said[at] ?? [])
    } catch (error) {
      // A source that is away fails for all.
      return asking.onFault(error)
    }
    if (pacer.isDue()) await pacer.pause()
  }
}

async function askEach(
  source: DeliverySource,
  pieces: readonly Piece[],
  asking: Asking,
): Promise<void> {
  const pacer = createPacer()
  const timeIsUp = aborted(asking.within)
  let next = 0
  let hasFailed = false
  const worker = async () => {
    for (let one = pieces[next++]; one && !asking.within.aborted; one = pieces[next++]) {
      try {
        asking.keep(one, await Promise.race([source.deliveryOf(queryOf(one, asking)), timeIsUp]))
      } catch (error) {
        // An unavailable source fails for all buys: it is logged once.
        if (!hasFailed) asking.onFault(error)
        hasFailed = true
      }
      if (pacer.isDue()) await pacer.pause()
    }
  }
  await Promise.all(Array.from({ length: Math.min(asking.concurrency, pieces.length) }, worker))
}

/** Rejects when the time is up: a source may ignore the signal that it was given. */
function aborted(signal: AbortSignal): Promise<never> {
  const rejected = new Promise<never>((_resolve, reject) => {
    const fail = () => reject(new Error('the delivery source timed out', { cause: signal.reason }))
    if (signal.aborted) fail()
    else signal.addEventListener('abort', fail, { once: true })
  })
  // No one may be waiting when it comes.
  rejected.catch(() => {})
  return rejected
}

function notYet(window: DeliveryQuery['windows'][number]): WindowDelivery {
  return { window, status: 'not_yet' }
}
