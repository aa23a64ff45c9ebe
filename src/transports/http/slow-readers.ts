// Closes connections with clients that do not read in time: a response stays in memory until its client has read it,
// and a client that reads nothing would keep it there forever. This applies to streams too. The total size is bounded
// by `answer-reserve.ts` when a response is written.

import type { Socket } from 'node:net'
import type { Clock } from '../../lib/clock.ts'
import { HTTP_LIMITS } from './limits.ts'

export interface SlowReaderOptions {
  clock: Clock
  /** Longest time that sent data may wait to be read, in milliseconds. */
  answerMs: number
}

type Reader = Pick<Socket, 'writableLength' | 'destroy'>

/** Returns a function to call periodically with the open connections; it returns how many it closed. */
export function createSlowReaderSweep({
  clock,
  answerMs,
}: SlowReaderOptions): (open: Iterable<Reader>) => number {
  /** Since when the client has continuously had unread data. */
  let since = new Map<Reader, number>()

  return (open) => {
    const now = clock.now()
    const waiting = new Map<Reader, number>()
    let cut = 0
    for (const reader of open) {
      if (reader.writableLength === 0) continue
      const started = since.get(reader) ?? now
      if (now - started >= answerMs) {
        reader.destroy()
        cut++
        continue
      }
      waiting.set(reader, started)
    }
    since = waiting
    return cut
  }
}

type Connection = Pick<Socket, 'writableLength' | 'destroy' | 'write'>

/** Closes a connection as soon as its client has left more than `maxUnread` bytes unread. */
export function boundUnread(
  connection: Connection,
  onCut: () => void,
  maxUnread: number = HTTP_LIMITS.unreadBytes.value,
): void {
  const write = connection.write.bind(connection) as (...given: unknown[]) => boolean
  connection.write = (...given: unknown[]) => {
    const mayGoOn = write(...given)
    if (connection.writableLength > maxUnread) {
      connection.destroy()
      onCut()
    }
    return mayGoOn
  }
}
