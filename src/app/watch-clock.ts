// How the server handles clock jumps: it logs them, and sweeps wait. The time is stored periodically while the clock
// is trusted, so that the next start can tell whether its own time is plausible.

import type { Clock } from '../lib/clock.ts'
import { type ClockGuard, createClockGuard } from '../lib/clock-guard.ts'
import type { Log } from '../lib/log.ts'
import type { Poller } from '../lib/poller.ts'
import { steadyClock } from '../lib/steady-clock.ts'
import { createSweep, type SweepOptions } from '../lib/sweep.ts'
import type { Storage } from './open-storage.ts'

export interface WatchedClock {
  clock: Clock
  guard: ClockGuard
  /** A background loop that deletes expired rows, with the server's guard. */
  sweep: (options: Pick<SweepOptions, 'name' | 'intervalMs' | 'sweep'>) => Poller
  worker: { start(): void; stop(): Promise<void> }
}

const NOTE_MS = 5 * 60 * 1_000

export async function watchClock(
  { transact, clockMarks }: Pick<Storage, 'transact' | 'clockMarks'>,
  { log, onFault }: { log: Log; onFault: (error: unknown) => void },
): Promise<WatchedClock> {
  const guard = createClockGuard({
    lastSeen: await clockMarks.last(),
    onChange: ({ byMs, isTrusted }) => {
      const fields = { clock_off_seconds: Math.round(byMs / 1_000) }
      if (isTrusted)
        log.info(fields, 'the time of the database is trusted again: old data is deleted as before')
      else
        log.warn(
          fields,
          'the time of the database is far from the expected one: nothing is deleted until it is back, or for an hour',
        )
    },
  })
  const ignore = steadyClock.onJump(({ byMs, isFollowed }) => {
    const fields = { clock_off_seconds: Math.round(byMs / 1_000) }
    if (isFollowed)
      log.warn(
        fields,
        'the clock of the machine has kept its new time for ten minutes: the server follows it now',
      )
    else
      log.warn(
        fields,
        'the clock of the machine jumped: the server keeps its own time until the new one has lasted ten minutes',
      )
  })
  const sweep: WatchedClock['sweep'] = (options) =>
    createSweep({ ...options, transact, guard, onFault })
  const notes = sweep({
    name: 'worker: note the time',
    intervalMs: NOTE_MS,
    sweep: async () => {
      await transact(clockMarks.note)
      const brought = await transact(clockMarks.bringNear)
      if (brought > 0) {
        log.warn(
          { rows: brought },
          'work was scheduled too far ahead, by a clock that was ahead: it is due now',
        )
      }
      return brought > 0
    },
  })
  return {
    clock: steadyClock,
    guard,
    sweep,
    worker: {
      start: notes.start,
      stop: async () => {
        ignore()
        await notes.stop()
      },
    },
  }
}
