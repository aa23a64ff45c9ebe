// Calls to a worker thread and their answers. A worker that dies fails the calls it had, and the next
// call starts another.

import { Worker } from 'node:worker_threads'

export interface WorkerCalls<Request, Answer> {
  call(request: Request, abort?: AbortSignal): Promise<Answer>
  /** Ends the worker; calls that wait are refused. */
  close(): Promise<void>
}

export type ToWorker<Request> =
  | { call: number; request: Request }
  | { abort: number }
  | { close: true }
export type FromWorker<Answer> =
  | { call: number; answer: Answer }
  | { call: number; error: { name: string; message: string } }

export interface WorkerOptions {
  /** Of the file it runs. */
  url: URL
  workerData: unknown
  /** How long it has to end its work when it is asked to. Default 2000; 0 for one with nothing to end. */
  closeMs?: number
  onFault: (error: unknown) => void
}

interface Waiting<Answer> {
  resolve(answer: Answer): void
  reject(error: unknown): void
}

const CLOSE_MS = 2_000

export function createWorkerCalls<Request, Answer>(
  options: WorkerOptions,
): WorkerCalls<Request, Answer> {
  const waiting = new Map<number, Waiting<Answer>>()
  let worker: Worker | undefined
  let isClosed = false
  let last = 0

  function start(): Worker {
    const started = new Worker(options.url, { workerData: options.workerData })
    started.on('message', (message: FromWorker<Answer>) => {
      const waits = waiting.get(message.call)
      waiting.delete(message.call)
      if ('error' in message) waits?.reject(revived(message.error))
      else waits?.resolve(message.answer)
    })
    started.on('error', options.onFault)
    started.on('exit', (code) => {
      if (worker !== started) return
      worker = undefined
      const died = new Error(`the worker thread ended with ${code} before it answered`)
      for (const { reject } of waiting.values()) reject(died)
      waiting.clear()
    })
    return started
  }

  const send = (to: Worker, message: ToWorker<Request>) => to.postMessage(message)

  return {
    call: (request, abort) => {
      if (isClosed) return Promise.reject(new Error('the worker thread has been closed'))
      if (abort?.aborted) return Promise.reject(abort.reason)
      worker ??= start()
      const to = worker
      const call = ++last
      return new Promise<Answer>((resolve, reject) => {
        const onAbort = () => {
          waiting.delete(call)
          send(to, { abort: call })
          reject(abort?.reason)
        }
        const ended =
          <T>(then: (value: T) => void) =>
          (value: T) => {
            abort?.removeEventListener('abort', onAbort)
            then(value)
          }
        abort?.addEventListener('abort', onAbort, { once: true })
        waiting.set(call, { resolve: ended(resolve), reject: ended(reject) })
        send(to, { call, request })
      })
    },
    close: async () => {
      isClosed = true
      if (!worker) return
      const closing = worker
      const exited = new Promise((resolve) => closing.once('exit', resolve))
      const { closeMs = CLOSE_MS } = options
      if (closeMs > 0) send(closing, { close: true })
      const late = setTimeout(() => void closing.terminate(), closeMs)
      await exited
      clearTimeout(late)
    },
  }
}

/** Names of errors stay what they are: StorageUnavailable is told apart by it. */
function revived({ name, message }: { name: string; message: string }): Error {
  return Object.assign(new Error(message), { name })
}
