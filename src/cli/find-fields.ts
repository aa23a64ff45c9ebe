// What a task accepts, from the best source available: the agent's tool list, the schemas it publishes, or else the
// protocol's own.

import { knownTask } from '../client/known-tasks.ts'
import type { AgentHandle } from '../client/open-agent.ts'
import { nearNames } from '../lib/near-names.ts'
import { toJsonSchema } from '../protocol/schemas/json-schema.ts'
import type { CallFailure, ClientFetch } from '../transports/client.ts'
import { objectOf } from '../transports/client-answer.ts'
import { cutTo, printableText } from './printable-text.ts'
import { type Field, fieldsOf } from './request-fields.ts'
import { UsageError } from './terminal.ts'

export interface FoundFields {
  fields: Field[]
  /** What the agent says of the task. */
  about: string | undefined
}

export interface FieldSources {
  agentUrl: string
  handle: Pick<AgentHandle, 'listTasks'>
  fetch: ClientFetch
  signal: AbortSignal
}

export type FieldsResult =
  /** Undefined when no source describes the parameters of the task. */
  { ok: true; found: FoundFields | undefined } | { ok: false; failure: CallFailure }

/** Throws a UsageError for a task that the agent does not have. */
export async function findFields(task: string, sources: FieldSources): Promise<FieldsResult> {
  const list = await sources.handle.listTasks({ signal: sources.signal })
  // An agent that lists nothing may still accept calls; one that cannot be reached does not.
  if (!list.ok && ENDED.includes(list.kind ?? '')) return { ok: false, failure: list }
  const tasks = list.ok ? list.tasks : []
  const listed = tasks.find(({ name }) => name === task)
  if (tasks.length > 0 && !listed)
    throw noSuchTask(
      task,
      tasks.map(({ name }) => name),
    )
  const about = listed?.description
  // MCP lists tools with their schemas; the other transports list only task names, if anything.
  const own = fieldsOf(listed?.inputSchema)
  const fields = isTyped(own) ? own : completed(own, await fromSchemas(task, sources))
  if (fields.length > 0) return { ok: true, found: { fields, about } }
  const known = knownTask(task)
  const schema = known && fieldsOf(toJsonSchema(known.request))
  return { ok: true, found: schema && { fields: schema, about } }
}

/** A list of tools that is kept short for models leaves out types, which its agent publishes elsewhere. */
function isTyped(fields: readonly Field[]): boolean {
  return fields.length > 0 && fields.every(({ kinds }) => kinds.size > 0)
}

/** The listed fields as they are published; all published ones if none is listed. */
function completed(listed: Field[], published: Field[]): Field[] {
  if (listed.length === 0) return published
  const known = new Map(published.map((field) => [field.member, field]))
  return listed.map((field) => known.get(field.member) ?? field)
}

const ENDED = ['unreachable', 'timeout', 'cancelled']

function noSuchTask(task: string, known: readonly string[]): UsageError {
  const near = nearNames(task, known)
  const right =
    near.length > 0
      ? `did you mean ${near.join(' or ')}?`
      : `it has ${known
          .slice(0, MAX_NAMED)
          .map((name) => cutTo(name, MAX_NAME_COLUMNS))
          .join(', ')}${known.length > MAX_NAMED ? ' and more' : ''}`
  return new UsageError(printableText(`the agent has no task ${task}: ${right}`))
}

const MAX_NAMED = 30
const MAX_NAME_COLUMNS = 100

/** `/schemas/v3/get-signals-request.json`, next to the transports. */
async function fromSchemas(
  task: string,
  { agentUrl, fetch, signal }: FieldSources,
): Promise<Field[]> {
  if (!/^[a-z][a-z0-9_]{0,99}$/.test(task)) return []
  const { origin, pathname } = new URL(agentUrl)
  const base = pathname.replace(/\/(?:v3|mcp|a2a)?\/?$/, '')
  const url = `${origin}${base}/schemas/v3/${task.replaceAll('_', '-')}-request.json`
  try {
    const { status, body } = await fetch({ url, method: 'GET', headers: {}, signal })
    return status === 200 ? fieldsOf(objectOf(body)) : []
  } catch {
    return []
  }
}
