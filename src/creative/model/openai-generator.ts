// A generator that asks a model server: for words, and for pictures. Whatever goes wrong is "nothing came".

import { defined } from '../../lib/defined.ts'
import {
  askModelServer,
  chatObject,
  type ModelQuestion,
  type ModelServer,
} from '../../lib/model-server.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import { tidy } from '../layout-engine/fit-words.ts'
import type { GeneratedTexts, Generator, PictureWish, TextWish } from './generator.ts'

export interface OpenAiOptions extends ModelServer {
  /** The model for words. Default none: then there are no words. */
  textModel?: string | undefined
  /** The model for pictures. Default none: then there are no pictures. */
  imageModel?: string | undefined
  /** Longest wait for words, in milliseconds. Default 20 000; a picture may take three times that. */
  timeoutMs?: number
  onFault?: (error: unknown) => void
}

const MAX_WORDS_BYTES = 1_000_000
const MAX_PICTURE_BYTES = 30_000_000

export function createOpenAiGenerator(options: OpenAiOptions): Generator {
  const { textModel, imageModel, timeoutMs = 20_000, onFault = () => {} } = options
  const ask = async (question: ModelQuestion, signal: AbortSignal) => {
    try {
      return await askModelServer(options, question, signal)
    } catch (error) {
      onFault(error)
      return undefined
    }
  }
  const words = { path: '/chat/completions', maxBytes: MAX_WORDS_BYTES, timeoutMs } as const
  const pictures = {
    path: '/images/generations',
    maxBytes: MAX_PICTURE_BYTES,
    timeoutMs: 3 * timeoutMs,
  } as const
  const writes = (model: string) => async (wish: TextWish, signal: AbortSignal) =>
    readTexts(await ask({ ...words, body: chatOf(model, wish) }, signal))
  const draws = (model: string) => async (wish: PictureWish, signal: AbortSignal) =>
    readPicture(await ask({ ...pictures, body: drawingOf(model, wish) }, signal))
  return defined({
    text: textModel === undefined ? undefined : writes(textModel),
    image: imageModel === undefined ? undefined : draws(imageModel),
  })
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
  const texts = chatObject(answer)
  const [headline, description, call_to_action] = ['headline', 'description', 'call_to_action'].map(
    (member) => plainText(texts?.[member]),
  )
  if (!headline || !description || !call_to_action) return undefined
  return { headline, description, call_to_action }
}

function plainText(value: unknown): string | undefined {
  return typeof value === 'string' ? tidy(value.replace(/<[^<>]*>/g, ' ')) : undefined
}

function readPicture(answer: unknown): Uint8Array | undefined {
  const data = isObject(answer) && Array.isArray(answer.data) ? answer.data : []
  const encoded: unknown = data[0]?.b64_json
  return typeof encoded === 'string' ? Buffer.from(encoded, 'base64') : undefined
}
