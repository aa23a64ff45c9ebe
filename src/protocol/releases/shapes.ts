// Parts of JSON Schemas, for the files that describe releases.

import type { JsonSchema } from '../schemas/json-schema.ts'
import { TASK_STATUSES } from '../statuses.ts'
import type { Shape } from './release.ts'

/** An object without these members. */
export function absent(...names: readonly string[]): JsonSchema {
  return { properties: Object.fromEntries(names.map((name) => [name, false])) }
}

/** An object with at least these members. */
export function required(...names: readonly string[]): JsonSchema {
  return { required: names }
}

/** Every object at a path such as `media_buys[].packages[]`, if there is one, has the schema. */
export function inside(path: string, schema: JsonSchema): JsonSchema {
  return path.split('.').reduceRight((inner, step) => {
    const isList = step.endsWith('[]')
    const name = isList ? step.slice(0, -2) : step
    return { properties: { [name]: isList ? { items: inner } : inner } }
  }, schema)
}

const NOT_DONE = TASK_STATUSES.filter((status) => status !== 'completed')

/** Only responses with the result of their task have the schema. A response without a status has it. */
export function whenDone(schema: JsonSchema): JsonSchema {
  return {
    if: { not: { required: ['status'], properties: { status: { enum: NOT_DONE } } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: schema,
  }
}

/** Every error of a response, and of the rows of its lists, has the schema. */
export function everyError(schema: JsonSchema): JsonSchema {
  const errors = { errors: { items: schema } }
  return {
    properties: errors,
    additionalProperties: { items: { properties: errors } },
  }
}

/** What a feature means for the responses of `get_agent_capabilities`. */
export function capabilities(shape: Pick<Shape, 'with' | 'without'>): Shape {
  return { task: 'get_agent_capabilities', of: 'response', ...shape }
}
