// A schema in the form that a form renders: the kind of field, its members, its choices, and its help text. Bounded:
// anything larger than a form can be is displayed as JSON.

import { isMembers, isSchema, type JsonSchema, type Members, plainSchema } from './json-schema.ts'

export type Primitive = string | number | boolean | null

export interface Option {
  title: string
  schema: JsonSchema
}

type Kind =
  | {
      kind: 'object'
      members: ReadonlyMap<string, JsonSchema>
      required: ReadonlySet<string>
      others: JsonSchema | undefined
    }
  | { kind: 'array'; items: JsonSchema; min: number; max: number }
  | { kind: 'choice'; options: readonly Option[] }
  | { kind: 'enum'; values: readonly Primitive[]; titles: readonly (string | undefined)[] }
  | { kind: 'const'; value: unknown }
  | { kind: 'string'; format: string | undefined; maxLength: number | undefined }
  | { kind: 'number'; isWhole: boolean }
  | { kind: 'boolean' }
  | { kind: 'null' }
  /** Anything that no field supports. */
  | { kind: 'any' }
  | { kind: 'never' }

export type Shape = Kind & {
  title: string | undefined
  hint: string
  isNullable: boolean
  /** The schema without references. */
  plain: Members
}

const MOST_MEMBERS = 300
const MOST_VALUES = 500
const MOST_OPTIONS = 50
const MOST_HOPS = 8
const MOST_TITLE = 80
const MOST_HINT = 320

/** Reads schemas of one document. */
export type ReadShape = (schema: JsonSchema) => Shape

/** What was read once is remembered. */
export function shapesOf(root: JsonSchema): ReadShape {
  const known = new WeakMap<object, Shape>()
  return (schema) => {
    if (typeof schema === 'boolean') return shapeOf(schema, root)
    const before = known.get(schema)
    if (before) return before
    const shape = shapeOf(schema, root)
    known.set(schema, shape)
    return shape
  }
}

function shapeOf(schema: JsonSchema, root: JsonSchema): Shape {
  const plain = plainSchema(schema, root)
  if (plain === false) {
    return { kind: 'never', title: undefined, hint: '', isNullable: false, plain: {} }
  }
  const { isNullable, schema: rest } = withoutNull(plain, root)
  return {
    ...kindOf(rest, root),
    title: shortText(plain.title, MOST_TITLE) ?? shortText(rest.title, MOST_TITLE),
    hint: hintOf(plain.description === undefined ? rest : plain),
    isNullable,
    plain: rest,
  }
}

/** `null` together with another type is a flag on the field, and not a separate choice. */
function withoutNull(plain: Members, root: JsonSchema): { isNullable: boolean; schema: Members } {
  if (Array.isArray(plain.type) && plain.type.includes('null') && plain.type.length > 1) {
    const types = plain.type.filter((type) => type !== 'null')
    return { isNullable: true, schema: { ...plain, type: types.length === 1 ? types[0] : types } }
  }
  for (const name of ['anyOf', 'oneOf'] as const) {
    const { [name]: choices, ...base } = plain
    if (!Array.isArray(choices) || choices.length > MOST_OPTIONS) continue
    const others = choices.filter((one) => isSchema(one) && !isNull(one))
    if (others.length !== choices.length - 1) continue
    if (others.length > 1) return { isNullable: true, schema: { ...base, [name]: others } }
    const only = plainSchema({ allOf: [others[0], base] }, root)
    return { isNullable: true, schema: only === false ? {} : only }
  }
  return { isNullable: false, schema: plain }
}

function isNull(schema: JsonSchema): boolean {
  return isMembers(schema) && (schema.type === 'null' || schema.const === null)
}

function kindOf(plain: Members, root: JsonSchema, hops = 0): Kind {
  if (hops > MOST_HOPS) return { kind: 'any' }
  if (Object.hasOwn(plain, 'const')) return { kind: 'const', value: plain.const }
  if (Array.isArray(plain.enum)) return enumOf(plain.enum)
  const choices = plain.oneOf ?? plain.anyOf
  if (Array.isArray(choices)) return choiceOf(plain, choices.filter(isSchema), { root, hops })
  if (Array.isArray(plain.type)) {
    const choices = plain.type.map((type) => ({ type, title: String(type) }))
    return choiceOf(plain, choices, { root, hops })
  }
  switch (plain.type ?? impliedType(plain)) {
    case 'object':
      return objectOf(plain)
    case 'array':
      return arrayOf(plain)
    case 'string':
      return {
        kind: 'string',
        format: shortText(plain.format, 40),
        maxLength: typeof plain.maxLength === 'number' ? plain.maxLength : undefined,
      }
    case 'number':
      return { kind: 'number', isWhole: false }
    case 'integer':
      return { kind: 'number', isWhole: true }
    case 'boolean':
      return { kind: 'boolean' }
    case 'null':
      return { kind: 'null' }
    default:
      return { kind: 'any' }
  }
}

function impliedType(plain: Members): string | undefined {
  if (plain.properties !== undefined || plain.required !== undefined) return 'object'
  if (isMembers(plain.additionalProperties)) return 'object'
  if (plain.items !== undefined || plain.minItems !== undefined) return 'array'
  if (plain.minLength !== undefined || plain.maxLength !== undefined) return 'string'
  if (plain.minimum !== undefined || plain.maximum !== undefined) return 'number'
  return undefined
}

function enumOf(values: readonly unknown[]): Kind {
  if (values.length > MOST_VALUES || !values.every(isPrimitive)) return { kind: 'any' }
  if (values.length === 1) return { kind: 'const', value: values[0] }
  return { kind: 'enum', values: values as Primitive[], titles: [] }
}

export function isPrimitive(value: unknown): value is Primitive {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

function choiceOf(
  plain: Members,
  choices: readonly JsonSchema[],
  { root, hops }: { root: JsonSchema; hops: number },
): Kind {
  if (choices.length === 0 || choices.length > MOST_OPTIONS) return { kind: 'any' }
  const { oneOf: _1, anyOf: _2, title: _3, description: _4, default: _5, ...base } = plain
  if (Array.isArray(base.type)) delete (base as Record<string, unknown>).type
  const wholes = choices.map((choice) => plainSchema(choice, root))
  const consts = wholes.map((one) =>
    one !== false && Object.hasOwn(one, 'const') ? one : undefined,
  )
  if (consts.every((one) => one !== undefined && isPrimitive(one.const))) {
    return {
      kind: 'enum',
      values: consts.map((one) => one?.const as Primitive),
      titles: consts.map((one) => shortText(one?.title, MOST_TITLE)),
    }
  }
  const hasBase = Object.keys(base).length > 0
  const options = choices.map((choice, index) => ({
    schema: hasBase ? { allOf: [base, choice] } : choice,
    title: optionTitle(wholes[index] ?? false, index),
  }))
  if (options.length === 1 && options[0])
    return kindOf(wholeOf(options[0].schema, root), root, hops + 1)
  return { kind: 'choice', options }
}

function wholeOf(schema: JsonSchema, root: JsonSchema): Members {
  const whole = plainSchema(schema, root)
  return whole === false ? {} : whole
}

/** Its title, the fixed values of its members, its required members, or its type. */
function optionTitle(plain: Members | false, index: number): string {
  if (plain === false) return 'nothing'
  const title = shortText(plain.title, MOST_TITLE)
  if (title !== undefined) return title
  const members = isMembers(plain.properties) ? Object.entries(plain.properties) : []
  const fixed = members.find(([, one]) => isMembers(one) && isPrimitive(one.const))
  if (fixed)
    return shortText(`${fixed[0]}: ${String((fixed[1] as Members).const)}`, MOST_TITLE) ?? ''
  const required = Array.isArray(plain.required) ? plain.required.slice(0, 3) : []
  if (required.length > 0) return shortText(`with ${required.join(', ')}`, MOST_TITLE) ?? ''
  const type = plain.type ?? impliedType(plain)
  if (typeof type !== 'string') return `variant ${index + 1}`
  const format = shortText(plain.format, 40)
  return format === undefined ? type : `${type} (${format})`
}

function objectOf(plain: Members): Kind {
  const entries = Object.entries(isMembers(plain.properties) ? plain.properties : {})
  const known = entries.filter((entry): entry is [string, JsonSchema] => isSchema(entry[1]))
  if (known.length > MOST_MEMBERS) return { kind: 'any' }
  const required = Array.isArray(plain.required) ? plain.required : []
  const names = required.filter((name): name is string => typeof name === 'string')
  const { additionalProperties: others } = plain
  const mayHaveOthers = others !== false && (others !== undefined || known.length === 0)
  return {
    kind: 'object',
    members: new Map([
      ...known,
      // Required, and nothing is said of it.
      ...names.slice(0, MOST_MEMBERS).flatMap((name) => {
        const isKnown = known.some(([one]) => one === name)
        return isKnown ? [] : [[name, true] as [string, JsonSchema]]
      }),
    ]),
    required: new Set(names.slice(0, MOST_MEMBERS)),
    others: mayHaveOthers ? (isSchema(others) ? others : true) : undefined,
  }
}

function arrayOf(plain: Members): Kind {
  // A list with a separate schema for each position.
  if (Array.isArray(plain.prefixItems) || Array.isArray(plain.items)) return { kind: 'any' }
  const { minItems, maxItems } = plain
  return {
    kind: 'array',
    items: isSchema(plain.items) ? plain.items : true,
    min: typeof minItems === 'number' ? minItems : 0,
    max: typeof maxItems === 'number' ? maxItems : Number.POSITIVE_INFINITY,
  }
}

/** Its author's description, and its constraints. */
function hintOf(plain: Members): string {
  const example = Array.isArray(plain.examples) ? plain.examples[0] : undefined
  const facts = [
    rangeText(plain.minLength, plain.maxLength, 'characters'),
    rangeText(plain.minItems, plain.maxItems, 'items'),
    rangeText(plain.minimum, plain.maximum, ''),
    typeof plain.pattern === 'string' ? `pattern ${shortText(plain.pattern, 60)}` : undefined,
    typeof plain.format === 'string' ? shortText(plain.format, 40) : undefined,
    plain.default === undefined ? undefined : `default ${inline(plain.default)}`,
    example === undefined ? undefined : `example ${inline(example)}`,
  ].filter((fact) => fact !== undefined)
  const said = shortText(plain.description, MOST_HINT)
  if (said === undefined || facts.length === 0) return said ?? facts.join(' · ')
  return [said.endsWith('.') ? said.slice(0, -1) : said, ...facts].join(' · ')
}

function rangeText(min: unknown, max: unknown, unit: string): string | undefined {
  const [least, most] = [min, max].map((one) =>
    typeof one === 'number' && Math.abs(one) < Number.MAX_SAFE_INTEGER ? one : undefined,
  )
  const text =
    least !== undefined && most !== undefined
      ? least === most
        ? `${least}`
        : `${least} to ${most}`
      : most !== undefined
        ? `at most ${most}`
        : least !== undefined && least > 0
          ? `at least ${least}`
          : undefined
  return text === undefined ? undefined : `${text} ${unit}`.trim()
}

function inline(value: unknown): string {
  return shortText(typeof value === 'string' ? value : JSON.stringify(value), 60) ?? ''
}

/** One line of it; undefined if it is not text. */
function shortText(value: unknown, most: number): string | undefined {
  if (typeof value !== 'string') return undefined
  const line = value
    .slice(0, most * 2)
    .replace(/\s+/g, ' ')
    .trim()
  if (line === '') return undefined
  return line.length > most ? `${line.slice(0, most - 1)}…` : line
}
