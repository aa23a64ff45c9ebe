// A schema as JSON Schema (draft 2020-12), for tools/list, /schemas/v3 and the OpenAPI description:
// self-contained, and open where unknown members pass.

import { z } from 'zod'
import { defined } from '../../lib/defined.ts'

export interface JsonSchemaOptions {
  /** Whether it describes what is accepted or what is sent. Default `input`. */
  io?: 'input' | 'output'
  /** Address under which it is published. Default none. */
  id?: string
  /** Name for people. Default none. */
  title?: string
}

export type JsonSchema = Record<string, unknown>

export function toJsonSchema(
  schema: z.ZodType,
  { io = 'input', id, title }: JsonSchemaOptions = {},
): JsonSchema {
  const { $schema, ...body } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ jsonSchema, zodSchema }) => tidy(jsonSchema, SHORT.has(zodSchema)),
  }) as JsonSchema
  // Only a document of its own names its dialect; inside another document it would be a fault.
  return {
    ...(id === undefined ? {} : { $schema, $id: id }),
    ...defined({ title }),
    ...body,
  }
}

/** Schemas that validate in full and are published as an object with a one-sentence description. */
const SHORT = z.registry<{ reported: string }>()

/** The same schema, published in one sentence: for what is described in full beside it. */
export function briefly<S extends z.ZodType>(schema: S, reported: string): S {
  const copy = schema.describe(reported)
  SHORT.add(copy, { reported })
  return copy
}

type Draft = z.core.JSONSchema.BaseSchema

function tidy(draft: Draft, isShort: boolean): void {
  if (isShort) {
    for (const keyword of Object.keys(draft)) {
      if (keyword !== 'description') delete draft[keyword]
    }
    draft.type = 'object'
  }
  // Receivers must ignore what they do not know, so that a later release may add members.
  if (draft.additionalProperties === false || isEmpty(draft.additionalProperties)) {
    delete draft.additionalProperties
  }
  // A format says more than the expression behind it, which is long.
  if (draft.format !== undefined) delete draft.pattern
  if (draft.maximum === Number.MAX_SAFE_INTEGER) delete draft.maximum
  if (draft.minimum === Number.MIN_SAFE_INTEGER) delete draft.minimum
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
