// The subschemas of a JSON Schema, for code that walks or rewrites one.

import type { JsonSchema } from './json-schema.ts'

const MAPS = new Set(['properties', 'patternProperties', '$defs'])
const LISTS = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const SINGLES = new Set(['items', 'additionalProperties', 'propertyNames', 'not'])

/** The schemas within a schema, each with the name of its member, if it has one. */
export function partsOf(schema: JsonSchema): [string, JsonSchema][] {
  return Object.entries(schema).flatMap(([keyword, value]): [string, JsonSchema][] => {
    if (typeof value !== 'object' || value === null) return []
    if (MAPS.has(keyword)) return Object.entries(value as Record<string, JsonSchema>)
    if (LISTS.has(keyword)) return (value as JsonSchema[]).map((part) => ['', part])
    return SINGLES.has(keyword) ? [['', value as JsonSchema]] : []
  })
}

/** The schema with each of the schemas within it changed; `isMember` for those of `properties`. */
export function mapParts(
  schema: JsonSchema,
  change: (part: JsonSchema, isMember: boolean) => JsonSchema,
): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (typeof value !== 'object' || value === null) return [keyword, value]
      if (MAPS.has(keyword)) {
        const members = Object.entries(value as Record<string, JsonSchema>)
        return [
          keyword,
          Object.fromEntries(members.map(([name, part]) => [name, change(part, true)])),
        ]
      }
      if (LISTS.has(keyword))
        return [keyword, (value as JsonSchema[]).map((part) => change(part, false))]
      return [keyword, SINGLES.has(keyword) ? change(value as JsonSchema, false) : value]
    }),
  )
}
