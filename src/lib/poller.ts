// A background loop that polls for work: immediately when woken, again while there is more, and after `intervalMs` at
// the latest. It never runs twice at the same time and stops between two rounds.

import { noteWork } from './turn-watch.ts'

export interface PollerOptions {
  /** The name of its work, for reports of a blocked event loop. */
  name: string
  /** Runs one round. True requests the next round immediately. */
  round: (signal: AbortSignal) => Promise<boolean>
  intervalMs: number
  /** Called with the error of a round that threw; the loop continues. */
  onFault: (error: unknown) => void
}

export interface Poller {
  start(): void
  /** Requests a round now, or another one after the round in progress. */
  wake(): void
  /** Aborts the signal of the current round and resolves when it has ended. */
  stop(): Promise<void>
}

export function createPoller({ name, round, intervalMs, onFault }: PollerOptions): Poller {
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  let wanted = false
  let timer: NodeJS.Timeout | undefined

  async function loop(): Promise<void> {
    do {
      wanted = false
      const endWork = noteWork(name)
      try {
        if (await round(stopping.signal)) wanted = true
      } catch (error) {
        onFault(error)
      } finally {
        endWork()
      }
    } while (wanted && !stopping.signal.aborted)
    running = undefined
    if (!stopping.signal.aborted) timer = setTimeout(kick, intervalMs)
  }

  function kick(): void {
    clearTimeout(timer)
    wanted = true
    if (!stopping.signal.aborted) running ??= loop()
  }

  return {
    start: kick,
    wake: kick,
    stop: async () => {
      stopping.abort()
      clearTimeout(timer)
      await running
    },
  }
}
