// Sends one question to a server with the OpenAI-compatible HTTP interface, which local and hosted model servers
// share. Limited in time and size, sent once, and untrusted: its answer is data.

import { withDeadline } from './deadline.ts'
import { defined } from './defined.ts'
import { trimEnd } from './trim-end.ts'
import { tryJsonObject } from './try-json.ts'

export interface ModelServer {
  /** The base URL, up to and including its version, such as http://127.0.0.1:11434/v1. */
  url: string
  /** Sent as a bearer token. Default none. */
  key?: string | undefined
  /** Not guarded, because it is the operator's own server. Default the platform's fetch. */
  fetch?: typeof fetch
}

export interface ModelQuestion {
  path: '/chat/completions' | '/images/generations'
  body: object
  /** The largest answer that is read. */
  maxBytes: number
  /** Timeout of the whole answer, not only of its headers. */
  timeoutMs: number
}

/** The server refused the request with this HTTP status. */
export class ModelServerRefusal extends Error {
  override readonly name = 'ModelServerRefusal'
  readonly status: number

  constructor(status: number) {
    super(`the model server answered ${status}`)
    this.status = status
  }
}

/**
 * The answer as JSON. Throws if there is none; the error contains what the operator should know, and nothing of the
 * question.
 */
export function askModelServer(
  { url, key, fetch: send = fetch }: ModelServer,
  { path, body, maxBytes, timeoutMs }: ModelQuestion,
  signal: AbortSignal,
): Promise<unknown> {
  return withDeadline({ timeoutMs, signals: [signal] }, async (deadline) => {
    const answer = await send(trimEnd(url, '/') + path, {
      method: 'POST',
      redirect: 'error',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...defined({ authorization: key === undefined ? undefined : `Bearer ${key}` }),
      },
      body: JSON.stringify(body),
      signal: deadline,
    })
    if (!answer.ok) {
      await answer.body?.cancel()
      throw new ModelServerRefusal(answer.status)
    }
    return JSON.parse(await readUpTo(answer, maxBytes))
  })
}

async function readUpTo(answer: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of answer.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw new Error(`the model server sent more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The JSON object in the text of a chat's first answer: models often add text before and after it. */
export function chatObject(answer: unknown): Record<string, unknown> | undefined {
  const { choices } = (answer ?? {}) as { choices?: unknown }
  const [first] = Array.isArray(choices) ? choices : []
  const content: unknown = first?.message?.content
  if (typeof content !== 'string') return undefined
  return tryJsonObject(
    content.slice(Math.max(content.indexOf('{'), 0), content.lastIndexOf('}') + 1),
  )
}
