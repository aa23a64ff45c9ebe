// Counts the timers of one source file under fake timers. `vi.getTimerCount()` counts those of the whole process, and what
// an earlier test file left behind, such as an idle connection, may set one at any moment.

/** To be called after `vi.useFakeTimers()`. Returns how many timeouts set by this file, such as `lib/fair-queue.ts`, are still to fire. */
export function watchTimeouts(file: string): () => number {
  const pending = new Set<unknown>()
  const { setTimeout: set, clearTimeout: clear } = globalThis
  const watched = (callback: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => {
    const isOwn = new Error('set here').stack?.includes(`/src/${file}`) ?? false
    const timer = set(() => {
      pending.delete(timer)
      callback(...args)
    }, ms)
    if (isOwn) pending.add(timer)
    return timer
  }
  const cleared: typeof clear = (timer) => {
    pending.delete(timer)
    clear(timer)
  }
  // Fake timers keep properties on these functions; without them `vi.useRealTimers` cannot restore the real ones.
  globalThis.setTimeout = Object.assign(watched, set)
  globalThis.clearTimeout = Object.assign(cleared, clear)
  return () => pending.size
}
