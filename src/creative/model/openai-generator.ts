// A generator that speaks the OpenAI-compatible HTTP interface, which local and hosted model servers
// share: `/chat/completions` for words, `/images/generations` for pictures. Bounded in time and size,
// asked once, and never trusted: what it answers is data. Whatever goes wrong is "nothing came".

import { withDeadline } from '../../lib/deadline.ts'
import { trimEnd } from '../../lib/trim-end.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import { tidy } from '../layout-engine/fit-words.ts'
import type { GeneratedTexts, Generator, PictureWish, TextWish } from './generator.ts'

export interface OpenAiOptions {
  /** The interface's address, up to and including its version, such as http://127.0.0.1:11434/v1. */
  url: string
  /** Sent as a bearer token. Default none. */
  key?: string | undefined
  /** The model for words. Default none: then there are no words. */
  textModel?: string | undefined
  /** The model for pictures. Default none: then there are no pictures. */
  imageModel?: string | undefined
  /** Longest wait for words, in milliseconds. Default 20 000; a picture may take three times that. */
  timeoutMs?: number
  /** The operator's own server, so it is not guarded. Default the platform's. */
  fetch?: typeof fetch
  onFault?: (error: unknown) => void
}

const MAX_WORDS_BYTES = 1_000_000
const MAX_PICTURE_BYTES = 30_000_000

export function createOpenAiGenerator(options: OpenAiOptions): Generator {
  const { textModel, imageModel, timeoutMs = 20_000, onFault = () => {} } = options
  const ask = async (path: string, body: object, limits: Limits, signal: AbortSignal) => {
    try {
      return await post(options, { path, body, ...limits }, signal)
    } catch (error) {
      onFault(error)
      return undefined
    }
  }
  const words = { maxBytes: MAX_WORDS_BYTES, timeoutMs }
  const pictures = { maxBytes: MAX_PICTURE_BYTES, timeoutMs: 3 * timeoutMs }
  return {
    ...(textModel === undefined
      ? {}
      : {
          text: async (wish, signal) =>
            readTexts(await ask('/chat/completions', chatOf(textModel, wish), words, signal)),
        }),
    ...(imageModel === undefined
      ? {}
      : {
          image: async (wish, signal) =>
            readPicture(
              await ask('/images/generations', drawingOf(imageModel, wish), pictures, signal),
            ),
        }),
  }
}

interface Limits {
  maxBytes: number
  timeoutMs: number
}

async function post(
  { url, key, fetch: send = fetch }: OpenAiOptions,
  { path, body, maxBytes, timeoutMs }: Limits & { path: string; body: object },
  signal: AbortSignal,
): Promise<unknown> {
  // The time is for the whole answer, not for its headers alone.
  return withDeadline({ timeoutMs, signals: [signal] }, async (deadline) => {
    const answer = await send(trimEnd(url, '/') + path, {
      method: 'POST',
      redirect: 'error',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify(body),
      signal: deadline,
    })
    if (!answer.ok) {
      await answer.body?.cancel()
      throw new Error(`the model server answered ${answer.status}`)
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

const TASK = `You write the words of one advertisement. Answer with one JSON object with the members
headline, description and call_to_action, each a plain text in the language of the brief and within the
given number of characters. Claim nothing that the brief does not say.`

function chatOf(model: string, { brand, offering, message, limits }: TextWish): object {
  const brief = { brand, offering, instructions: message, longest_texts: limits }
  return {
    model,
    messages: [
      { role: 'system', content: TASK },
      { role: 'user', content: JSON.stringify(brief) },
    ],
    response_format: { type: 'json_object' },
    // The same brief should give the same words, as far as the server keeps to it.
    temperature: 0,
    seed: 1,
    max_tokens: 600,
  }
}

function drawingOf(model: string, { prompt, width, height }: PictureWish): object {
  const shape = width / height
  const size = shape > 1.2 ? '1536x1024' : shape < 0.83 ? '1024x1536' : '1024x1024'
  return { model, prompt: prompt.slice(0, 4_000), n: 1, size, response_format: 'b64_json' }
}

/** Texts that can be shown: no markup, no control characters. All three or none. */
function readTexts(answer: unknown): GeneratedTexts | undefined {
  const content = memberOf(firstOf(memberOf(answer, 'choices')), 'message', 'content')
  if (typeof content !== 'string') return undefined
  // Models like to say something before and after it.
  const texts = parsed(
    content.slice(Math.max(content.indexOf('{'), 0), content.lastIndexOf('}') + 1),
  )
  const [headline, description, call_to_action] = ['headline', 'description', 'call_to_action'].map(
    (member) => plainText(memberOf(texts, member)),
  )
  if (!headline || !description || !call_to_action) return undefined
  return { headline, description, call_to_action }
}

function plainText(value: unknown): string | undefined {
  return typeof value === 'string' ? tidy(value.replace(/<[^<>]*>/g, ' ')) : undefined
}

function readPicture(answer: unknown): Uint8Array | undefined {
  const encoded = memberOf(firstOf(memberOf(answer, 'data')), 'b64_json')
  return typeof encoded === 'string' ? Buffer.from(encoded, 'base64') : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function firstOf(list: unknown): unknown {
  return Array.isArray(list) ? list[0] : undefined
}

function memberOf(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), value)
}
