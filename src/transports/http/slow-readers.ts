// Closes connections whose clients do not read what they are sent in time: an answer waits in memory until its client has
// taken it, and a client that takes none would keep it there for ever. Streams are no exception. How much may wait is
// bounded by `answer-reserve.ts`, when it is written.

import type { Socket } from 'node:net'
import type { Clock } from '../../lib/clock.ts'
import { HTTP_LIMITS } from './limits.ts'

export interface SlowReaderOptions {
  clock: Clock
  /** Longest time that something sent may wait to be taken, in milliseconds. */
  answerMs: number
}

type Reader = Pick<Socket, 'writableLength' | 'destroy'>

/** Gives a function to be called every now and then with the open connections; it says how many it cut. */
export function createSlowReaderSweep({
  clock,
  answerMs,
}: SlowReaderOptions): (open: Iterable<Reader>) => number {
  /** Since when there has always been something that a client had not taken. */
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

/** Closes a connection in the moment in which its client has left more than `maxUnread` bytes. */
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
