// The usual kinds of features, so that a release file only has to list them: a response member, a renamed member, a
// new error code, a renamed code.

import { ERROR_CODES, type ErrorCode, type TaskError } from '../errors.ts'
import type { JsonSchema } from '../schemas/json-schema.ts'
import type { Feature, Members } from './release.ts'
import { absent, inside } from './shapes.ts'

interface Place {
  task: string
  /**
   * The objects that contain the member: `products[]`, `media_buys[].packages[]`. Default the response or request
   * itself.
   */
  in?: string
}

/** A response member that callers without the feature do not get. */
export function newMember({ task, in: place, name }: Place & { name: string }, what: string) {
  const without = atEach(place, (members) => {
    if (!Object.hasOwn(members, name)) return members
    return Object.fromEntries(Object.entries(members).filter(([one]) => one !== name))
  })
  const shape: JsonSchema = place === undefined ? absent(name) : inside(place, absent(name))
  return {
    what,
    down: { task, answer: without },
    shapes: [{ task, of: 'response', without: shape }],
  } satisfies Feature
}

interface NewName extends Place {
  from: string
  to: string
  /** Whether the handler of the task reads the old or the new name in requests. Default old. */
  reads?: 'old' | 'new'
}

/** A renamed member in requests and responses of a task. @internal */
export function newName({ task, in: place, from, to, reads = 'old' }: NewName, what: string) {
  const up = atEach(place, renaming(from, to))
  const down = atEach(place, renaming(to, from))
  return {
    what,
    up: { task, answer: up, ...(reads === 'new' ? { request: up } : {}) },
    down: { task, answer: down, ...(reads === 'old' ? { request: down } : {}) },
  } satisfies Feature
}

function renaming(from: string, to: string): (members: Members) => Members {
  return (members) => {
    if (!Object.hasOwn(members, from)) return members
    const others = Object.entries(members).filter(([name]) => name !== to)
    return Object.fromEntries(others.map(([name, value]) => [name === from ? to : name, value]))
  }
}

interface NewCode {
  name: string
  /** The code that it refines. */
  before: ErrorCode
  /** Which errors with the earlier code get the new one. Default none: handlers decide. */
  of?: (error: TaskError) => boolean
}

/** An error code that callers without the feature do not know: they get the more general code. @internal */
export function newCode({ name, before, of = () => false }: NewCode, what: string) {
  const isNew = ({ code }: TaskError) => (code as string) === name
  const withCode = (error: TaskError, code: string) => ({
    ...error,
    code: code as ErrorCode,
    recovery: error.recovery ?? ERROR_CODES[before],
  })
  return {
    what,
    code: { name, before },
    up: {
      error: (error: TaskError) =>
        isNew(error) || (error.code === before && of(error)) ? withCode(error, name) : error,
    },
    down: { error: (error: TaskError) => (isNew(error) ? withCode(error, before) : error) },
  } satisfies Feature
}

/** Another code of the same error. */
export function newNameOfCode({ from, to }: { from: ErrorCode; to: ErrorCode }, what: string) {
  const error = (one: TaskError) => (one.code === from ? { ...one, code: to } : one)
  return { what, up: { error } } satisfies Feature
}

/** Applies the change to every object at a path; returns the same value if nothing changes. */
function atEach(
  place: string | undefined,
  change: (members: Members) => Members,
): (value: Members) => Members {
  if (place === undefined) return change
  const steps = place.split('.')
  return (value) => changedAt(value, steps, change) as Members
}

function changedAt(
  value: unknown,
  [step, ...others]: readonly string[],
  change: (members: Members) => Members,
): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  if (step === undefined) return change(value as Members)
  const isList = step.endsWith('[]')
  const name = isList ? step.slice(0, -2) : step
  const inner = new Map(Object.entries(value)).get(name)
  if (inner === undefined || Array.isArray(inner) !== isList) return value
  const changed = Array.isArray(inner)
    ? eachOf(inner, (one) => changedAt(one, others, change))
    : changedAt(inner, others, change)
  return changed === inner ? value : { ...value, [name]: changed }
}

function eachOf(list: readonly unknown[], change: (one: unknown) => unknown): readonly unknown[] {
  const changed = list.map(change)
  return changed.some((one, index) => one !== list[index]) ? changed : list
}
