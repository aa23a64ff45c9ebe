// Flags that are members of a request, parsed according to the agent's schema: texts, numbers, booleans, JSON for
// objects and arrays, and a flag that is given several times for an array.

import { nearNames } from '../lib/near-names.ts'
import { readText } from './input-text.ts'
import { printableText } from './printable-text.ts'
import { type Field, type Kind, kindOf } from './request-fields.ts'
import { UsageError } from './terminal.ts'

export interface GivenWords {
  /** Flags as they were given, in their order. */
  flags: GivenFlag[]
  /** Words that belong to no flag. */
  rest: string[]
}

export interface GivenFlag {
  field: Field
  /** Undefined for a flag alone. */
  text: string | undefined
}

/** Parses the words; throws a UsageError for a flag that matches no member of the request. */
export function takeFlags(
  words: readonly string[],
  fields: readonly Field[],
  own: readonly string[],
): GivenWords {
  const byFlag = new Map(fields.map((field) => [field.flag, field]))
  const given: GivenWords = { flags: [], rest: [] }
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string
    if (!word.startsWith('-') || word === '-') {
      given.rest.push(word)
      continue
    }
    const [name, text] = parted(word)
    const negated = byFlag.get(name.replace(/^--no-/, '--'))
    if (!byFlag.has(name) && name.startsWith('--no-') && negated?.kinds.has('boolean')) {
      given.flags.push({ field: negated, text: 'false' })
      continue
    }
    // The name as it is written in the request is accepted, too.
    const field = byFlag.get(name) ?? byFlag.get(name.replaceAll('_', '-'))
    if (!field) throw unknownFlag(name, [...byFlag.keys(), ...own])
    if (text !== undefined) {
      given.flags.push({ field, text })
      continue
    }
    const next = words[at + 1]
    const takesNext = isBoolean(field) ? next === 'true' || next === 'false' : isValue(next)
    given.flags.push({ field, text: takesNext ? next : undefined })
    if (takesNext) at += 1
  }
  return given
}

function parted(word: string): [string, string | undefined] {
  const at = word.indexOf('=')
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)]
}

function isValue(word: string | undefined): boolean {
  return word !== undefined && (!word.startsWith('-') || word === '-' || /^-[0-9.]/.test(word))
}

function isBoolean({ kinds }: Field): boolean {
  return kinds.has('boolean') && kinds.size === 1
}

function unknownFlag(name: string, known: readonly string[]): UsageError {
  const near = nearNames(name, known)
  const right =
    near.length > 0
      ? `did you mean ${near.join(' or ')}?`
      : '`adwire call <agent> <task> --help` lists them'
  return new UsageError(`the request has no field ${printableText(name)}: ${right}`)
}

/** The members that flags give. */
export async function membersFrom(flags: readonly GivenFlag[]): Promise<Record<string, unknown>> {
  const members = new Map<string, unknown>()
  for (const { field, text } of flags) {
    const value = await givenValue(field, text)
    const before = members.get(field.member)
    if (before === undefined) {
      members.set(field.member, value)
    } else if (Array.isArray(before) && Array.isArray(value)) {
      members.set(field.member, [...before, ...value])
    } else {
      throw new UsageError(`${field.flag} is given twice, but accepts one value`)
    }
  }
  return Object.fromEntries(members)
}

async function givenValue(field: Field, text: string | undefined): Promise<unknown> {
  const { kinds, flag } = field
  if (text === undefined) {
    if (kinds.has('boolean')) return true
    throw new UsageError(`${flag} needs a value: ${wantedOf(field)}`)
  }
  // A text may literally begin with @; for a member that is not a text, @ can only mean a file.
  const isFile = !kinds.has('string') && !field.elements.has('string') && kinds.size > 0
  const read = isFile ? await readText(flag, text) : text
  const value = readAs(kinds, read)
  if (value !== undefined) return value
  if (kinds.has('array')) {
    const element = readAs(field.elements, read)
    if (element !== undefined) return [element]
  }
  throw new UsageError(
    `${flag} must be ${wantedOf(field)}, not ${printableText(text.slice(0, 100))}`,
  )
}

/**
 * Undefined when the text matches none of the kinds. A text that begins like an object or an array is parsed as one
 * where the schema allows it.
 */
function readAs(kinds: ReadonlySet<Kind>, text: string): unknown {
  const json = tryJson(text)
  if (kinds.size === 0) return json ?? text
  if (json !== undefined && typeof json !== 'string') {
    const kind = kindOf(json)
    if (kinds.has(kind) || (kind === 'integer' && kinds.has('number'))) return json
  }
  return kinds.has('string') ? text : undefined
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** The values that a field accepts, as readable text. */
export function wantedOf({ kinds, elements, choices }: Field): string {
  if (choices.length > 0) return `${kinds.has('array') ? 'any' : 'one'} of ${choices.join(', ')}`
  const names = [...kinds].filter((kind) => kind !== 'null').map((kind) => WORDS[kind])
  if (kinds.has('array') && elements.size > 0 && !elements.has('object')) {
    return `${[...elements].map((kind) => WORDS[kind]).join(' or ')}, once for each`
  }
  return names.join(' or ') || 'a text or JSON'
}

const WORDS: Readonly<Record<Kind, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'a JSON object or @file',
  array: 'a JSON array or @file',
  null: 'null',
}
