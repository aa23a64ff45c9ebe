// Calls to a worker thread and their answers. A worker that dies or hangs is replaced: its current call fails, and
// the others, which only lose time, are repeated.

import { Worker } from 'node:worker_threads'

export interface WorkerCalls<Request, Answer> {
  call(request: Request, abort?: AbortSignal): Promise<Answer>
  /** Ends the worker; waiting calls are refused. */
  close(): Promise<void>
}

export type ToThread<Request> =
  | { call: number; request: Request }
  | { abort: number }
  | { close: true }
export type FromThread<Answer> =
  | { call: number; answer: Answer }
  | { call: number; error: { name: string; message: string } }

/** What a worker is started with: its own data, and shared memory that reports its progress. */
export interface WorkerStart {
  workerData: unknown
  pulse: Int32Array
}

/** Slots in the pulse: a counter that grows while the worker's loop runs, and the current call. */
export const BEAT = 0
export const CURRENT = 1

/** A call during which its thread died or hung. */
class ThreadHung extends Error {
  override readonly name = 'ThreadHung'
}

export interface WorkerOptions {
  /** Of the file it runs. */
  url: URL
  workerData: unknown
  /** How long it may take to finish its work when stopped. Default 2000; 0 for one with nothing to finish. */
  closeMs?: number
  /** How long its loop may be blocked before it is replaced. Default: unlimited. */
  hangMs?: number
  onFault: (error: unknown) => void
}

interface Waiting<Request, Answer> {
  request: Request
  resolve(answer: Answer): void
  reject(error: unknown): void
  /** Threads that ended under it. */
  losses: number
}

const CLOSE_MS = 2_000
/** A new thread first loads its files: its limit is longer by this factor. */
const STARTS_IN = 6
/** Number of times a call may be lost before it fails, even if another call caused the loss each time. */
const MAX_LOSSES = 2

export function createWorkerCalls<Request, Answer>(
  options: WorkerOptions,
): WorkerCalls<Request, Answer> {
  const waiting = new Map<number, Waiting<Request, Answer>>()
  let thread: { worker: Worker; pulse: Int32Array } | undefined
  let watch: NodeJS.Timeout | undefined
  let isClosed = false
  let last = 0

  function start(): Worker {
    const pulse = new Int32Array(new SharedArrayBuffer(8))
    const worker = new Worker(options.url, {
      workerData: { workerData: options.workerData, pulse } satisfies WorkerStart,
    })
    const own = { worker, pulse }
    thread = own
    worker.on('message', (message: FromThread<Answer>) => {
      const waits = waiting.get(message.call)
      waiting.delete(message.call)
      if ('error' in message) waits?.reject(revived(message.error))
      else waits?.resolve(message.answer)
    })
    worker.on('error', options.onFault)
    worker.on('exit', (code) => {
      if (thread !== own) return
      lose(pulse, new Error(`the worker thread ended with ${code} before it answered`))
    })
    watchOver(own)
    return worker
  }

  /** Fails the thread's current call and repeats the others; if the current call is unknown, fails all. */
  function lose(pulse: Int32Array, error: Error): void {
    clearInterval(watch)
    thread = undefined
    const culprit = Atomics.load(pulse, CURRENT)
    const again: [number, Waiting<Request, Answer>][] = []
    for (const [call, waits] of waiting) {
      waits.losses += 1
      const isLost = culprit === 0 || call === culprit || waits.losses > MAX_LOSSES || isClosed
      if (!isLost) again.push([call, waits])
      else {
        waiting.delete(call)
        waits.reject(error)
      }
    }
    if (again.length === 0) return
    const worker = start()
    for (const [call, { request }] of again) send(worker, { call, request })
  }

  function watchOver(own: NonNullable<typeof thread>): void {
    const { hangMs } = options
    if (hangMs === undefined) return
    let [beat, movedAt] = [0, performance.now()]
    watch = setInterval(() => {
      const now = Atomics.load(own.pulse, BEAT)
      // While no caller waits for it, it may be blocked.
      if (now !== beat || waiting.size === 0) movedAt = performance.now()
      beat = now
      const patienceMs = now === 0 ? STARTS_IN * hangMs : hangMs
      if (performance.now() - movedAt < patienceMs || thread !== own) return
      const hung = new ThreadHung(`the worker thread did nothing for ${patienceMs} ms`)
      options.onFault(hung)
      lose(own.pulse, hung)
      void own.worker.terminate()
    }, hangMs / 4)
    watch.unref()
  }

  const send = (to: Worker, message: ToThread<Request>) => to.postMessage(message)

  return {
    call: (request, abort) => {
      if (isClosed) return Promise.reject(new Error('the worker thread has been closed'))
      if (abort?.aborted) return Promise.reject(abort.reason)
      const to = thread?.worker ?? start()
      const call = ++last
      return new Promise<Answer>((resolve, reject) => {
        const onAbort = () => {
          waiting.delete(call)
          if (thread) send(thread.worker, { abort: call })
          reject(abort?.reason)
        }
        const ended =
          <T>(then: (value: T) => void) =>
          (value: T) => {
            abort?.removeEventListener('abort', onAbort)
            then(value)
          }
        abort?.addEventListener('abort', onAbort, { once: true })
        waiting.set(call, { request, resolve: ended(resolve), reject: ended(reject), losses: 0 })
        send(to, { call, request })
      })
    },
    close: async () => {
      isClosed = true
      clearInterval(watch)
      if (!thread) return
      const { worker: closing } = thread
      const exited = new Promise((resolve) => closing.once('exit', resolve))
      const { closeMs = CLOSE_MS } = options
      if (closeMs > 0) send(closing, { close: true })
      const late = setTimeout(() => void closing.terminate(), closeMs)
      await exited
      clearTimeout(late)
    },
  }
}

/** Error names are preserved: StorageUnavailable is recognized by its name. */
function revived({ name, message }: { name: string; message: string }): Error {
  return Object.assign(new Error(message), { name })
}
