// The errors of a value according to a third-party schema, as readable messages next to its fields: a light check
// before a call; the called agent validates in full. `pattern` is not checked, since a third-party expression may run
// forever. The work is bounded: anything beyond the bound is not checked.

import { FORMATS } from './formats.ts'
import {
  isMembers,
  isSchema,
  type JsonSchema,
  type Members,
  step,
  targetOf,
  Unparsed,
} from './json-schema.ts'

/** By JSON pointer; '' is the whole. */
export type Faults = ReadonlyMap<string, string>

interface Judging {
  root: JsonSchema
  /** Number of schemas that may still be examined. */
  left: number
  depth: number
}

interface Found {
  pointer: string
  message: string
}

const MOST_STEPS = 20_000
const MOST_FAULTS = 200
const MOST_DEPTH = 64

/** `root` is the document that the references of a part point into. */
export function faultsOf(schema: JsonSchema, value: unknown, root: JsonSchema = schema): Faults {
  const found = check(schema, { value, pointer: '' }, { root, left: MOST_STEPS, depth: 0 })
  const faults = new Map<string, string>()
  for (const { pointer, message } of found) {
    if (faults.size >= MOST_FAULTS) break
    if (!faults.has(pointer)) faults.set(pointer, message)
  }
  return faults
}

interface Given {
  value: unknown
  pointer: string
}

function check(schema: JsonSchema, given: Given, judging: Judging): Found[] {
  judging.left -= 1
  if (judging.left < 0 || judging.depth > MOST_DEPTH) return []
  const { value, pointer } = given
  if (value instanceof Unparsed) return [{ pointer, message: value.fault }]
  if (typeof schema === 'boolean') {
    return schema ? [] : [{ pointer, message: 'No value is allowed here.' }]
  }
  const fault = ownFault(schema, value)
  // If the type is wrong, nothing else needs to be reported.
  if (fault !== undefined) return [{ pointer, message: fault }]
  judging.depth += 1
  const found = [
    ...referred(schema, given, judging),
    ...(isMembers(value) ? membersFaults(schema, value, pointer, judging) : []),
    ...(Array.isArray(value) ? itemsFaults(schema, value, pointer, judging) : []),
    ...choiceFaults(schema, given, judging),
  ]
  judging.depth -= 1
  return found
}

function referred(schema: Members, given: Given, judging: Judging): Found[] {
  const { $ref, allOf } = schema
  const all = Array.isArray(allOf) ? allOf.filter(isSchema) : []
  if (typeof $ref === 'string') all.unshift(targetOf($ref, judging.root))
  return all.flatMap((one) => check(one, given, judging))
}

/** The errors of the value itself, regardless of its content. */
function ownFault(schema: Members, value: unknown): string | undefined {
  const types = typeof schema.type === 'string' ? [schema.type] : schema.type
  if (Array.isArray(types) && types.length > 0 && !types.some((type) => isOfType(value, type))) {
    return typeFault(types)
  }
  if (Object.hasOwn(schema, 'const') && !isSame(schema.const, value)) {
    return `Must be ${returned(schema.const)}.`
  }
  if (Array.isArray(schema.enum) && !schema.enum.some((one) => isSame(one, value))) {
    return schema.enum.length > 8
      ? 'Choose one of the values.'
      : `Must be one of ${schema.enum.map(returned).join(', ')}.`
  }
  if (typeof value === 'string') return textFault(schema, value)
  if (typeof value === 'number') return numberFault(schema, value)
  if (Array.isArray(value))
    return sizeFault(value.length, schema.minItems, schema.maxItems, 'items')
  if (!isMembers(value)) return undefined
  const { minProperties, maxProperties } = schema
  return sizeFault(Object.keys(value).length, minProperties, maxProperties, 'fields')
}

const TYPE_WORDS: ReadonlyMap<unknown, string> = new Map([
  ['string', 'a text'],
  ['number', 'a number'],
  ['integer', 'a whole number'],
  ['boolean', 'true or false'],
  ['object', 'an object'],
  ['array', 'a list'],
  ['null', 'null'],
])

function typeFault(types: readonly unknown[]): string {
  const words = types.flatMap((type) => TYPE_WORDS.get(type) ?? [])
  return `Must be ${words.join(' or ') || 'of another type'}.`
}

function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isMembers(value)
    case 'integer':
      return Number.isInteger(value)
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type
    default:
      // An unknown type imposes no constraint.
      return true
  }
}

function textFault({ minLength, maxLength, format }: Members, text: string): string | undefined {
  const isLong = typeof maxLength === 'number' && text.length > maxLength
  if (isLong && lengthOf(text) > maxLength) return `At most ${maxLength} characters.`
  if (typeof minLength === 'number' && lengthOf(text) < minLength) {
    return text === '' ? 'Must not be empty.' : `At least ${minLength} characters.`
  }
  const known = FORMATS.get(String(format))
  return known && !known.test(text) ? known.fault : undefined
}

/** In characters, some of which are two UTF-16 units. */
function lengthOf(text: string): number {
  let length = 0
  for (const _ of text) length += 1
  return length
}

function numberFault(schema: Members, value: number): string | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  if (typeof minimum === 'number' && value < minimum) return `At least ${minimum}.`
  if (typeof maximum === 'number' && value > maximum) return `At most ${maximum}.`
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) {
    return `More than ${exclusiveMinimum}.`
  }
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum) {
    return `Less than ${exclusiveMaximum}.`
  }
  // For fractions, only whole multiples can be checked reliably.
  const isWhole = Number.isInteger(multipleOf) && Number.isInteger(value)
  if (isWhole && value % (multipleOf as number) !== 0) return `A multiple of ${multipleOf}.`
  return undefined
}

function sizeFault(size: number, min: unknown, max: unknown, unit: string): string | undefined {
  if (typeof min === 'number' && size < min) return `At least ${min} ${unit}.`
  return typeof max === 'number' && size > max ? `At most ${max} ${unit}.` : undefined
}

function membersFaults(
  schema: Members,
  value: Members,
  pointer: string,
  judging: Judging,
): Found[] {
  const required = Array.isArray(schema.required) ? schema.required : []
  const missing = required
    .filter((name): name is string => typeof name === 'string' && !Object.hasOwn(value, name))
    .map((name) => ({ pointer: step(pointer, name), message: 'Needed.' }))
  const properties = isMembers(schema.properties) ? schema.properties : {}
  const inside = Object.entries(value).flatMap(([name, member]) => {
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined
    // Names allowed by a name pattern are not checked.
    const rest = schema.patternProperties === undefined ? schema.additionalProperties : true
    const given = { value: member, pointer: step(pointer, name) }
    if (own === undefined && rest === false) {
      return [{ pointer: given.pointer, message: 'Unknown field.' }]
    }
    const by = own ?? rest
    return isSchema(by) ? check(by, given, judging) : []
  })
  return [...missing, ...inside]
}

function itemsFaults(
  schema: Members,
  value: readonly unknown[],
  pointer: string,
  judging: Judging,
): Found[] {
  const { prefixItems, items } = schema
  const places = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : []
  const rest = Array.isArray(items) ? schema.additionalItems : items
  const found = value.flatMap((item, index) => {
    const by = index < places.length ? places[index] : rest
    return isSchema(by) ? check(by, { value: item, pointer: step(pointer, index) }, judging) : []
  })
  if (schema.uniqueItems !== true) return found
  const texts = new Set(value.map((item) => JSON.stringify(item)))
  return texts.size === value.length
    ? found
    : [...found, { pointer, message: 'Values must be unique.' }]
}

/** None of the choices fits: reports the errors of the closest one. */
function choiceFaults(schema: Members, given: Given, judging: Judging): Found[] {
  return ['anyOf', 'oneOf'].flatMap((name) => {
    const choices = schema[name]
    if (!Array.isArray(choices)) return []
    let closest: Found[] | undefined
    let fitting = 0
    for (const choice of choices.filter(isSchema)) {
      const found = check(choice, given, judging)
      if (found.length === 0) fitting += 1
      if (!closest || remoteness(found, given) < remoteness(closest, given)) closest = found
    }
    if (fitting === 0) return closest ?? []
    if (name === 'anyOf' || fitting === 1 || judging.left < 0) return []
    return [
      { pointer: given.pointer, message: 'Matches more than one variant: fill in more fields.' },
    ]
  })
}

/** A choice that rejects the value itself is further away than one with errors inside. */
function remoteness(found: readonly Found[], { pointer }: Given): number {
  return found.some((one) => one.pointer === pointer) ? 1_000 + found.length : found.length
}

function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || one === null) return one === other
  return sorted(one) === sorted(other)
}

/** As JSON, regardless of the order of members. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_name, member) =>
    isMembers(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )
}

function returned(value: unknown): string {
  const text = JSON.stringify(value) ?? ''
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}
