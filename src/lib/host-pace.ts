// Limits the number of concurrent requests to one host and the interval between two, for code that queries many
// hosts and must not overload any of them. First come, first served.

import type { Clock } from './clock.ts'

export interface HostPace {
  /** Resolves when it is the caller's turn; `leave` ends the turn. Rejects if `signal` is aborted first. */
  enter(host: string, signal?: AbortSignal): Promise<{ leave(): void }>
}

export interface HostPaceOptions {
  clock: Clock
  /** At the same time to one host. */
  concurrency: number
  /** From the start of one request to the start of the next, in milliseconds. */
  gapMs: number
}

interface Host {
  running: number
  notBefore: number
  waiting: (() => void)[]
  timer: NodeJS.Timeout | undefined
}

export function createHostPace({ clock, concurrency, gapMs }: HostPaceOptions): HostPace {
  const hosts = new Map<string, Host>()

  function admit(name: string, host: Host): void {
    clearTimeout(host.timer)
    host.timer = undefined
    if (host.waiting.length === 0) {
      // Kept until its interval has passed: the next caller has to observe it.
      if (host.running === 0 && clock.now() >= host.notBefore) hosts.delete(name)
      else if (host.running === 0) admitAt(name, host)
      return
    }
    if (host.running >= concurrency) return
    if (clock.now() < host.notBefore) {
      admitAt(name, host)
      return
    }
    host.running += 1
    host.notBefore = clock.now() + gapMs
    host.waiting.shift()?.()
    admit(name, host)
  }

  function admitAt(name: string, host: Host): void {
    host.timer = setTimeout(() => admit(name, host), Math.max(1, host.notBefore - clock.now()))
    host.timer.unref()
  }

  return {
    enter: (name, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const host = hosts.get(name) ?? { running: 0, notBefore: 0, waiting: [], timer: undefined }
        hosts.set(name, host)
        const leave = () => {
          host.running -= 1
          admit(name, host)
        }
        const onTurn = () => {
          signal?.removeEventListener('abort', onAbort)
          resolve({ leave })
        }
        const onAbort = () => {
          host.waiting = host.waiting.filter((one) => one !== onTurn)
          admit(name, host)
          reject(signal?.reason)
        }
        signal?.addEventListener('abort', onAbort, { once: true })
        host.waiting.push(onTurn)
        admit(name, host)
      }),
  }
}
