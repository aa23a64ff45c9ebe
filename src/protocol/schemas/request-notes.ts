// What a caller should know about its request, for any task (spec 9): members that nothing reads, filters that the
// task does not have, codes that are not countries, and members that contradict each other. None of these is an
// error.

import type { z } from 'zod'
import { countryFault } from '../country-codes.ts'
import { FAULT_LIMITS } from '../error-limits.ts'
import { pointerTo } from '../manifest-issues.ts'
import { isObject } from './checks.ts'
import { misspeltMembers } from './misspelt.ts'

const MAX_NOTES = FAULT_LIMITS.misspelt.value
const MAX_WALKED = FAULT_LIMITS.walked.value

/** One sentence each, with the location. */
export function requestNotes(schema: z.ZodType, request: unknown): string[] {
  const walk: Walk = { notes: misspeltMembers(schema, request), walked: 0 }
  look(request, [], walk)
  return walk.notes.slice(0, MAX_NOTES)
}

interface Walk {
  notes: string[]
  walked: number
}

type Path = readonly PropertyKey[]

/** Members that belong to the caller, or that other rules read. */
const OPAQUE: ReadonlySet<string> = new Set(['context', 'ext', 'assets', 'params'])

function look(value: unknown, path: Path, walk: Walk): void {
  if (walk.notes.length >= MAX_NOTES || walk.walked++ >= MAX_WALKED) return
  if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) look(element, [...path, index], walk)
    return
  }
  if (!isObject(value)) return
  noteCountries(value, path, walk)
  noteConflicts(value, path, walk)
  for (const [name, member] of Object.entries(value)) {
    if (!OPAQUE.has(name)) look(member, [...path, name], walk)
  }
}

const COUNTRY_MEMBERS = ['countries', 'country', 'geo_countries', 'geo_countries_exclude'] as const

function noteCountries(object: Record<string, unknown>, path: Path, { notes }: Walk): void {
  for (const name of COUNTRY_MEMBERS) {
    const given = object[name]
    if (given === undefined) continue
    const codes: unknown[] = Array.isArray(given) ? given : [given]
    for (const [index, code] of codes.entries()) {
      const fault = typeof code === 'string' ? countryFault(code) : undefined
      if (fault === undefined || notes.length >= MAX_NOTES) continue
      const place = Array.isArray(given) ? [...path, name, index] : [...path, name]
      notes.push(`${pointerTo(place)}: ${fault}`)
    }
  }
}

function noteConflicts(object: Record<string, unknown>, path: Path, { notes }: Walk): void {
  const { type, platform, agent_url, max_results, pagination } = object
  if (
    platform !== undefined &&
    agent_url !== undefined &&
    (type === 'platform' || type === 'agent')
  ) {
    const [read, other] = type === 'agent' ? ['agent_url', 'platform'] : ['platform', 'agent_url']
    notes.push(`${pointerTo([...path, other])} is not read: type is ${type}, so ${read} counts`)
  }
  const size = isObject(pagination) ? pagination.max_results : undefined
  if (max_results !== undefined && size !== undefined && size !== max_results) {
    const place = pointerTo([...path, 'max_results'])
    notes.push(`${place} is not applied: pagination.max_results is given as well`)
  }
}
