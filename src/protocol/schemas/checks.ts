// Rules between the members of one object, for the schemas of tasks: they run together with the rules of the members,
// so that all errors of a request are reported together (spec 7).

import type { z } from 'zod'

export type UncheckedMembers = Readonly<Record<string, unknown>>

/** Reports an error: its location below the object, what is accepted, and which rule was violated. */
export type Report = (path: readonly PropertyKey[], message: string, keyword: string) => void

/** The schema with an additional rule. The members may have any value: their own rules may have failed. */
export function withRule<S extends z.ZodType>(
  schema: S,
  check: (members: UncheckedMembers, report: Report) => void,
): S {
  return schema.superRefine(
    (value, refinement) => {
      check(value as UncheckedMembers, (path, message, keyword) => {
        refinement.addIssue({ code: 'custom', path: [...path], message, params: { keyword } })
      })
    },
    { when: ({ value }) => isObject(value) },
  )
}

/**
 * Whether an object is valid by the schemas of the members that it has. For objects whose members are all optional
 * and mostly absent: a schema would look up each of them.
 */
export function hasSound(
  shape: Readonly<Record<string, z.ZodType>>,
): (value: UncheckedMembers) => boolean {
  const schemas = new Map(Object.entries(shape))
  return (value) =>
    Object.entries(value).every(([name, member]) => {
      const schema = schemas.get(name)
      return !schema || schema.safeParse(member).success
    })
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
