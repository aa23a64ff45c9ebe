// The tasks as MCP tools (spec 4.2, 4.3): each with every member of its request and response, since clients strip
// members that a tool does not declare, in as much detail as there is room for; and a response as a tool result.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import type { Answer } from '../../agent/answer.ts'
import { describeTask, guideOf } from '../../agent/task-guides.ts'
import type { TableEntry } from '../../agent/task-table.ts'
import { quotePaced } from '../../lib/paced-json.ts'
import type { Identifiers } from '../../protocol/identifiers.ts'
import { abridgeSchema } from '../../protocol/schemas/abridge-schema.ts'
import { briefSchema } from '../../protocol/schemas/brief-schema.ts'
import { requestEnvelope } from '../../protocol/schemas/envelope.ts'
import { type JsonSchema, toJsonSchema } from '../../protocol/schemas/json-schema.ts'

export interface Tool {
  name: string
  description: string
  inputSchema: JsonSchema
  /** Missing if the operator wants a short list. */
  outputSchema?: JsonSchema
  annotations?: { readOnlyHint: true }
}

/** A model receives all tools at once: details that do not fit are at /schemas/v3. Tasks with a guide have less. */
const INPUT_CHARS = 2_000
const OUTPUT_CHARS = 1_000

export interface ToolOptions {
  /** The entries that the caller may see: a description names no other. */
  known: readonly TableEntry[]
  identifiers: Identifiers
  /** Default true. */
  outputSchemas?: boolean
}

/** Takes some dozens of milliseconds, so a few tools are done in each turn. */
export async function toolOf(
  entry: TableEntry,
  { known, identifiers, outputSchemas = true }: ToolOptions,
): Promise<Tool> {
  const { name, task, request, response } = entry
  // A tool that is not public has no public schema.
  const whole = (kind: string) =>
    task.isKnownTo
      ? {}
      : { description: `In full: /schemas/v3/${name.replaceAll('_', '-')}-${kind}.json` }
  const guide = guideOf(task.name)
  await nextTurn()
  const input = briefSchema(toJsonSchema(request, { io: 'input' }), {
    maxChars: guide?.chars ?? INPUT_CHARS,
    bare: Object.keys(requestEnvelope(identifiers)),
    ...(guide && { main: guide.members ?? [] }),
  })
  await nextTurn()
  const output = outputSchemas
    ? await abridged(ownMembers(toJsonSchema(response, { io: 'output' }), task), OUTPUT_CHARS)
    : undefined
  return {
    name,
    description: describeTask(entry, known),
    inputSchema: { ...input, ...whole('request') },
    ...(output && { outputSchema: { type: 'object', ...output, ...whole('response') } }),
    // By default a tool is one that changes something.
    ...(!task.changes && { annotations: { readOnlyHint: true } }),
  }
}

async function abridged(schema: JsonSchema, maxChars: number): Promise<JsonSchema> {
  await nextTurn()
  const short = await abridgeSchema(schema, maxChars, nextTurn)
  await nextTurn()
  return short
}

/** Of the members common to all responses, those that report the status of the call. */
const STANDING = new Set(['status', 'message', 'task_id', 'errors'])

function ownMembers(schema: JsonSchema, { response }: TableEntry['task']): JsonSchema {
  const own = new Set(response instanceof z.ZodObject ? Object.keys(response.shape) : [])
  const members = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
  const properties = Object.fromEntries(
    members.filter(([member]) => STANDING.has(member) || (own.has(member) && member !== 'ext')),
  )
  return { ...schema, properties }
}

/** Returns the members of a tool result as JSON, without the braces. */
export type ToolResults = (task: string, answer: Answer) => Promise<string>

/** For shorter bodies, quoting is faster than comparing. */
const MIN_KEPT_CHARS = 4_096
const MAX_KEPT_CHARS = 1_048_576

/**
 * A result contains its body twice: as JSON, and quoted as text for old clients. Quoting a large body costs more than
 * everything else, so the last one of each task is cached in case it repeats.
 */
export function createToolResults(): ToolResults {
  const kept = new Map<string, { json: string; quoted: string }>()

  const quote = async (task: string, json: string): Promise<string> => {
    if (json.length < MIN_KEPT_CHARS || json.length > MAX_KEPT_CHARS) return quotePaced(json)
    const last = kept.get(task)
    if (last?.json === json) return last.quoted
    const quoted = await quotePaced(json)
    kept.set(task, { json, quoted })
    return quoted
  }

  return async (task, answer) => {
    const json = answer.json()
    const text = await quote(task, json)
    return `"content":[{"type":"text","text":${text}}],"structuredContent":${json},"isError":${!answer.ok}`
  }
}
