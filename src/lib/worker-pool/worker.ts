// A worker of the worker pool as its parent sees it, whatever it runs in, and the messages between them.

export type ToWorker = { job: number; request: unknown }

export type FromWorker =
  | { ready: true }
  /** A piece of the answer, ahead of its end. */
  | { job: number; part: unknown }
  | { job: number; answer: unknown }
  | { job: number; error: ThrownInWorker }

export interface ThrownInWorker {
  name: string
  message: string
  stack: string | undefined
}

export interface WorkerEnd {
  code: number | null
  signal: string | null
  /** The last of what it wrote to standard error. */
  said: string
}

/** @internal */
export interface WorkerEvents {
  message(message: FromWorker): void
  /** Once, whyever it ended. */
  ended(end: WorkerEnd): void
}

export interface WorkerHandle {
  send(message: ToWorker): void
  /** Memory that it uses, in bytes; undefined where that cannot be measured from outside. */
  residentBytes(): number | undefined
  /** Processor time of all its threads so far, in milliseconds; undefined where that cannot be measured. */
  processorMs?(): number | undefined
  /** Ends it at once, whatever it is at. */
  kill(): void
}

export type StartWorker = (events: WorkerEvents) => WorkerHandle

/** By which a worker ends itself that holds more memory than it may; nobody else sends it. */
export const MEMORY_SIGNAL = 'SIGUSR2'
