// The DevTools protocol of a Chromium over its pipe: JSON texts, each followed by a zero byte; commands go one way,
// responses and events the other. Nothing from a browser is trusted: a text that is too long or is not JSON ends the
// connection.

import type { Readable, Writable } from 'node:stream'

export interface DevTools {
  /** Rejects with the browser's error message, or when the pipe has closed. */
  send(method: string, params?: object, sessionId?: string): Promise<Answer>
  /** Subscribes to events of a session, or of the browser itself under ''. Returns the function that unsubscribes. */
  receive(sessionId: string, listener: (event: DevToolsEvent) => void): () => void
}

export type Answer = Readonly<Record<string, unknown>>

export interface DevToolsEvent {
  method: string
  params: Answer
}

export interface DevToolsPipe {
  /** The browser hears here. */
  input: Writable
  /** The browser speaks here. */
  output: Readable
}

/** Maximum message size: the largest accepted picture as base64 in JSON. */
const MAX_TEXT_BYTES = 64 * 1_024 * 1_024

interface Waiting {
  resolve(answer: Answer): void
  reject(error: Error): void
}

export function connectDevTools(
  { input, output }: DevToolsPipe,
  /** Called once when the pipe can no longer be used. */
  onEnd: (reason: string) => void,
): DevTools {
  const waiting = new Map<number, Waiting>()
  const listeners = new Map<string, Set<(event: DevToolsEvent) => void>>()
  let lastId = 0
  let ended: string | undefined

  function end(reason: string): void {
    if (ended !== undefined) return
    ended = reason
    for (const { reject } of waiting.values()) reject(new Error(reason))
    waiting.clear()
    output.destroy()
    onEnd(reason)
  }

  function receive(text: string): void {
    const message = JSON.parse(text) as Message
    if (message.id === undefined) {
      const { method = '', params = {}, sessionId = '' } = message
      for (const listener of listeners.get(sessionId) ?? []) listener({ method, params })
      return
    }
    const requested = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.error) requested?.reject(new Error(String(message.error.message)))
    else requested?.resolve(message.result ?? {})
  }

  input.on('error', () => end('the browser does not listen any more'))
  output.on('error', () => end('the connection to the browser was lost'))
  output.on('end', () => end('the browser has ended'))
  output.on('data', readTexts(receive, end))

  return {
    send: (method, params = {}, sessionId) => {
      if (ended !== undefined) return Promise.reject(new Error(ended))
      lastId += 1
      const id = lastId
      const requested = new Promise<Answer>((resolve, reject) =>
        waiting.set(id, { resolve, reject }),
      )
      input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`)
      return requested
    },
    receive: (sessionId, listener) => {
      const all = listeners.get(sessionId) ?? new Set()
      listeners.set(sessionId, all.add(listener))
      return () => {
        all.delete(listener)
        if (all.size === 0) listeners.delete(sessionId)
      }
    },
  }
}

interface Message {
  id?: number
  result?: Answer
  error?: { message?: unknown }
  method?: string
  params?: Answer
  sessionId?: string
}

/** Each byte is scanned once, however the messages are split into chunks. */
function readTexts(
  receive: (text: string) => void,
  end: (reason: string) => void,
): (chunk: Buffer) => void {
  let parts: Buffer[] = []
  let bytes = 0
  return (chunk) => {
    let from = 0
    try {
      for (let at = chunk.indexOf(0); at >= 0; at = chunk.indexOf(0, from)) {
        parts.push(chunk.subarray(from, at))
        const text = Buffer.concat(parts).toString('utf8')
        parts = []
        bytes = 0
        from = at + 1
        receive(text)
      }
    } catch {
      end('the browser sent invalid JSON')
      return
    }
    parts.push(chunk.subarray(from))
    bytes += chunk.length - from
    if (bytes > MAX_TEXT_BYTES) end('the browser sent a message that is too large')
  }
}
