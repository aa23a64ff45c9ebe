// Third-party JSON Schemas: which parts may be read, and where references point. Nothing in them is executed: a
// `pattern` is displayed and never used, and a reference only points into the same document.

export type JsonSchema = boolean | Readonly<Record<string, unknown>>
export type Members = Readonly<Record<string, unknown>>

/** Maximum references and parts that are combined into one schema: they may be circular. */
const MOST_PARTS = 200

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'boolean' || isMembers(value)
}

/** The schema with references and `allOf` resolved into it. */
export function plainSchema(schema: JsonSchema, root: JsonSchema): Members | false {
  return flatten(schema, { root, left: MOST_PARTS })
}

interface Reading {
  root: JsonSchema
  left: number
}

function flatten(schema: JsonSchema, reading: Reading): Members | false {
  if (typeof schema === 'boolean') return schema ? {} : false
  reading.left -= 1
  if (reading.left < 0) return {}
  const { $ref, allOf, ...own } = schema
  const parts: JsonSchema[] = []
  if (typeof $ref === 'string') parts.push(targetOf($ref, reading.root))
  if (Array.isArray(allOf)) parts.push(...allOf.filter(isSchema).slice(0, MOST_PARTS))
  let merged: Members = {}
  for (const part of parts) {
    const flat = flatten(part, reading)
    if (flat === false) return false
    merged = merge(merged, flat)
  }
  return merge(merged, own)
}

/** The target of `#/$defs/name`; any value is allowed if there is no target. */
export function targetOf(reference: string, root: JsonSchema): JsonSchema {
  if (reference === '#') return root
  if (!reference.startsWith('#/')) return true
  let place: unknown = root
  for (const part of reference.slice(2).split('/')) {
    const name = unescaped(part)
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, name)) return true
    place = (place as Record<string, unknown>)[name]
  }
  return isSchema(place) ? place : true
}

function unescaped(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return part
  }
}

/** Both apply: members of both, everything that either requires, the narrower of two bounds. */
function merge(one: Members, other: Members): Members {
  const merged: Record<string, unknown> = { ...one, ...other }
  if (isMembers(one.properties) && isMembers(other.properties)) {
    merged.properties = mergeProperties(one.properties, other.properties)
  }
  if (Array.isArray(one.required) && Array.isArray(other.required)) {
    merged.required = [...new Set([...one.required, ...other.required])]
  }
  for (const choice of ['anyOf', 'oneOf']) {
    // If there are two choices at once, only one is kept, and the other is left to the agent that validates the
    // value.
    if (one[choice] !== undefined && other[choice] !== undefined) merged[choice] = one[choice]
  }
  for (const [name, narrower] of BOUNDS) {
    const [a, b] = [one[name], other[name]]
    if (typeof a === 'number' && typeof b === 'number') merged[name] = narrower(a, b)
  }
  return merged
}

function mergeProperties(one: Members, other: Members): Members {
  const both = new Map(Object.entries(one))
  for (const [name, schema] of Object.entries(other)) {
    const before = both.get(name)
    both.set(name, before === undefined ? schema : { allOf: [before, schema] })
  }
  return Object.fromEntries(both)
}

const BOUNDS: readonly (readonly [string, (a: number, b: number) => number])[] = [
  ...['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'].map(
    (name) => [name, Math.max] as const,
  ),
  ...['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'].map(
    (name) => [name, Math.min] as const,
  ),
]

/** One step of a JSON pointer (RFC 6901). */
export function step(pointer: string, name: string | number): string {
  return `${pointer}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** Typed where JSON was required, but not valid JSON. It stays as it was typed, and `faultsOf` reports it. */
export class Unparsed {
  readonly text: string
  readonly fault: string

  constructor(text: string, fault: string) {
    this.text = text
    this.fault = fault
  }

  toJSON(): string {
    return this.text
  }
}

/** Whether something in it was typed as JSON but is not valid. */
export function hasUnparsed(value: unknown): boolean {
  if (value instanceof Unparsed) return true
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some(hasUnparsed)
}
