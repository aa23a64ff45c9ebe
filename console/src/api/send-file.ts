// Sends a file of signals to the server and reads its progress: lines of JSON, the last with the outcome.

import type {
  SignalImportLine,
  SignalImportQuery,
  SignalImportReport,
} from '../../../src/console/api/signal-imports.ts'
import { session } from '../session.ts'
import { sentence } from '../words.ts'
import { type Answer, AWAY, faultOf } from './request.ts'

export interface Sending {
  file: File
  query: SignalImportQuery
  onProgress(rows: number, bytes: number): void
  signal: AbortSignal
}

/** Errors are returned as values. Throws only if the signal was aborted. */
export async function sendFile(sending: Sending): Promise<Answer<SignalImportReport>> {
  const { file, query, signal } = sending
  const { name, format, mode, replace, digest } = query
  const search = new URLSearchParams({ name, format, mode, replace: String(replace) })
  if (digest !== undefined) search.set('digest', digest)
  try {
    const response = await fetch(`/console/api/signal-imports?${search}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/octet-stream',
        'x-adwire-csrf': session.peek()?.csrf ?? '',
      },
      credentials: 'same-origin',
      body: file,
      signal,
    })
    if (response.ok && response.body) return await outcomeOf(response.body, sending)
    return { ok: false, fault: faultOf(response.status, await response.json()) }
  } catch (error) {
    if (signal.aborted) throw error
    return { ok: false, fault: (await isReadable(file)) ? AWAY : UNREADABLE }
  }
}

const UNREADABLE = {
  kind: 'refused',
  code: 'unreadable',
  message: 'The file cannot be read: it was changed, moved or deleted after you chose it.',
} as const

async function isReadable(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer()
    return true
  } catch {
    return false
  }
}

async function outcomeOf(
  body: ReadableStream<Uint8Array>,
  { onProgress }: Sending,
): Promise<Answer<SignalImportReport>> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return { ok: false, fault: AWAY }
    const lines = (rest + decoder.decode(value, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const text of lines) {
      const line = JSON.parse(text) as SignalImportLine
      if ('progress' in line) onProgress(line.progress.rows, line.progress.bytes)
      else if ('report' in line) return { ok: true, value: line.report }
      else {
        const { code, message } = line.error
        return { ok: false, fault: { kind: 'broken', code, message: sentence(message) } }
      }
    }
  }
}
