// The members of a request as flags, from the agent's own schema of it (JSON Schema): `signal_spec` is
// `--signal-spec`. The schema comes from a third party: only types, choices and descriptions are read from it, from a
// bounded number of its parts, each once.

import { isObject } from '../protocol/schemas/checks.ts'
import { printableText } from './printable-text.ts'

export type Kind = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null'

export interface Field {
  /** As the request has it. */
  member: string
  /** With its dashes. */
  flag: string
  /** The accepted kinds; empty when the schema does not define any. */
  kinds: ReadonlySet<Kind>
  /** The same for the elements of an array. */
  elements: ReadonlySet<Kind>
  about: string
  choices: readonly string[]
  isRequired: boolean
}

type Schema = Record<string, unknown>

const KINDS: readonly Kind[] = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']
const MAX_FIELDS = 500
const MAX_DEPTH = 6
/** Maximum number of schemas that one schema may resolve to, references and alternatives included. */
const MAX_VARIANTS = 200
const MAX_ENUM_VALUES = 200
const MAX_ABOUT_CHARS = 300
const MAX_CHOICES = 30
const MAX_CHOICE_CHARS = 100

/** Empty when the schema has no members. */
export function fieldsOf(schema: unknown): Field[] {
  if (!isObject(schema)) return []
  const fields = new Map<string, Field>()
  for (const one of variantsOf([schema], schema)) {
    const required = new Set(Array.isArray(one.required) ? one.required : [])
    const members = isObject(one.properties) ? Object.entries(one.properties) : []
    for (const [member, described] of members) {
      if (fields.size >= MAX_FIELDS) return [...fields.values()]
      if (fields.has(member) || !isObject(described) || !isName(member)) continue
      fields.set(member, fieldOf(member, { described, schema, isRequired: required.has(member) }))
    }
  }
  return [...fields.values()]
}

/** Whether the name can be typed after two dashes. */
function isName(member: string): boolean {
  return /^[A-Za-z][A-Za-z0-9_-]{0,99}$/.test(member)
}

function flagOf(member: string): string {
  return `--${member.replaceAll('_', '-')}`
}

function fieldOf(
  member: string,
  { described, schema, isRequired }: { described: Schema; schema: Schema; isRequired: boolean },
): Field {
  const variants = variantsOf([described], schema)
  const elements = variantsOf(
    variants.map(({ items }) => items),
    schema,
  )
  return {
    member,
    flag: flagOf(member),
    isRequired,
    kinds: kindsOf(variants),
    elements: kindsOf(elements),
    about: aboutOf([described, ...variants]),
    choices: choicesOf([...variants, ...elements]),
  }
}

/** Schemas and everything they may resolve to: references and alternatives followed, each schema once. */
function variantsOf(schemas: readonly unknown[], root: Schema): Schema[] {
  const found = new Set<Schema>()
  const add = (one: unknown) => {
    if (isObject(one) && found.size < MAX_VARIANTS) found.add(one)
  }
  for (const schema of schemas) add(schema)
  // Schemas that are added during the loop are visited too.
  for (const { $ref, anyOf, oneOf, allOf } of found) {
    if (typeof $ref === 'string') add(referred($ref, root))
    for (const list of [anyOf, oneOf, allOf]) {
      if (Array.isArray(list)) for (const one of list.slice(0, MAX_VARIANTS)) add(one)
    }
  }
  return [...found]
}

const MAX_REF_CHARS = 1_000

/** `#/$defs/name`, only inside the same document. */
function referred(ref: string, root: Schema): Schema | undefined {
  if (!ref.startsWith('#/') || ref.length > MAX_REF_CHARS) return undefined
  let at: unknown = root
  for (const step of ref.slice(2).split('/', MAX_DEPTH)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (!isObject(at) || !Object.hasOwn(at, name)) return undefined
    at = at[name]
  }
  return isObject(at) ? at : undefined
}

function kindsOf(variants: readonly Schema[]): ReadonlySet<Kind> {
  const kinds = new Set<Kind>()
  for (const one of variants) {
    const named = Array.isArray(one.type) ? one.type.slice(0, MAX_ENUM_VALUES) : [one.type]
    for (const kind of KINDS.filter((known) => named.includes(known))) kinds.add(kind)
    if (one.type === undefined) {
      for (const value of valuesOf(one)) kinds.add(kindOf(value))
    }
  }
  return kinds
}

function valuesOf(schema: Schema): unknown[] {
  if (Array.isArray(schema.enum)) return schema.enum.slice(0, MAX_ENUM_VALUES)
  return 'const' in schema ? [schema.const] : []
}

export function kindOf(value: unknown): Kind {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value === 'string' || typeof value === 'boolean' ? (typeof value as Kind) : 'object'
}

function aboutOf(variants: readonly Schema[]): string {
  const reported = variants.find(({ description }) => typeof description === 'string')?.description
  return printableText(String(reported ?? '').slice(0, MAX_ABOUT_CHARS))
}

function choicesOf(variants: readonly Schema[]): string[] {
  const texts = variants
    .flatMap(valuesOf)
    .filter((value): value is string => typeof value === 'string')
    .slice(0, MAX_ENUM_VALUES)
  const choices = texts.map((text) => printableText(text.slice(0, MAX_CHOICE_CHARS)))
  return [...new Set(choices)].slice(0, MAX_CHOICES)
}
