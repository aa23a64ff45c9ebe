// Merges several objects with a discriminator into one, for values that a caller may send without the discriminator:
// every member of all of them, each with all the types it can have.

import { z } from 'zod'

export type Shape = Readonly<Record<string, z.ZodType>>

export function mergeShapes(shapes: readonly Shape[]): Record<string, z.ZodType> {
  const choices = new Map<string, Set<z.ZodType>>()
  for (const shape of shapes) {
    for (const [member, schema] of Object.entries(shape)) {
      const known = choices.get(member) ?? new Set()
      choices.set(member, known.add(schema instanceof z.ZodOptional ? inner(schema) : schema))
    }
  }
  return Object.fromEntries([...choices].map(([member, schemas]) => [member, anyOf([...schemas])]))
}

function inner(schema: z.ZodOptional): z.ZodType {
  return schema.unwrap() as z.ZodType
}

function anyOf(given: readonly z.ZodType[]): z.ZodType {
  const schemas = [...new Map(given.map((schema) => [textOf(schema), schema])).values()]
  const [only, ...others] = schemas
  if (only !== undefined && others.length === 0) return only.optional()
  return z.union(schemas).optional()
}

/** Equal for schemas that describe the same thing, even if each was created separately. */
function textOf(schema: z.ZodType): string {
  return JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
}
