// Breaks long loops into slices, so that other callers are served in between. A loop calls `isDue` after each piece
// of work and awaits `pause` when its slice is over:
//
//   const pacer = createPacer()
//   for (const row of rows) {
//     work(row)
//     if (pacer.isDue()) await pacer.pause()
//   }
//
// A slice starts with the turn of the event loop, so that many short loops in one turn count together. Loops take
// turns; those inside a transaction get two of three, because every writer waits for them to end.

import { performance } from 'node:perf_hooks'

// Captured at load: replacements of the globals, such as a test's fake timers, do not affect the event loop.
const now = performance.now.bind(performance)
const soon = globalThis.setImmediate

export interface Pacer {
  /** Whether this slice is over. */
  isDue(): boolean
  /** Lets timers and sockets run once, then starts the next slice. */
  pause(): Promise<void>
}

/** Short enough that one turn with a slice and other due work stays well below 50 ms. */
const SLICE_MS = 8
/** Longer inside a transaction: each pause lets other work run, and every writer waits through all pauses. */
const TRANSACTION_SLICE_MS = 20

/** When the current turn was first checked; undefined in a new one. */
let turnBegan: number | undefined

export interface PacerOptions {
  sliceMs?: number
  /** Whether the loop runs inside a transaction. Default false. */
  isInTransaction?: boolean
}

export function createPacer({
  isInTransaction = false,
  sliceMs = isInTransaction ? TRANSACTION_SLICE_MS : SLICE_MS,
}: PacerOptions = {}): Pacer {
  return {
    isDue: () => {
      const began = beginningOfTurn()
      return now() - began >= sliceMs
    },
    pause: () =>
      new Promise((resolve) => {
        const line = isInTransaction ? transactions : others
        line.push(resolve)
        if (transactions.length + others.length === 1) soon(resumeNext)
      }),
  }
}

/** Loops that wait for their next slice, first come, first served. */
const transactions: (() => void)[] = []
const others: (() => void)[] = []

/**
 * One round in this many is for loops outside of transactions, so that consecutive transactions do not block them.
 */
const ROUNDS = 3
let round = 0

/**
 * Resumes one loop per round of the event loop: if all that wait were resumed at once, a hundred loops of eight
 * milliseconds would hold up sockets and timers for most of a second.
 */
function resumeNext(): void {
  turnBegan = undefined
  round = (round + 1) % ROUNDS
  const [first, second] = round === 0 ? [others, transactions] : [transactions, others]
  const resume = first.shift() ?? second.shift()
  resume?.()
  if (transactions.length + others.length > 0) soon(resumeNext)
}

function beginningOfTurn(): number {
  if (turnBegan === undefined) {
    turnBegan = now()
    soon(() => {
      turnBegan = undefined
    })
  }
  return turnBegan
}
