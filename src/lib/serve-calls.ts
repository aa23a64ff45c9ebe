// The worker's side of `worker-calls.ts`: runs each call, and returns its result or error.

import { parentPort, workerData } from 'node:worker_threads'
import { BEAT, CURRENT, type FromThread, type ToThread, type WorkerStart } from './worker-calls.ts'

export interface ServedCalls<Request, Answer> {
  /** Call `onResume` whenever the thread continues with this call. */
  handle(request: Request, abort: AbortSignal, onResume: () => void): Promise<Answer>
  close(): Promise<void>
}

/** How often the loop reports that it is running. */
const BEAT_MS = 100

/** What the worker was started with. */
export function startData<Data>(): Data {
  return (workerData as WorkerStart).workerData as Data
}

export function serveCalls<Request, Answer>({ handle, close }: ServedCalls<Request, Answer>): void {
  if (!parentPort) throw new Error('this file runs in a worker thread, and not by itself')
  const port = parentPort
  const { pulse } = workerData as WorkerStart
  const running = new Map<number, AbortController>()
  const answer = (message: FromThread<Answer>) => port.postMessage(message)
  const beat = () => void Atomics.add(pulse, BEAT, 1)
  beat()
  setInterval(beat, BEAT_MS).unref()

  async function run(call: number, request: Request): Promise<void> {
    const controller = new AbortController()
    const onResume = () => void Atomics.store(pulse, CURRENT, call)
    running.set(call, controller)
    try {
      onResume()
      answer({ call, answer: await handle(request, controller.signal, onResume) })
    } catch (error) {
      const { name, message } = error instanceof Error ? error : new Error(String(error))
      answer({ call, error: { name, message } })
    } finally {
      running.delete(call)
      if (running.size === 0) Atomics.store(pulse, CURRENT, 0)
    }
  }

  port.on('message', (message: ToThread<Request>) => {
    if ('abort' in message) return running.get(message.abort)?.abort()
    if ('close' in message) {
      for (const controller of running.values()) controller.abort()
      return void close().finally(() => port.close())
    }
    void run(message.call, message.request)
  })
}
