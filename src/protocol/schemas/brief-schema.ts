// A schema for a model that receives every tool at once: every member of the request, and as much detail of each as
// there is room for, the most important ones first. It accepts everything that the whole schema accepts, which is at
// /schemas/v3.

import { defined } from '../../lib/defined.ts'
import type { JsonSchema } from './json-schema.ts'
import { shareSchemas } from './share-schemas.ts'

export interface BriefOptions {
  /** Most characters of all details together; names and types of members are always there. */
  maxChars: number
  /** The members to detail besides the required ones, most important first. Default: all. */
  main?: readonly string[]
  /** Members to list by name alone unless they are among `main`. Default none. */
  bare?: readonly string[]
}

const MOST_LEVELS = 2
/** Of the room that is left, for one member, so that the next ones have some too. */
const LARGEST_SHARE = 0.7
/** Repeated parts of fewer characters stay where they are. */
const MIN_SHARED_CHARS = 60

export function briefSchema(
  schema: JsonSchema,
  { maxChars, main, bare = [] }: BriefOptions,
): JsonSchema {
  const members = (schema.properties ?? {}) as Record<string, JsonSchema>
  const required = (schema.required ?? []) as string[]
  const named = new Set(bare)
  const chosen = new Map(
    Object.entries(members).map(([name, part]) => [
      name,
      named.has(name) || isOptionalText(part, required.includes(name)) ? {} : outlineOf(part),
    ]),
  )
  const others = main ?? Object.keys(members).filter((name) => !named.has(name))
  let room = maxChars
  for (const name of new Set([...required, ...others])) {
    const part = members[name]
    if (!part) continue
    const outlined = sizeOf(chosen.get(name))
    const found = candidatesOf(part).find((one) => sizeOf(one) - outlined <= room * LARGEST_SHARE)
    if (!found) continue
    room -= sizeOf(found) - outlined
    chosen.set(name, found)
  }
  return withDefinitions({
    type: 'object',
    properties: Object.fromEntries(chosen),
    ...(required.length > 0 && { required }),
  })
}

/** The usual case, so that only other types are listed. */
function isOptionalText(part: JsonSchema, isRequired: boolean): boolean {
  return !isRequired && part.type === 'string' && part.enum === undefined
}

/** The most detailed first. */
function candidatesOf(part: JsonSchema): JsonSchema[] {
  const levels = Array.from({ length: MOST_LEVELS }, (_, passed) => MOST_LEVELS - passed)
  const { description } = part
  const described = (one: JsonSchema) => ({ ...one, ...defined({ description }) })
  const detailed = levels.map((level) => detailOf(part, level))
  return [
    ...detailed.map((one) => described(one)),
    ...detailed,
    described(exampleOf(part)),
    exampleOf(part),
    described(outlineOf(part)),
    outlineOf(part),
  ]
}

/** An example says more about an object than the names of its members, and is shorter. */
function exampleOf(part: JsonSchema): JsonSchema {
  const { examples, items } = part
  const outline = outlineOf(part)
  if (examples !== undefined) return { ...outline, examples }
  if (!isSchema(items) || items.examples === undefined) return outline
  return { ...outline, items: { ...outlineOf(items), examples: items.examples } }
}

/** Longer lists of values are a detail. */
const MAX_VALUES_CHARS = 60

/** Only the type, and of a list the type of its entries, because some models refuse a list without it. */
function outlineOf(part: JsonSchema): JsonSchema {
  return detailOf(part, 0)
}

/** Members of inner objects that no task reads. */
const ECHOED = new Set(['context', 'ext'])

/** Members down to `levels`, without descriptions, and without limits, which the server checks anyway. */
function detailOf(part: JsonSchema, levels: number): JsonSchema {
  const { type, enum: values, const: value, items, properties, required, examples } = part
  const branches = (part.anyOf ?? part.oneOf) as JsonSchema[] | undefined
  if (branches) return mergedOf(branches, levels, examples)
  if (Array.isArray(values)) {
    const isShort = levels > 0 || JSON.stringify(values).length <= MAX_VALUES_CHARS
    return isShort ? { enum: values } : defined({ type })
  }
  if (value !== undefined) return { const: value }
  if (isSchema(items)) {
    const isOfTexts = levels === 0 && items.type === 'string' && items.enum === undefined
    return { ...defined({ type }), items: isOfTexts ? {} : detailOf(items, levels) }
  }
  if (levels === 0 || !isSchema(properties) || Object.keys(properties).length === 0) {
    return defined({ type })
  }
  const inner = Object.entries(properties).filter(([name]) => !ECHOED.has(name)) as [
    string,
    JsonSchema,
  ][]
  return defined({
    type,
    properties: Object.fromEntries(
      inner.map(([name, member]) => [name, detailOf(member, levels - 1)]),
    ),
    required: Array.isArray(required) && required.length > 0 ? required : undefined,
    examples,
  })
}

/** Alternatives as one schema: the members of all of them, and as required only what each of them requires. */
function mergedOf(branches: readonly JsonSchema[], levels: number, examples: unknown): JsonSchema {
  const parts = branches.map((branch) => detailOf(branch, levels))
  const types = [...new Set(branches.flatMap((branch) => branch.type ?? []))]
  const isTyped = branches.every((branch) => branch.type !== undefined)
  const lists = parts.filter((part) => part.items !== undefined)
  const objects = parts.filter((part) => isSchema(part.properties))
  const required = objects.map((part) => new Set((part.required ?? []) as string[]))
  const common = [...(required[0] ?? [])].filter((name) => required.every((set) => set.has(name)))
  const hasBare = parts.some((part) => part.type === 'object' && !isSchema(part.properties))
  return defined({
    type: isTyped ? (types.length === 1 ? types[0] : types) : undefined,
    items: lists.length === 1 ? lists[0]?.items : undefined,
    properties: objects.length > 0 ? mergedMembers(objects) : undefined,
    required: common.length > 0 && !hasBare ? common : undefined,
    examples: levels > 0 ? examples : undefined,
  })
}

function mergedMembers(objects: readonly JsonSchema[]): Record<string, JsonSchema> {
  const all = new Map<string, JsonSchema[]>()
  for (const { properties } of objects) {
    for (const [name, part] of Object.entries(properties as Record<string, JsonSchema>)) {
      all.set(name, [...(all.get(name) ?? []), part])
    }
  }
  return Object.fromEntries([...all].map(([name, parts]) => [name, eitherOf(parts)]))
}

/** Of values such as the `type` of each alternative, all of them; of other differences, nothing. */
function eitherOf(parts: readonly JsonSchema[]): JsonSchema {
  const texts = new Set(parts.map((part) => JSON.stringify(part)))
  if (texts.size === 1) return parts[0] ?? {}
  const values = parts.map((part) => part.const)
  return values.every((value) => value !== undefined) ? { enum: values } : {}
}

function withDefinitions(schema: JsonSchema): JsonSchema {
  const options = { prefix: '#/$defs/', minChars: MIN_SHARED_CHARS }
  const { schemas, definitions } = shareSchemas([schema], options)
  const [shared = {}] = schemas
  return Object.keys(definitions).length === 0 ? shared : { ...shared, $defs: definitions }
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function sizeOf(schema: JsonSchema | undefined): number {
  return JSON.stringify(schema).length
}
