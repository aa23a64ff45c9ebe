// The sentence model in its own thread, for the thread that searches. Texts are sent to it one at a time, those of
// searches first, by their caller's rank; while searches arrive, background texts wait.

import { createWorkerCalls } from '../../lib/worker-calls.ts'
import { missingModelFile } from '../matching/model-files.ts'
import { type CallerRank, FIRST_RANK, goesBefore } from '../matching/rank-of-caller.ts'
import type { SentenceModel, Urgency } from '../matching/sentence-model.ts'
import { MODEL_NAME } from '../matching/sentence-model.ts'
import type { ModelAnswer } from './model-worker.ts'
import type { ModelStatus } from './signal-search.ts'

export interface ModelThread {
  /** Undefined if the model cannot be used. */
  model(): Promise<SentenceModel | undefined>
  /** Called for every search: background work yields the processor to it, even if it needs no vector. */
  yieldTo(): void
  readonly status: ModelStatus
  close(): Promise<void>
}

interface Job {
  text: string
  /** As it is now. */
  rank: () => CallerRank
  abort: AbortSignal | undefined
  resolve(vector: Float32Array): void
  reject(error: unknown): void
}

/** How long background work pauses after a search, so that the next one of a burst finds the model free. */
const QUIET_MS = 100
/** But background work runs at least this often. */
const TURN_MS = 1_000
/** After this many consecutive crashes the model is not restarted. */
const MAX_DEATHS = 3

/** Longer than loading takes on a busy machine. */
const HANG_MS = 60_000

const isGone = ({ abort }: Job) => abort?.aborted === true

/** How signals are found without the model. */
export const WITHOUT_MODEL = 'signals are found by the distilled table and their words alone'

/** Where the operator wants none. */
export const MODEL_OFF: ModelStatus = { state: 'off' }

/** The state before anything was loaded. */
export function modelAtStart(): ModelStatus {
  const reason = missingModelFile()
  return reason === undefined ? { state: 'unused' } : { state: 'missing', reason }
}

export function createModelThread(url: URL, onFault: (error: unknown) => void): ModelThread {
  const worker = createWorkerCalls<string, ModelAnswer>({
    url,
    workerData: null,
    onFault,
    // It may be loading: then it receives no messages, and has nothing to lose.
    closeMs: 0,
    hangMs: HANG_MS,
  })
  const queues: Record<Urgency, Job[]> = { search: [], background: [] }
  // Without its files, the server has already reported that, and no thread is started.
  let status = modelAtStart()
  let isBusy = false
  let deaths = 0
  let lastSearch = 0
  let lastBackground = 0
  let timer: NodeJS.Timeout | undefined

  /** The first of those with the highest rank; jobs that were canceled in the meantime are left out. */
  function mostUrgent(): Job | undefined {
    const [gone, there] = [
      queues.search.filter(isGone),
      queues.search.filter((one) => !isGone(one)),
    ]
    for (const { reject, abort } of gone) reject(abort?.reason)
    const first = there.reduce<Job | undefined>(
      (best, one) => (best && !goesBefore(one.rank(), best.rank()) ? best : one),
      undefined,
    )
    queues.search = there.filter((one) => one !== first)
    return first
  }

  function next(): Job | undefined {
    const urgent = mostUrgent()
    if (urgent || queues.background.length === 0) return urgent
    const now = performance.now()
    const wait = Math.min(lastSearch + QUIET_MS, lastBackground + TURN_MS) - now
    if (wait > 0) {
      clearTimeout(timer)
      timer = setTimeout(pump, wait)
      return undefined
    }
    lastBackground = now
    return queues.background.shift()
  }

  function pump(): void {
    if (isBusy) return
    const job = next()
    if (!job) return
    isBusy = true
    void run(job).finally(() => {
      isBusy = false
      pump()
    })
  }

  async function run({ text, resolve, reject }: Job): Promise<void> {
    try {
      const answer = await worker.call(text)
      deaths = 0
      if ('missing' in answer) {
        giveUp(answer.missing)
        return reject(new Error(answer.missing))
      }
      if (status.state === 'unused') status = { state: 'used' }
      resolve(answer.vector)
    } catch (error) {
      if (++deaths >= MAX_DEATHS) giveUp('its thread died repeatedly')
      reject(error)
    }
  }

  function giveUp(reason: string): void {
    if (isMissing()) return
    status = { state: 'missing', reason }
    onFault(new Error(`without the sentence model, ${WITHOUT_MODEL}: ${reason}`))
  }

  const embed: SentenceModel['embed'] = (text, urgency, by) => {
    if (urgency === 'search') lastSearch = performance.now()
    const { rank = () => FIRST_RANK, abort } = by ?? {}
    return new Promise((resolve, reject) => {
      queues[urgency].push({ text, rank, abort, resolve, reject })
      pump()
    })
  }

  const isMissing = () => status.state === 'missing'
  // The first text shows whether the model is available.
  let probing: Promise<unknown> | undefined
  return {
    model: async () => {
      if (isMissing()) return undefined
      probing ??= embed('warm up', 'search').catch(() => {})
      await probing
      return isMissing() ? undefined : { name: MODEL_NAME, embed }
    },
    yieldTo: () => {
      lastSearch = performance.now()
    },
    get status() {
      return status
    },
    close: () => {
      clearTimeout(timer)
      const closed = new Error('the thread of the sentence model has been closed')
      for (const { reject } of [...queues.search, ...queues.background]) reject(closed)
      queues.search = []
      queues.background = []
      return worker.close()
    },
  }
}
