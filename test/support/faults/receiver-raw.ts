// One request written to a socket as given, for what no HTTP client would send.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface RawRequest {
  path?: string
  /** Beside Host; none is added. */
  headers: Record<string, string>
  /** Written one after the other, until there is an answer. Default nothing. */
  parts?: readonly Uint8Array[]
}

export interface RawAnswer {
  status: number
  /** By their name in lower case. */
  headers: Record<string, string>
  /** Of the error. */
  code: string | undefined
  /** How many parts were written before it came. */
  written: number
  /** Whether the server ended the connection, by its own decision. */
  isEnded: boolean
}

/** How long a server that says that it closes has to do so. */
const CLOSE_MS = 5_000

export async function sendRaw(origin: string, request: RawRequest): Promise<RawAnswer> {
  const { path = '/hooks/any', headers, parts = [] } = request
  const { hostname, port, host } = new URL(origin)
  const socket = connect(Number(port), hostname).setNoDelay(true)
  const received = listen(socket)
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}`)
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  let written = 0
  for (const part of parts) {
    if (received.isEnded || answerIn(received.text)) break
    if (!socket.write(part)) await Promise.race([drained(socket), received.ended])
    written += 1
    // In packets of their own: nothing may depend on what arrives together.
    await new Promise((resolve) => setImmediate(resolve))
  }
  while (!received.isEnded && !answerIn(received.text)) await sleep(2)
  const answer = answerIn(received.text)
  if (!answer) throw new Error(`the server ended without an answer: ${received.text}`)
  if (answer.headers.connection === 'close') await Promise.race([received.ended, sleep(CLOSE_MS)])
  socket.destroy()
  return { ...answer, written, isEnded: received.isEnded }
}

/** Resolves as well when there is no one left who reads. */
function drained(socket: Socket): Promise<unknown> {
  return once(socket, 'drain').catch(() => undefined)
}

function listen(socket: Socket) {
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      received.isEnded = true
      resolve()
    }
    socket.on('end', end).on('close', end)
  })
  const received = { text: '', isEnded: false, ended }
  // A reset after the answer is no fault of the test.
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    received.text += String(chunk)
  })
  return received
}

/** Undefined until it is there to its end. */
function answerIn(text: string): Omit<RawAnswer, 'written' | 'isEnded'> | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first = '', ...lines] = text.slice(0, end).split('\r\n')
  const status = Number(first.split(' ')[1])
  // "100 Continue" is no answer yet.
  if (status < 200) return answerIn(text.slice(end + 4))
  const headers = Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':')
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]
    }),
  )
  const body = text.slice(end + 4)
  const length = Number(headers['content-length'] ?? 0)
  if (body.length < length) return undefined
  const read = length === 0 ? {} : (JSON.parse(body) as { error?: { code: string } })
  return { status, headers, code: read.error?.code }
}
