// A schema shortened for a reader with limited space, such as a model that receives every tool: as many levels of
// members as fit, and for deeper levels only the type and the names of the members. It accepts everything that the
// whole schema accepts.

import { defined } from '../../lib/defined.ts'
import type { JsonSchema } from './json-schema.ts'
import { mapParts } from './schema-parts.ts'
import { shareSchemas } from './share-schemas.ts'

const MOST_LEVELS = 6

/**
 * With shared parts under `$defs`; includes at least the first level, however long that is. Takes a few milliseconds
 * for each level that is tried, with `pause` between them.
 */
export async function abridgeSchema(
  schema: JsonSchema,
  maxChars: number,
  pause: () => Promise<void>,
): Promise<JsonSchema> {
  for (let levels = MOST_LEVELS; levels > 1; levels--) {
    const short = withDefinitions(levels === MOST_LEVELS ? schema : cut(schema, levels))
    if (JSON.stringify(short).length <= maxChars) return short
    await pause()
  }
  return withDefinitions(cut(schema, 1))
}

function withDefinitions(schema: JsonSchema): JsonSchema {
  const { schemas, definitions } = shareSchemas([schema], { prefix: '#/$defs/' })
  const [shared = {}] = schemas
  return Object.keys(definitions).length === 0 ? shared : { ...shared, $defs: definitions }
}

/** Lists and alternatives do not count as levels. */
function cut(schema: JsonSchema, levels: number): JsonSchema {
  if (levels === 0) return outlineOf(schema)
  return mapParts(schema, (part, isMember) => cut(part, isMember ? levels - 1 : levels))
}

function outlineOf(schema: JsonSchema): JsonSchema {
  const { properties, required: _required, additionalProperties, items, ...others } = schema
  const {
    anyOf,
    oneOf,
    allOf,
    propertyNames: _names,
    patternProperties: _patterns,
    ...bare
  } = others
  const branches = (anyOf ?? oneOf ?? allOf) as JsonSchema[] | undefined
  if (branches) {
    const types = [...new Set(branches.map(({ type }) => type))]
    const names = branches.flatMap(namesIn)
    const isTyped = types.every((type) => typeof type === 'string')
    return reported(
      {
        ...bare,
        ...defined({
          type: isTyped && !allOf ? (types.length === 1 ? types[0] : types) : undefined,
        }),
      },
      names,
    )
  }
  if (typeof items === 'object' && items !== null) {
    return { ...bare, items: outlineOf(items as JsonSchema) }
  }
  if (properties === undefined && additionalProperties === undefined) return schema
  return reported(bare, namesIn(schema))
}

function namesIn({ properties }: JsonSchema): string[] {
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
}

function reported(schema: JsonSchema, names: readonly string[]): JsonSchema {
  if (names.length === 0) return schema
  const members = `Members: ${[...new Set(names)].join(', ')}.`
  const { description } = schema
  return { ...schema, description: description ? `${description} ${members}` : members }
}
