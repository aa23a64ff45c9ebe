// A question to a language model whose response is a JSON object with a given schema. Servers differ in their support
// for schemas: a kind that one refuses is not sent to it again.

import { withDeadline } from '../../lib/deadline.ts'
import {
  askModelServer,
  chatObject,
  type ModelServer,
  ModelServerRefusal,
} from '../../lib/model-server.ts'

export interface JsonQuestion {
  /** Of the schema. */
  name: string
  schema: object
  task: string
  /** Sent as JSON. */
  question: object
  maxTokens: number
  /** The largest answer that is read. */
  maxBytes: number
}

export interface JsonModel extends ModelServer {
  model: string
  /** For all attempts together. */
  timeoutMs: number
}

/** Undefined for a response without a JSON object. Throws if there is no response. */
export type AskForJson = (
  question: JsonQuestion,
  signal: AbortSignal,
) => Promise<Record<string, unknown> | undefined>

/** From the strictest to none: local servers support at most the second, and some only the first and the last. */
const RESPONSE_FORMATS = ['json_schema', 'json_object', undefined] as const
/** Statuses with which servers refuse an unknown member. */
const NOT_KNOWN: ReadonlySet<number> = new Set([400, 404, 415, 422, 501])

export function createAskForJson(server: JsonModel): AskForJson {
  let known = 0
  return (question, given) =>
    withDeadline({ timeoutMs: server.timeoutMs, signals: [given] }, async (signal) => {
      for (let attempt = known; ; attempt++) {
        try {
          const { maxBytes } = question
          const body = bodyOf(server.model, question, RESPONSE_FORMATS[attempt])
          const requested = { path: '/chat/completions', body, maxBytes } as const
          const answer = await askModelServer(
            server,
            { ...requested, timeoutMs: server.timeoutMs },
            signal,
          )
          known = attempt
          return chatObject(answer)
        } catch (error) {
          const isKnown = !(error instanceof ModelServerRefusal && NOT_KNOWN.has(error.status))
          if (isKnown || attempt + 1 >= RESPONSE_FORMATS.length) throw error
        }
      }
    })
}

function bodyOf(
  model: string,
  { name, schema, task, question, maxTokens }: JsonQuestion,
  format: (typeof RESPONSE_FORMATS)[number],
): object {
  const isReported = format !== 'json_schema'
  const system = isReported ? `${task}\nJSON schema of the answer: ${JSON.stringify(schema)}` : task
  return {
    model,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: JSON.stringify(question) },
    ],
    ...(format === 'json_schema' && {
      response_format: { type: format, json_schema: { name, strict: true, schema } },
    }),
    ...(format === 'json_object' && { response_format: { type: format } }),
    // The same question should have the same response, as far as the server ensures it.
    temperature: 0,
    seed: 1,
    max_tokens: maxTokens,
  }
}
