// A generator that uses a model server, for words and for pictures. Any error counts as no result.

import { defined } from '../../lib/defined.ts'
import { askModelServer, type ModelServer } from '../../lib/model-server.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import { tidy } from '../layout-engine/fit-words.ts'
import { type AskForJson, createAskForJson, type JsonQuestion } from './ask-for-json.ts'
import type {
  GeneratedTexts,
  Generator,
  ImageRequest,
  ReadingRequest,
  TextOptions,
} from './generator.ts'
import { readingQuestion, readSegments } from './reading-question.ts'

export interface OpenAiOptions extends ModelServer {
  /** The model that reads and writes. Default none: then no words are generated. */
  textModel?: string | undefined
  /** The model for pictures. Default none: then no pictures are generated. */
  imageModel?: string | undefined
  /** Timeout for words, in milliseconds. Default 20 000; a picture may take three times as long. */
  timeoutMs?: number
  onFault?: (error: unknown) => void
}

const MAX_WORDS_BYTES = 1_000_000
const MAX_PICTURE_BYTES = 30_000_000

export function createOpenAiGenerator(options: OpenAiOptions): Generator {
  const { textModel, imageModel, timeoutMs = 20_000, onFault = () => {} } = options
  const orNothing = async <Answer>(answer: Promise<Answer>) => {
    try {
      return await answer
    } catch (error) {
      onFault(error)
      return undefined
    }
  }
  const ask: AskForJson | undefined =
    textModel === undefined
      ? undefined
      : createAskForJson({ ...options, model: textModel, timeoutMs })
  const reads = (of: AskForJson) => async (request: ReadingRequest, signal: AbortSignal) =>
    readSegments(await orNothing(of(readingQuestion(request), signal)))
  const writes = (of: AskForJson) => async (imageRequest: TextOptions, signal: AbortSignal) =>
    readTexts(await orNothing(of(textQuestion(imageRequest), signal)))
  const pictures = {
    path: '/images/generations',
    maxBytes: MAX_PICTURE_BYTES,
    timeoutMs: 3 * timeoutMs,
  } as const
  const draws = (model: string) => async (imageRequest: ImageRequest, signal: AbortSignal) => {
    const question = { ...pictures, body: drawingOf(model, imageRequest) }
    return readPicture(await orNothing(askModelServer(options, question, signal)))
  }
  return defined({
    read: ask && reads(ask),
    text: ask && writes(ask),
    image: imageModel === undefined ? undefined : draws(imageModel),
  })
}

const TASK = `You write the words of one advertisement. Answer with one JSON object with the members
headline, description and call_to_action, each a plain text in the language of the brief and within the
given number of characters. Claim nothing that the brief does not say. Say every price, percentage, date,
code, address and telephone number that the brief says about the offer.`

const TEXT = { type: 'string' } as const
const TEXTS_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['headline', 'description', 'call_to_action'],
  properties: { headline: TEXT, description: TEXT, call_to_action: TEXT },
}

function textQuestion({ brand, offering, message, limits }: TextOptions): JsonQuestion {
  return {
    name: 'advertisement',
    schema: TEXTS_SCHEMA,
    task: TASK,
    question: { brand, offering, instructions: message, longest_texts: limits },
    maxTokens: 600,
    maxBytes: MAX_WORDS_BYTES,
  }
}

function drawingOf(model: string, { prompt, width, height }: ImageRequest): object {
  const shape = width / height
  const size = shape > 1.2 ? '1536x1024' : shape < 0.83 ? '1024x1536' : '1024x1024'
  return { model, prompt: prompt.slice(0, 4_000), n: 1, size, response_format: 'b64_json' }
}

/** Texts that can be displayed: no markup, no control characters. Either all three or none. */
function readTexts(texts: Record<string, unknown> | undefined): GeneratedTexts | undefined {
  const headline = plainText(texts?.headline)
  const description = plainText(texts?.description)
  const call_to_action = plainText(texts?.call_to_action)
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
