// The worker's end of `worker-calls.ts`: runs each call, and answers or says what went wrong.

import { parentPort } from 'node:worker_threads'
import type { FromWorker, ToWorker } from './worker-calls.ts'

export interface ServedCalls<Request, Answer> {
  handle(request: Request, abort: AbortSignal): Promise<Answer>
  close(): Promise<void>
}

export function serveCalls<Request, Answer>({ handle, close }: ServedCalls<Request, Answer>): void {
  if (!parentPort) throw new Error('this file runs in a worker thread, and not by itself')
  const port = parentPort
  const running = new Map<number, AbortController>()
  const answer = (message: FromWorker<Answer>) => port.postMessage(message)

  async function run(call: number, request: Request): Promise<void> {
    const controller = new AbortController()
    running.set(call, controller)
    try {
      answer({ call, answer: await handle(request, controller.signal) })
    } catch (error) {
      const { name, message } = error instanceof Error ? error : new Error(String(error))
      answer({ call, error: { name, message } })
    } finally {
      running.delete(call)
    }
  }

  port.on('message', (message: ToWorker<Request>) => {
    if ('abort' in message) return running.get(message.abort)?.abort()
    if ('close' in message) {
      for (const controller of running.values()) controller.abort()
      return void close().finally(() => port.close())
    }
    void run(message.call, message.request)
  })
}
