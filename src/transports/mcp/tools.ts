// The tasks as MCP tools (spec 4.2, 4.3): each with every member of its request and answer, since clients
// strip what a tool does not declare, in as much detail as there is room for; and an answer as a tool
// result.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import type { Answer } from '../../agent/answer.ts'
import type { TableEntry } from '../../agent/task-table.ts'
import { quotePaced } from '../../lib/paced-json.ts'
import { abridgeSchema } from '../../protocol/schemas/abridge-schema.ts'
import { type JsonSchema, toJsonSchema } from '../../protocol/schemas/json-schema.ts'

export interface Tool {
  name: string
  title: string
  description: string
  inputSchema: JsonSchema
  /** Missing where the operator wants the list short. */
  outputSchema?: JsonSchema
  annotations: { title: string; readOnlyHint: boolean; idempotentHint?: boolean }
}

/** A model receives all tools at once: what does not fit is at /schemas/v3. */
const INPUT_CHARS = 2_000
const OUTPUT_CHARS = 1_000

/** Takes some dozens of milliseconds, a few in each turn. */
export async function toolOf(
  { name, task, request, response }: TableEntry,
  { outputSchemas = true }: { outputSchemas?: boolean } = {},
): Promise<Tool> {
  const title = titleOf(name)
  // What not everybody knows of has no schema that everybody can read.
  const whole = (kind: string) =>
    task.isKnownTo
      ? {}
      : { description: `In full: /schemas/v3/${name.replaceAll('_', '-')}-${kind}.json` }
  const input = await abridged(toJsonSchema(request, { io: 'input' }), INPUT_CHARS)
  const output = outputSchemas
    ? await abridged(ownMembers(toJsonSchema(response, { io: 'output' }), task), OUTPUT_CHARS)
    : undefined
  return {
    name,
    title,
    description: task.summary,
    inputSchema: { type: 'object', ...input, ...whole('request') },
    ...(output && { outputSchema: { type: 'object', ...output, ...whole('response') } }),
    annotations: task.changes
      ? { title, readOnlyHint: false }
      : { title, readOnlyHint: true, idempotentHint: true },
  }
}

async function abridged(schema: JsonSchema, maxChars: number): Promise<JsonSchema> {
  await nextTurn()
  const short = await abridgeSchema(schema, maxChars, nextTurn)
  await nextTurn()
  return short
}

/** Of the members that every answer has, those that say how the call stands. */
const STANDING = new Set(['status', 'message', 'task_id', 'errors'])

function ownMembers(schema: JsonSchema, { response }: TableEntry['task']): JsonSchema {
  const own = new Set(response instanceof z.ZodObject ? Object.keys(response.shape) : [])
  const members = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
  const properties = Object.fromEntries(
    members.filter(([member]) => STANDING.has(member) || (own.has(member) && member !== 'ext')),
  )
  return { ...schema, properties }
}

/** Gives the members of a tool result as JSON, without the braces. */
export type ToolResults = (task: string, answer: Answer) => Promise<string>

/** Shorter bodies are quoted faster than they are compared. */
const MIN_KEPT_CHARS = 4_096
const MAX_KEPT_CHARS = 1_048_576

/**
 * A result holds its body twice: as it is, and quoted as text for old clients. Quoting a large one
 * costs more than everything else, so the last of each task is kept for when it is the same again.
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

/** `list_creative_formats` as people read it: List creative formats. */
function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
