// Cuts off clients that do not read what they are sent: an answer waits in our memory until its client
// has taken it, and a client that takes none would keep it there for ever. Streams are no exception.

import type { Socket } from 'node:net'
import type { Clock } from '../../lib/clock.ts'
import { HTTP_LIMITS } from './limits.ts'

export interface SlowReaderOptions {
  clock: Clock
  /** Longest time that something sent may wait to be taken, in milliseconds. */
  answerMs: number
  /** Most bytes that one client may leave. Default 64 MiB. */
  maxUnread?: number
  /** Most bytes that all of them may leave. Default 256 MiB. */
  maxUnreadOfAll?: number
}

type Reader = Pick<Socket, 'writableLength' | 'destroy'>

/** Gives a function to be called every now and then with the open connections; it says how many it cut. */
export function createSlowReaderSweep({
  clock,
  answerMs,
  maxUnread = HTTP_LIMITS.unreadBytes.value,
  maxUnreadOfAll = HTTP_LIMITS.unreadBytesOfAll.value,
}: SlowReaderOptions): (open: Iterable<Reader>) => number {
  /** Since when there has always been something that a client had not taken. */
  let since = new Map<Reader, number>()

  return (open) => {
    const now = clock.now()
    const waiting = new Map<Reader, number>()
    let all = 0
    let cut = 0
    for (const reader of open) {
      const unread = reader.writableLength
      if (unread === 0) continue
      const started = since.get(reader) ?? now
      if (unread > maxUnread || now - started >= answerMs) {
        reader.destroy()
        cut++
        continue
      }
      waiting.set(reader, started)
      all += unread
    }
    since = waiting
    if (all <= maxUnreadOfAll) return cut
    const largest = [...waiting.keys()].sort((a, b) => b.writableLength - a.writableLength)
    for (const reader of largest) {
      if (all <= maxUnreadOfAll) break
      all -= reader.writableLength
      waiting.delete(reader)
      reader.destroy()
      cut++
    }
    return cut
  }
}
