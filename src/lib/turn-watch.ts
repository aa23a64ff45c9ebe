// Detects when the event loop was blocked, and by what: one timer that should fire every few milliseconds, and a
// list of the work in progress. All callers share one event loop, so work that blocks it delays everyone.

import { performance } from 'node:perf_hooks'

export interface LongTurn {
  /** How late the timer was: the turn took at least this long. */
  ms: number
  /**
   * Processor time of the process during the turn and at most `CPU_EVERY_MS` before it. Much less than `ms` means
   * that the machine did not schedule it.
   */
  cpuMs: number
  /** Names of the work in progress when the turn ended. */
  during: readonly string[]
}

export interface TurnWatchOptions {
  /** Minimum length of turns that are reported. */
  thresholdMs: number
  onLongTurn: (turn: LongTurn) => void
}

const INTERVAL_MS = 10
/** How often the processor time is read: on some machines that takes a fifth of a millisecond. */
const CPU_EVERY_MS = 100

/** Watches until the returned function is called. Does not keep the process alive. */
export function watchTurns({ thresholdMs, onLongTurn }: TurnWatchOptions): () => void {
  let due = performance.now() + INTERVAL_MS
  let cpu = process.cpuUsage()
  let readAt = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    const before = cpu
    const ms = now - due
    due = now + INTERVAL_MS
    const isLong = ms >= thresholdMs
    if (isLong || now - readAt >= CPU_EVERY_MS) {
      cpu = process.cpuUsage()
      readAt = now
    }
    if (!isLong) return ended.clear()
    const cpuMs = (cpu.user - before.user + cpu.system - before.system) / 1_000
    onLongTurn({ ms, cpuMs, during: [...new Set([...inProgress.keys(), ...ended])].sort() })
    ended.clear()
  }, INTERVAL_MS)
  timer.unref()
  return () => clearInterval(timer)
}

const inProgress = new Map<string, number>()
/** Work that ended since the timer last fired. */
const ended = new Set<string>()

/** Names work that begins now; call the returned function when the work has ended. */
export function noteWork(name: string): () => void {
  observe?.(name)
  inProgress.set(name, (inProgress.get(name) ?? 0) + 1)
  return () => {
    const left = (inProgress.get(name) ?? 1) - 1
    if (left > 0) inProgress.set(name, left)
    else inProgress.delete(name)
    if (ended.size < MAX_ENDED) ended.add(name)
  }
}

const MAX_ENDED = 20

let observe: ((name: string) => void) | undefined

/** Calls back whenever work begins, in its own context. @internal */
export function onWork(callback: (name: string) => void): void {
  observe = callback
}
