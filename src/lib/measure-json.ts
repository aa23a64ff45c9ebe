// Whether a value exceeds its limits of depth or length as JSON, determined in one walk and in slices: a value from
// another party may have a hundred thousand parts.

import { createPacer, type Pacer } from './pacer.ts'

export interface MeasureLimits {
  /** Levels of lists and objects. */
  maxDepth: number
  /** An escape counts as the character it represents. */
  maxChars: number
}

/** Undefined if it is within its limits. Stops walking as soon as a limit is exceeded. */
export async function measureJson(
  value: unknown,
  { maxDepth, maxChars }: MeasureLimits,
  pacer: Pacer = createPacer(),
): Promise<'too_deep' | 'too_long' | undefined> {
  let left = maxChars - lengthOf(value)
  const open: Open[] = []
  if (isContainer(value)) open.push({ of: value, depth: 1 })
  for (let walked = 1; open.length > 0; walked++) {
    const { of, depth } = open.pop() as Open
    if (depth > maxDepth) return 'too_deep'
    // Quotes, colon and comma of a member; the comma of an element.
    if (Array.isArray(of)) left -= of.length
    else for (const name of Object.keys(of)) left -= name.length + 4
    for (const member of Array.isArray(of) ? of : Object.values(of)) {
      left -= lengthOf(member)
      if (isContainer(member)) open.push({ of: member, depth: depth + 1 })
      if (left < 0) return 'too_long'
    }
    if (walked % WALKED_AT_ONCE === 0 && pacer.isDue()) await pacer.pause()
  }
  return left < 0 ? 'too_long' : undefined
}

/** Number of lists and objects between two reads of the clock. */
const WALKED_AT_ONCE = 64

interface Open {
  of: object
  depth: number
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 2
  return isContainer(value) ? 2 : 4
}
