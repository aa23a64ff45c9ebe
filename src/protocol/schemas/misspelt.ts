// Members of a request that nothing reads and that look like a typo. Unknown members are not an error (spec 9), but
// one that resembles a known name was most likely meant to be it, and the caller is informed.

import { z } from 'zod'
import { nearNames } from '../../lib/near-names.ts'
import { FAULT_LIMITS } from '../error-limits.ts'
import { pointerTo } from '../manifest-issues.ts'

const MAX_NOTES = FAULT_LIMITS.misspelt.value
const MAX_COMPARED = FAULT_LIMITS.compared.value

/** One sentence each: where the member is, and which known name it resembles. */
export function misspeltMembers(schema: z.ZodType, request: unknown): string[] {
  const notes: string[] = []
  let compared = 0

  function look(place: Place, value: unknown, path: readonly PropertyKey[]): void {
    if (typeof value !== 'object' || value === null || notes.length >= MAX_NOTES) return
    if (Array.isArray(value)) {
      if (!place.each) return
      for (const [index, element] of value.entries()) look(place.each(), element, [...path, index])
      return
    }
    if (place.members.size === 0 && !place.each) return
    for (const [name, member] of Object.entries(value)) {
      const known = place.members.get(name) ?? place.each
      if (known) look(known(), member, [...path, name])
      else compare(place, name, path)
    }
  }

  function compare(place: Place, name: string, path: readonly PropertyKey[]): void {
    if (compared++ >= MAX_COMPARED || notes.length >= MAX_NOTES) return
    const pointer = pointerTo([...path, name])
    const meant = meantBy(name, place)
    if (meant !== undefined) notes.push(`${pointer} is not read: did you mean ${meant}?`)
    else if (isInFilter(path)) {
      const known = [...place.members.keys()].join(', ')
      notes.push(`${pointer} is not applied: this task has no such filter, only ${known}`)
    }
  }

  look(rootOf(schema), request, [])
  return notes
}

/** What is allowed at a location, whichever branch of the schema applies. */
interface Place {
  members: ReadonlyMap<string, () => Place>
  /** Elements of a list, or members of an object with names chosen by the caller. */
  each: (() => Place) | undefined
}

const roots = new WeakMap<z.ZodType, Place>()

function rootOf(schema: z.ZodType): Place {
  const known = roots.get(schema)
  if (known) return known
  const made = placeOf([schema])
  roots.set(schema, made)
  return made
}

/** Members with submembers that narrow what is returned: an unknown submember changes the result. */
const FILTERS: ReadonlySet<string> = new Set(['filters', 'criteria'])

/** Elements of a list are values of a filter, such as a format id with its agent, and not filters themselves. */
function isInFilter(path: readonly PropertyKey[]): boolean {
  return (
    path.some((part) => FILTERS.has(String(part))) && !path.some((part) => typeof part === 'number')
  )
}

function meantBy(name: string, { members }: Place): string | undefined {
  const snake = snakeCase(name)
  if (snake !== name && members.has(snake)) return snake
  if (name === 'max_results' && members.has('pagination')) return 'pagination.max_results'
  return nearNames(name, members.keys())[0]
}

/** `maxResults` and `MaxResults` as `max_results`. */
function snakeCase(name: string): string {
  if (name.length > MAX_NAME_CHARS) return name
  return name.replace(
    /[A-Z]/g,
    (letter, at: number) => `${at === 0 ? '' : '_'}${letter.toLowerCase()}`,
  )
}

const MAX_NAME_CHARS = 100

/** Built only as deep as requests go, since schemas may be recursive. */
function placeOf(schemas: readonly z.ZodType[]): Place {
  const members = new Map<string, z.ZodType[]>()
  const each: z.ZodType[] = []
  for (const schema of schemas.flatMap(branchesOf)) {
    if (schema instanceof z.ZodArray) each.push(schema.element as z.ZodType)
    if (schema instanceof z.ZodRecord) each.push(schema.valueType as z.ZodType)
    if (!(schema instanceof z.ZodObject)) continue
    for (const [name, member] of Object.entries(schema.shape as Record<string, z.ZodType>)) {
      members.set(name, [...(members.get(name) ?? []), member])
    }
  }
  return {
    members: new Map([...members].map(([name, types]) => [name, once(() => placeOf(types))])),
    each: each.length > 0 ? once(() => placeOf(each)) : undefined,
  }
}

/** The schema without its wrappers, and each branch of one that has several. */
function branchesOf(schema: z.ZodType): z.ZodType[] {
  if (schema instanceof z.ZodUnion) return (schema.options as z.ZodType[]).flatMap(branchesOf)
  if (schema instanceof z.ZodIntersection) {
    const { left, right } = schema.def
    return [left, right].flatMap((side) => branchesOf(side as z.ZodType))
  }
  if (schema instanceof z.ZodPipe) return branchesOf(schema.in as z.ZodType)
  const isWrapper =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodReadonly ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodLazy
  return isWrapper ? branchesOf(schema.unwrap() as z.ZodType) : [schema]
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
