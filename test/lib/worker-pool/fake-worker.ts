// Workers that do nothing by themselves: a test says when each of them answers, or dies.

import type {
  FromPoolWorker,
  StartWorker,
  ToPoolWorker,
  WorkerEnd,
  WorkerEvents,
} from '../../../src/lib/worker-pool/worker.ts'

export interface FakeWorker {
  /** What it was given, the last one last. */
  got: ToPoolWorker[]
  isKilled: boolean
  residentBytes: number
  /** Processor time that it has taken so far. */
  processorMs: number | undefined
  ready(): void
  report(part: unknown): void
  answer(answer?: unknown): void
  die(end?: Partial<WorkerEnd>): void
}

export function fakeWorkers(): { start: StartWorker; all: FakeWorker[]; last(): FakeWorker } {
  const all: FakeWorker[] = []
  const start: StartWorker = (events: WorkerEvents) => {
    const say = (message: object) =>
      events.message({ job: fake.got.at(-1)?.job ?? 0, ...message } as FromPoolWorker)
    const fake: FakeWorker = {
      got: [],
      isKilled: false,
      residentBytes: 0,
      processorMs: undefined,
      ready: () => events.message({ ready: true }),
      report: (part) => say({ part }),
      answer: (answer) => say({ answer }),
      die: (end) => events.ended({ code: null, signal: 'SIGKILL', said: '', ...end }),
    }
    all.push(fake)
    return {
      send: (message) => {
        fake.got.push(message)
      },
      residentBytes: () => fake.residentBytes,
      processorMs: () => fake.processorMs,
      kill: () => {
        fake.isKilled = true
      },
    }
  }
  return { start, all, last: () => all.at(-1) as FakeWorker }
}
