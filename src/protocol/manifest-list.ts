// Lists and maps inside a manifest; validation stops at the maximum number of reported errors: a hostile file of a
// hundred thousand wrong entries must cost no more than one of twenty (spec 3.1).

import { z } from 'zod'
import { MAX_MANIFEST_ISSUES } from './manifest-issues.ts'

/** A list of entries, from `min` (default 0) to `max` (default any number) of them. */
export function listOf<T>(
  entry: z.ZodType<T>,
  { min = 0, max }: { min?: number; max?: number } = {},
) {
  const list = z.array(z.unknown()).min(min)
  return (max === undefined ? list : list.max(max, { abort: true })).transform(
    (values, context): T[] => {
      const read: T[] = []
      for (const [index, value] of values.entries()) {
        if (!readInto(read, entry, { key: index, value, context })) break
      }
      return read
    },
  )
}

/** An object with arbitrary keys, whose values are all entries. */
export function mapOf<T>(entry: z.ZodType<T>) {
  return z.looseObject({}).transform((fields, context): Record<string, T> => {
    const read: T[] = []
    for (const [key, value] of Object.entries(fields)) {
      if (!readInto(read, entry, { key, value, context })) break
    }
    return Object.fromEntries(Object.keys(fields).map((key, index) => [key, read[index] as T]))
  })
}

interface Place {
  key: string | number
  value: unknown
  context: z.core.$RefinementCtx
}

/** False when enough errors have been found. Invalid entries have no value, but nothing reads it. */
function readInto<T>(read: T[], entry: z.ZodType<T>, { key, value, context }: Place): boolean {
  // Like zod's own lists: errors are left unfinalized, so that a union can choose among them.
  const result = entry._zod.run({ value, issues: [] }, { async: false })
  if (result instanceof Promise) throw new Error('a manifest is checked without waiting')
  if (result.issues.length === 0) {
    read.push(result.value as T)
    return true
  }
  context.issues.push(...z.core.util.prefixIssues(key, result.issues.slice(0, MAX_MANIFEST_ISSUES)))
  return context.issues.length < MAX_MANIFEST_ISSUES
}
