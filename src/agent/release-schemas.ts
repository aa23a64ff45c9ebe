// The JSON Schemas of a task's request and response in one release: generated from the schemas that the task itself uses,
// with what the release adds to them and removes (spec 9).

import { defined } from '../lib/defined.ts'
import type { Identifiers } from '../protocol/identifiers.ts'
import type { ReleaseTable, Version } from '../protocol/releases/release-table.ts'
import { whenDone } from '../protocol/releases/shapes.ts'
import { creativeError } from '../protocol/schemas/error-object.ts'
import {
  type JsonSchema,
  type JsonSchemaOptions,
  toJsonSchema,
} from '../protocol/schemas/json-schema.ts'
import { isAboutTask } from './answer.ts'
import type { TableEntry } from './task-table.ts'

export interface ReleaseSchemaOptions extends Pick<JsonSchemaOptions, 'id' | 'title' | 'isClosed'> {
  releases: ReleaseTable
  identifiers: Pick<Identifiers, 'versionMember' | 'errorMember'>
}

type Served = Pick<Version, 'features'>

export function requestSchemaOf(
  { task, request }: TableEntry,
  version: Served,
  { releases, id, title }: ReleaseSchemaOptions,
): JsonSchema {
  const about = { task: task.name, of: 'request', changes: task.changes } as const
  const own = toJsonSchema(request, { io: 'input', ...defined({ id, title }) })
  return combined(own, releases.shapesFor(version, about))
}

export function responseSchemaOf(
  { task, response }: TableEntry,
  version: Served,
  { releases, identifiers, id, title, isClosed = false }: ReleaseSchemaOptions,
): JsonSchema {
  const about = { task: task.name, of: 'response', changes: task.changes } as const
  const whole = toJsonSchema(response, { io: 'output', ...defined({ id, title }) })
  const own = toJsonSchema(task.response, { io: 'output', isClosed })
  const { required: _envelope, properties: members, ...open } = whole
  const { more, instead } = releases.shapesFor(version, about)
  const envelope = members as Record<string, JsonSchema>
  const ofTask = own.properties as Record<string, JsonSchema>
  // The error of the task that was queried, or that of the call.
  const error = isAboutTask(task) && ofTask.error ? { error: either(ofTask.error) } : {}
  const properties = { ...envelope, ...ofTask, ...error, ...instead }
  return {
    ...open,
    ...(isClosed && own.additionalProperties === false ? { additionalProperties: false } : {}),
    properties,
    allOf: [...stagesOf({ task, own, identifiers }), ...more],
  }
}

function either(error: JsonSchema): JsonSchema {
  return { anyOf: [error, toJsonSchema(creativeError, { io: 'output' })] }
}

interface Stages extends Pick<TableEntry, 'task'> {
  own: JsonSchema
  identifiers: ReleaseSchemaOptions['identifiers']
}

/** What a response requires when its work is done, accepted for later, or failed. */
function stagesOf({ task, own, identifiers }: Stages): JsonSchema[] {
  const { versionMember, errorMember } = identifiers
  const status = task.hasNoStatus ? [] : ['status']
  const ofTask = (own.required ?? []) as string[]
  const required = [...new Set([...status, versionMember, ...ofTask])]
  const refused = { required: ['status', 'errors', errorMember], ...atLeastOne('errors') }
  // A task may report its failures in members of its own.
  const failed = ofTask.length > 0 ? { anyOf: [refused, { required: ofTask }] } : refused
  if (isAboutTask(task)) {
    // Its status and errors are those of the task that was queried.
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    return [{ if: { required: ['task_id'] }, then: { required }, else: failed }]
  }
  return [
    whenDone({ required }),
    when(['submitted', 'working', 'input-required'], {
      required: [versionMember, 'task_id'],
      properties: { task_id: { minLength: 1 } },
    }),
    when(['failed'], failed),
  ]
}

function atLeastOne(list: string): JsonSchema {
  return { properties: { [list]: { minItems: 1 } } }
}

function when(statuses: readonly string[], then: JsonSchema): JsonSchema {
  return { if: { required: ['status'], properties: { status: { enum: statuses } } }, then }
}

function combined(own: JsonSchema, { more, instead }: ReturnType<ReleaseTable['shapesFor']>) {
  const properties = { ...(own.properties as object), ...instead }
  return { ...own, properties, ...(more.length > 0 ? { allOf: more } : {}) }
}
