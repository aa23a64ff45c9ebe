// A schema as JSON Schema (draft 2020-12), for tools/list, /schemas/v3 and the OpenAPI description: self-contained,
// and open where unknown members are allowed.

import { z } from 'zod'
import { defined } from '../../lib/defined.ts'

export interface JsonSchemaOptions {
  /** Whether it describes what is accepted or what is sent. Default `input`. */
  io?: 'input' | 'output'
  /** URL under which it is published. Default none. */
  id?: string
  /** Name for people. Default none. */
  title?: string
  /** Whether members that a closed object does not declare are forbidden. Default false: receivers ignore them. */
  isClosed?: boolean
}

export type JsonSchema = Record<string, unknown>

export function toJsonSchema(
  schema: z.ZodType,
  { io = 'input', id, title, isClosed = false }: JsonSchemaOptions = {},
): JsonSchema {
  const { $schema, ...body } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ jsonSchema, zodSchema }) =>
      tidy(jsonSchema, { isShort: SHORT.has(zodSchema), isClosed }),
  }) as JsonSchema
  // Only a standalone document declares its dialect; inside another document that would be an error.
  return {
    ...(id === undefined ? {} : { $schema, $id: id }),
    ...defined({ title }),
    ...body,
  }
}

/** Schemas that validate in full and are published as an object with a one-sentence description. */
const SHORT = z.registry<{ reported: string }>()

/** The same schema, published as one sentence: for values that are described in full next to it. */
export function briefly<S extends z.ZodType>(schema: S, reported: string): S {
  const copy = schema.describe(reported)
  SHORT.add(copy, { reported })
  return copy
}

type Draft = z.core.JSONSchema.BaseSchema

function tidy(draft: Draft, { isShort, isClosed }: { isShort: boolean; isClosed: boolean }): void {
  if (isShort) {
    for (const keyword of Object.keys(draft)) {
      if (keyword !== 'description') delete draft[keyword]
    }
    draft.type = 'object'
  }
  // Receivers must ignore unknown members, so that a later release can add some.
  const isForbidden = draft.additionalProperties === false && !isClosed
  if (isForbidden || isEmpty(draft.additionalProperties)) {
    delete draft.additionalProperties
  }
  // A format name says more than the long expression behind it.
  if (draft.format !== undefined) delete draft.pattern
  if (draft.maximum === Number.MAX_SAFE_INTEGER) delete draft.maximum
  if (draft.minimum === Number.MIN_SAFE_INTEGER) delete draft.minimum
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
