// The tasks as MCP tools (spec 4.2, 4.3): each with the full shape of its request and answer, since
// clients strip what a tool does not declare, and an answer as a tool result.

import type { Answer } from '../../agent/answer.ts'
import type { TableEntry } from '../../agent/task-table.ts'
import { type JsonSchema, toJsonSchema } from '../../protocol/schemas/json-schema.ts'

export interface Tool {
  name: string
  title: string
  description: string
  inputSchema: JsonSchema
  outputSchema: JsonSchema
  annotations: { title: string; readOnlyHint: boolean; idempotentHint?: boolean }
}

export function toolOf({ name, task, request, response }: TableEntry): Tool {
  const title = titleOf(name)
  return {
    name,
    title,
    description: task.summary,
    inputSchema: { type: 'object', ...toJsonSchema(request, { io: 'input' }) },
    outputSchema: { type: 'object', ...toJsonSchema(response, { io: 'output' }) },
    annotations: task.changes
      ? { title, readOnlyHint: false }
      : { title, readOnlyHint: true, idempotentHint: true },
  }
}

/** Gives the members of a tool result as JSON, without the braces. */
export type ToolResults = (task: string, answer: Answer) => string

/** Shorter bodies are quoted faster than they are compared. */
const MIN_KEPT_CHARS = 4_096
const MAX_KEPT_CHARS = 1_048_576

/**
 * A result holds its body twice: as it is, and quoted as text for old clients. Quoting a large one
 * costs more than everything else, so the last of each task is kept for when it is the same again.
 */
export function createToolResults(): ToolResults {
  const kept = new Map<string, { json: string; quoted: string }>()

  const quote = (task: string, json: string): string => {
    if (json.length < MIN_KEPT_CHARS || json.length > MAX_KEPT_CHARS) return JSON.stringify(json)
    const last = kept.get(task)
    if (last?.json === json) return last.quoted
    const quoted = JSON.stringify(json)
    kept.set(task, { json, quoted })
    return quoted
  }

  return (task, answer) => {
    const json = answer.json()
    const text = quote(task, json)
    return `"content":[{"type":"text","text":${text}}],"structuredContent":${json},"isError":${!answer.ok}`
  }
}

/** `list_creative_formats` as people read it: List creative formats. */
function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
