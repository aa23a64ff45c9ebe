// The sentence model in its own thread, for the thread that searches. Texts are sent to it one at a time, in the order
// of `model-queue.ts`.

import { createWorkerCalls } from '../../lib/worker-calls.ts'
import { missingModelFile } from '../matching/model-files.ts'
import { FIRST_RANK } from '../matching/rank-of-caller.ts'
import type { SentenceModel } from '../matching/sentence-model.ts'
import { MODEL_NAME } from '../matching/sentence-model.ts'
import { createModelQueue, type ModelJob } from './model-queue.ts'
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

/** After this many consecutive crashes the model is not restarted. */
const MAX_DEATHS = 3

/** Longer than loading takes on a busy machine. */
const HANG_MS = 60_000

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
  const queue = createModelQueue(pump)
  // Without its files, the server has already reported that, and no thread is started.
  let status = modelAtStart()
  let isBusy = false
  let deaths = 0

  function pump(): void {
    if (isBusy) return
    const job = queue.next()
    if (!job) return
    isBusy = true
    void run(job).finally(() => {
      isBusy = false
      pump()
    })
  }

  async function run({ text, resolve, reject }: ModelJob): Promise<void> {
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
    if (urgency === 'search') queue.noteSearch()
    const { rank = () => FIRST_RANK, abort } = by ?? {}
    return new Promise((resolve, reject) => {
      queue.add(urgency, { text, rank, abort, resolve, reject })
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
    yieldTo: queue.noteSearch,
    get status() {
      return status
    },
    close: () => {
      queue.close(new Error('the thread of the sentence model has been closed'))
      return worker.close()
    },
  }
}
