// Wake-ups between instances: one connection that LISTENs, reconnected when it breaks. This is only a hint: workers
// poll, so anything missed during a reconnect is found one poll later.

import type pg from 'pg'
import type { OnWake } from '../../lib/transaction.ts'
import { driver } from './driver.ts'

export interface Listener {
  onWake: OnWake
  /** Wakes the listeners in this process. */
  wakeHere(topics: Iterable<string>): void
  close(): Promise<void>
}

export interface ListenerOptions {
  url: string
  /** The channel on which the instances of a schema listen. */
  channel: string
  /** Marks this process's own notifications, which it can ignore. */
  instance: string
  onFault?: (error: Error) => void
}

const RECONNECT_MS = 1_000

export function createListener({ url, channel, instance, onFault }: ListenerOptions): Listener {
  const listeners = new Map<string, Set<() => void>>()
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let closed = false

  async function connect(): Promise<void> {
    const next = new (driver().Client)({
      connectionString: url,
      keepAlive: true,
      application_name: 'adwire',
    })
    client = next
    next.on('notification', ({ payload = '' }) => {
      const [topic = '', from] = payload.split(' ')
      if (from !== instance) wakeHere([topic])
    })
    next.on('error', (error) => {
      onFault?.(error)
    })
    next.on('end', () => {
      if (client === next) reconnectLater()
    })
    try {
      await next.connect()
      await next.query(`LISTEN "${channel}"`)
      // Check now for changes that were announced while no one listened, instead of waiting for the next poll.
      for (const listener of [...listeners.values()].flatMap((known) => [...known])) listener()
    } catch (error) {
      onFault?.(error as Error)
      next.end().catch(() => {})
      if (client === next) reconnectLater()
    }
  }

  function wakeHere(topics: Iterable<string>): void {
    for (const topic of topics) {
      for (const listener of listeners.get(topic) ?? []) listener()
    }
  }

  function reconnectLater(): void {
    client = undefined
    if (closed || timer) return
    timer = setTimeout(() => {
      timer = undefined
      void connect()
    }, RECONNECT_MS)
    timer.unref()
  }

  return {
    wakeHere,
    onWake: (topic, listener) => {
      if (!client && !timer && !closed) void connect()
      const known = listeners.get(topic) ?? new Set()
      known.add(listener)
      listeners.set(topic, known)
      return () => known.delete(listener)
    },
    close: async () => {
      closed = true
      clearTimeout(timer)
      const last = client
      client = undefined
      await last?.end().catch(() => {})
    },
  }
}
