// Changes on the server, as they happen: a stream of topics. Views that display a topic request their data again.
// After the stream was disconnected, everything may have changed.

import { signal } from '@preact/signals'
import { api } from './api/client.ts'
import { session, sessionEnded } from './session.ts'

export type LiveState = 'off' | 'on' | 'away'

export const live = signal<LiveState>('off')

type Listener = (topics: readonly string[] | 'all') => void
const listeners = new Set<Listener>()
const FIRST_PAUSE_MS = 3_000
const LONGEST_PAUSE_MS = 30_000

let source: EventSource | undefined
let retry: ReturnType<typeof setTimeout> | undefined
let wasAway = false
let pauseMs = FIRST_PAUSE_MS

/** Calls the function when one of the topics has changed; returns a function to stop. */
export function onChange(topics: readonly string[], changed: () => void): () => void {
  const listener: Listener = (named) => {
    if (named === 'all' || named.some((topic) => topics.includes(topic))) changed()
  }
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Everything displayed is requested again: after a gap, or when a person requests it. */
function refreshAll(): void {
  for (const listener of listeners) listener('all')
}

export function startLive(): void {
  close()
  const opened = new EventSource('/console/api/events')
  source = opened
  opened.addEventListener('open', () => {
    live.value = 'on'
    pauseMs = FIRST_PAUSE_MS
    if (wasAway) refreshAll()
    wasAway = false
  })
  opened.addEventListener('changed', (event) => {
    const { topics } = JSON.parse((event as MessageEvent<string>).data) as { topics: string[] }
    for (const listener of listeners) listener(topics)
  })
  opened.addEventListener('signed_out', () => sessionEnded())
  opened.addEventListener('error', () => {
    live.value = 'away'
    wasAway = true
    // The browser reconnects on its own, unless the response was not a stream.
    if (opened.readyState === EventSource.CLOSED) {
      clearTimeout(retry)
      retry = setTimeout(reopen, pauseMs)
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    }
  })
}

/** First checks whether there still is a session: without one there is no stream to open. */
async function reopen() {
  await api('GET /session')
  if (session.peek()) startLive()
}

export function stopLive(): void {
  close()
  live.value = 'off'
  wasAway = false
}

function close() {
  clearTimeout(retry)
  source?.close()
  source = undefined
}

// A page that is left keeps no stream open; one restored from the browser's cache opens it again.
addEventListener('pagehide', () => source?.close())
addEventListener('pageshow', (event) => {
  if (event.persisted && session.peek()) startLive()
})
