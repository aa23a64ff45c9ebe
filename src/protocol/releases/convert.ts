// Converts for callers that have some features but not others: requests into the form that handlers read, responses
// and errors into the form that the callers read.

import type { TaskError } from '../errors.ts'
import type { Converter, Members, Release } from './release.ts'

export interface Conversion {
  request(task: string, request: Members): Members
  answer<Answer extends object>(task: string, answer: Answer): Answer
  members<Answer extends object>(task: string, answer: Answer): Answer
  error(error: TaskError): TaskError
}

/** By every feature of the releases, oldest first. */
export function conversionFor(
  releases: readonly Release[],
  features: ReadonlySet<string>,
): Conversion {
  const defined = releases.flatMap(({ adds, renames = {} }) =>
    Object.entries<Release['adds'][string]>({ ...adds, ...renames }),
  )
  const has = ([name]: (typeof defined)[number]) => features.has(name)
  const toCaller = defined.flatMap((one) => (has(one) ? one[1].up : one[1].down) ?? [])
  const toHandler = defined.flatMap((one) => (has(one) ? one[1].down : one[1].up) ?? [])
  const errors = toCaller.flatMap((one) => one.error ?? [])
  const rows = toCaller.flatMap((one) => one.row ?? [])
  const requests = byTask(toHandler, 'request')
  const answers = byTask(toCaller, 'answer')
  const error = (one: TaskError) => errors.reduce((changed, convert) => convert(changed), one)
  const row = (one: Members) => {
    const listed = one.errors as TaskError[] | undefined
    const changed = listed && errors.length > 0 ? { ...one, errors: listed.map(error) } : one
    return rows.reduce((before, convert) => convert(before), changed)
  }
  const isRowless = errors.length === 0 && rows.length === 0
  const members = <Answer extends object>(task: string, answer: Answer) =>
    inTurn(answers(task), answer as Members) as Answer
  return {
    request: (task, request) => inTurn(requests(task), request),
    members,
    answer: (task, answer) => members(task, isRowless ? answer : withRows(answer, row)),
    error,
  }
}

type Change = (members: Members) => Members

function inTurn(changes: readonly Change[], members: Members): Members {
  return changes.reduce((changed, change) => change(changed), members)
}

const NONE: readonly Change[] = []

/** The converters of each task, in order. */
function byTask(
  converters: readonly Converter[],
  what: 'request' | 'answer',
): (task: string) => readonly Change[] {
  const given = converters.filter((one) => one[what])
  if (given.length === 0) return () => NONE
  const known = new Map<string, readonly Change[]>()
  return (task) => {
    const found = known.get(task)
    if (found) return found
    const made = given
      .filter((one) => one.task === undefined || one.task === task)
      .map((one) => one[what] as Change)
    known.set(task, made)
    return made
  }
}

/** The parts that exist once per error. */
const FAULTS = ['errors', 'violations']

function isFaulty(row: unknown): row is Members {
  return FAULTS.some((list) => Array.isArray((row as Members | null)?.[list]))
}

/** A response, and every row of its lists, if they have errors. */
function withRows<Answer extends object>(answer: Answer, convert: Change): Answer {
  const changed = Object.entries(answer).flatMap(([member, value]) =>
    Array.isArray(value) && !FAULTS.includes(member) && value.some(isFaulty)
      ? [[member, value.map((row) => (isFaulty(row) ? convert(row) : row))]]
      : [],
  )
  const whole = isFaulty(answer) ? convert(answer) : answer
  if (changed.length === 0 && whole === answer) return answer
  return { ...whole, ...Object.fromEntries(changed) } as Answer
}
