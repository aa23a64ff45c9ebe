// The interface of a worker of the pool as its parent uses it, whatever it runs in, and the messages between them.

export type ToPoolWorker = { job: number; request: unknown }

export type FromPoolWorker =
  | { ready: true }
  /** A part of the answer, sent before its end. */
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
  /** The tail of its standard error output. */
  said: string
}

/** @internal */
export interface WorkerEvents {
  message(message: FromPoolWorker): void
  /** Once, whyever it ended. */
  ended(end: WorkerEnd): void
}

export interface WorkerHandle {
  send(message: ToPoolWorker): void
  /** The memory it uses, in bytes; undefined if that cannot be measured from outside. */
  residentBytes(): number | undefined
  /** Processor time of all its threads so far, in milliseconds; undefined if it cannot be measured. */
  processorMs?(): number | undefined
  /** Kills it immediately, whatever it is doing. */
  kill(): void
}

export type StartWorker = (events: WorkerEvents) => WorkerHandle

/** The signal with which a worker kills itself when it uses too much memory; nothing else sends it. */
export const MEMORY_SIGNAL = 'SIGUSR2'
