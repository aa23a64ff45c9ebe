// Schemas without repetition: equal parts become definitions, and are replaced by references to them. A description
// stays in its place, since it says what the part is for there.

import { canonicalJson } from '../../lib/canonical-json.ts'
import { defined } from '../../lib/defined.ts'
import type { JsonSchema } from './json-schema.ts'
import { mapParts, partsOf } from './schema-parts.ts'

export interface Shared {
  /** The schemas, in the order in which they came. */
  schemas: JsonSchema[]
  definitions: Record<string, JsonSchema>
}

export interface ShareOptions {
  /** The prefix of a reference, such as `#/$defs/`. */
  prefix: string
  /** Shorter parts stay where they are. Default 120 characters. */
  minChars?: number
}

/** Names are derived from the location where a part was first found, so equal input gives equal output. */
export function shareSchemas(given: readonly JsonSchema[], options: ShareOptions): Shared {
  const steps = sharing(given, options)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/**
 * The same in small steps, with `pause` between them: processing many schemas would block other work for too long.
 */
export async function shareSchemasSlowly(
  given: readonly JsonSchema[],
  { pause, ...options }: ShareOptions & { pause: () => Promise<void> },
): Promise<Shared> {
  const steps = sharing(given, options)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await pause()
  }
}

function* sharing(
  given: readonly JsonSchema[],
  { prefix, minChars = 120 }: ShareOptions,
): Generator<undefined, Shared> {
  const parts = new Map<string, Part>()
  const texts = new WeakMap<object, string>()
  for (const schema of given) {
    count(schema, 'schema', { parts, texts, minChars })
    yield
  }
  const names = namesOf(parts)
  const definitions = new Map<string, JsonSchema>()
  const rewrite = (schema: JsonSchema): JsonSchema => {
    const text = texts.get(schema)
    const name = text === undefined ? undefined : names.get(text)
    if (name === undefined) return mapParts(schema, rewrite)
    const { description, ...bare } = schema
    if (!definitions.has(name)) {
      // Set first, so that the recursion ends for a part that contains itself.
      definitions.set(name, {})
      definitions.set(name, mapParts(bare, rewrite))
    }
    return { $ref: prefix + name, ...defined({ description }) }
  }
  const schemas: JsonSchema[] = []
  for (const schema of given) {
    schemas.push(rewrite(schema))
    yield
  }
  return { schemas, definitions: Object.fromEntries([...definitions].sort(byName)) }
}

interface Part {
  times: number
  /** The name of the member where it was first found. */
  name: string
}

interface Counting {
  parts: Map<string, Part>
  texts: WeakMap<object, string>
  minChars: number
}

/** A part inside a repeated part is not counted again: it will be written only once. */
function count(schema: JsonSchema, name: string, counting: Counting): void {
  const { parts, texts, minChars } = counting
  const { description: _description, ...bare } = schema
  const text = canonicalJson(bare)
  if (text.length >= minChars) {
    texts.set(schema, text)
    const known = parts.get(text)
    if (known) {
      known.times++
      mark(schema, texts, minChars)
      return
    }
    parts.set(text, { times: 1, name })
  }
  for (const [part, inner] of partsOf(schema)) count(inner, part || name, counting)
}

/** Records the texts for the inner parts of a known one, so that each location can be rewritten. */
function mark(schema: JsonSchema, texts: WeakMap<object, string>, minChars: number): void {
  for (const [, inner] of partsOf(schema)) {
    if (texts.has(inner)) continue
    const { description: _description, ...bare } = inner
    const text = canonicalJson(bare)
    if (text.length >= minChars) texts.set(inner, text)
    mark(inner, texts, minChars)
  }
}

/** For parts that were found more than once. */
function namesOf(parts: ReadonlyMap<string, Part>): Map<string, string> {
  const taken = new Map<string, number>()
  const shared = [...parts].filter(([, { times }]) => times > 1)
  return new Map(
    shared.map(([text, { name }]) => {
      const times = (taken.get(name) ?? 0) + 1
      taken.set(name, times)
      return [text, times === 1 ? name : `${name}-${times}`]
    }),
  )
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1
}
