// Follows the feed for one reader: sends existing events, waits for a change or the interval, and sends a
// heartbeat when there was no change. Holds one page in memory, even if the reader is slow.

import type { FeedAnswer } from '../../../registry/read-feed.ts'
import type { Refusal } from '../../../registry/refusal.ts'

export interface FeedStream {
  write: (text: string) => Promise<void>
  closed: AbortSignal
  first: FeedAnswer
  read: (cursor: string | null) => Promise<{ ok: true; body: FeedAnswer } | Refusal>
  onChange: (listener: () => void) => () => void
  intervalMs: number
}

export async function followFeed(stream: FeedStream): Promise<void> {
  const changes = changeWaiter(stream)
  try {
    let page = stream.first
    while (!stream.closed.aborted) {
      await stream.write(
        page.events.length > 0
          ? event('feed', page)
          : event('heartbeat', {
              generated_at: page.freshness.generated_at,
              cursor: page.cursor,
              freshness: page.freshness,
            }),
      )
      if (!page.has_more) await changes.next()
      if (stream.closed.aborted) return
      const next = await stream.read(page.cursor)
      if (!next.ok) {
        await stream.write(event('error', { error: next.error, ...next.details }))
        return
      }
      page = next.body
    }
  } catch {
    // The store is unavailable: the reader reconnects with its cursor and misses nothing.
    await stream.write(event('error', { error: 'the feed is unavailable: reconnect' }))
  } finally {
    changes.stop()
  }
}

function event(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}

/** Remembers a change that arrives between two waits, so that none is missed. */
function changeWaiter({ onChange, intervalMs, closed }: FeedStream) {
  let changed = false
  let wake = () => {}
  const unsubscribe = onChange(() => {
    changed = true
    wake()
  })
  closed.addEventListener('abort', () => wake())
  return {
    stop: unsubscribe,
    next: async () => {
      if (!changed && !closed.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, intervalMs)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      changed = false
    },
  }
}
