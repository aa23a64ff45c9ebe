// Breaks long loops into slices, so that other callers are served in between. A loop asks `isDue` after each piece of
// work and awaits `pause` when its slice is over:
//
//   const pacer = createPacer()
//   for (const row of rows) {
//     work(row)
//     if (pacer.isDue()) await pacer.pause()
//   }

export interface Pacer {
  /** Whether this slice is over. */
  isDue(): boolean
  /** Lets timers and sockets run once, then starts the next slice. */
  pause(): Promise<void>
}

/** Short enough that a turn with one slice and what else is due stays well below 50 ms. */
const SLICE_MS = 8

export function createPacer(sliceMs: number = SLICE_MS): Pacer {
  let sliceStart = performance.now()
  return {
    isDue: () => performance.now() - sliceStart >= sliceMs,
    pause: () =>
      new Promise((resolve) => {
        waiting.push(() => {
          sliceStart = performance.now()
          resolve()
        })
        if (waiting.length === 1) setImmediate(resumeNext)
      }),
  }
}

/** Loops that wait for their next slice, first come, first served. */
const waiting: (() => void)[] = []

/**
 * Resumes one loop per round of the event loop: if all that wait were resumed at once, a hundred loops of eight
 * milliseconds would hold up sockets and timers for most of a second.
 */
function resumeNext(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(resumeNext)
}
