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

interface Thread {
  worker: Worker
  pulse: Int32Array
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
  let thread: Thread | undefined
  let watch: NodeJS.Timeout | undefined
  let isClosed = false
  let last = 0

  function start(): Worker {
    const own = createThread(options)
    const { worker, pulse } = own
    thread = own
    worker.on('message', (message: FromThread<Answer>) => settle(waiting, message))
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
    for (const [call, waits] of waiting) {
      waits.losses += 1
      const isLost = culprit === 0 || call === culprit || waits.losses > MAX_LOSSES || isClosed
      if (!isLost) continue
      waiting.delete(call)
      waits.reject(error)
    }
    if (waiting.size === 0) return
    const worker = start()
    for (const [call, { request }] of waiting) send(worker, { call, request })
  }

  function watchOver(own: Thread): void {
    const { hangMs, onFault } = options
    if (hangMs === undefined) return
    watch = watchForHang(own, {
      hangMs,
      isCurrent: () => thread === own,
      hasCalls: () => waiting.size > 0,
      onHang: (hung) => {
        onFault(hung)
        lose(own.pulse, hung)
      },
    })
  }

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
        const stopListening = () => abort?.removeEventListener('abort', onAbort)
        abort?.addEventListener('abort', onAbort, { once: true })
        waiting.set(call, cleanedUp({ request, resolve, reject, losses: 0 }, stopListening))
        send(to, { call, request })
      })
    },
    close: async () => {
      isClosed = true
      clearInterval(watch)
      if (!thread) return
      await stop(thread.worker, options.closeMs ?? CLOSE_MS)
    },
  }
}

function createThread({ url, workerData }: WorkerOptions): Thread {
  const pulse = new Int32Array(new SharedArrayBuffer(8))
  const worker = new Worker(url, { workerData: { workerData, pulse } satisfies WorkerStart })
  return { worker, pulse }
}

/** The same call, which cleans up before it is settled. */
function cleanedUp<Request, Answer>(
  { resolve, reject, ...call }: Waiting<Request, Answer>,
  cleanUp: () => void,
): Waiting<Request, Answer> {
  return {
    ...call,
    resolve: (answer) => {
      cleanUp()
      resolve(answer)
    },
    reject: (error) => {
      cleanUp()
      reject(error)
    },
  }
}

function send<Request>(to: Worker, message: ToThread<Request>): void {
  to.postMessage(message)
}

function settle<Request, Answer>(
  waiting: Map<number, Waiting<Request, Answer>>,
  message: FromThread<Answer>,
): void {
  const waits = waiting.get(message.call)
  waiting.delete(message.call)
  if ('error' in message) waits?.reject(revived(message.error))
  else waits?.resolve(message.answer)
}

interface HangWatch {
  hangMs: number
  /** False when another thread has replaced it. */
  isCurrent(): boolean
  hasCalls(): boolean
  onHang(hung: ThreadHung): void
}

/** Calls `onHang` and ends the thread when its loop has been blocked for too long. */
function watchForHang(
  own: Thread,
  { hangMs, isCurrent, hasCalls, onHang }: HangWatch,
): NodeJS.Timeout {
  let [beat, movedAt] = [0, performance.now()]
  const look = () => {
    const now = Atomics.load(own.pulse, BEAT)
    // While no caller waits for it, it may be blocked.
    if (now !== beat || !hasCalls()) movedAt = performance.now()
    beat = now
    const patienceMs = now === 0 ? STARTS_IN * hangMs : hangMs
    if (performance.now() - movedAt < patienceMs || !isCurrent()) return
    onHang(new ThreadHung(`the worker thread did nothing for ${patienceMs} ms`))
    void own.worker.terminate()
  }
  return setInterval(look, hangMs / 4).unref()
}

/** Lets the worker finish for so long, and waits for its exit. */
async function stop(worker: Worker, closeMs: number): Promise<void> {
  const exited = new Promise((resolve) => worker.once('exit', resolve))
  if (closeMs > 0) send(worker, { close: true })
  const late = setTimeout(() => void worker.terminate(), closeMs)
  await exited
  clearTimeout(late)
}

/** Error names are preserved: StorageUnavailable is recognized by its name. */
function revived({ name, message }: { name: string; message: string }): Error {
  return Object.assign(new Error(message), { name })
}
