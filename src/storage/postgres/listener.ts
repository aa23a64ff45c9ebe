// Wake-ups between instances: one connection that LISTENs, reconnected when it breaks. This is only a hint: workers
// poll, so anything missed during a reconnect is found one poll later.

import type pg from 'pg'
import type { OnWake } from '../../lib/transaction.ts'
import { driver } from './driver.ts'
import { chooseHost, type Hosts } from './hosts.ts'

export interface Listener {
  onWake: OnWake
  /** Wakes the listeners in this process. */
  wakeHere(topics: Iterable<string>): void
  close(): Promise<void>
}

export interface ListenerOptions {
  hosts: Hosts
  /** Sends a notification on the channel over another connection, to see whether it arrives here. */
  probe: (payload: string) => Promise<void>
  /** Called once if notifications do not arrive here. */
  onSilent: () => void
  /** The channel on which the instances of a schema listen. */
  channel: string
  /** Marks this process's own notifications, which it can ignore. */
  instance: string
  onFault?: (error: Error) => void
}

const RECONNECT_MS = 1_000
/** Longer than a notification takes. */
const PROBE_MS = 3_000
const PROBE = 'probe'

export function createListener({
  hosts,
  probe,
  onSilent,
  channel,
  instance,
  onFault,
}: ListenerOptions): Listener {
  const choice = chooseHost(hosts)
  /** Whether a notification has arrived, or it was reported that none does. */
  let isKnown = false
  let probing: NodeJS.Timeout | undefined
  const listeners = new Map<string, Set<() => void>>()
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let closed = false

  async function connect(): Promise<void> {
    const url = choice.url()
    const next = new (driver().Client)({
      connectionString: url,
      keepAlive: true,
      application_name: 'adwire',
    })
    client = next
    next.on('notification', ({ payload = '' }) => {
      const [topic = '', from] = payload.split(' ')
      if (topic === PROBE && from === instance) isKnown = true
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
      await tryOnce()
    } catch (error) {
      choice.next(url)
      onFault?.(error as Error)
      next.end().catch(() => {})
      if (client === next) reconnectLater()
    }
  }

  /** A pooler in transaction mode accepts LISTEN, and passes no notification on. */
  async function tryOnce(): Promise<void> {
    if (isKnown || probing) return
    await probe(`${PROBE} ${instance}`).catch(() => {})
    probing = setTimeout(() => {
      probing = undefined
      if (isKnown || closed || !client) return
      isKnown = true
      onSilent()
    }, PROBE_MS)
    probing.unref()
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
      clearTimeout(probing)
      const last = client
      client = undefined
      await last?.end().catch(() => {})
    },
  }
}
