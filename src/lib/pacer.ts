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

/** Short enough that several paced calls at once still leave others below 50 ms. */
const SLICE_MS = 8

export function createPacer(sliceMs: number = SLICE_MS): Pacer {
  let sliceStart = performance.now()
  return {
    isDue: () => performance.now() - sliceStart >= sliceMs,
    pause: () =>
      new Promise((resolve) => {
        setImmediate(() => {
          sliceStart = performance.now()
          resolve()
        })
      }),
  }
}
