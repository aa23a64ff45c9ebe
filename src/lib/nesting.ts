// How deep a JSON value is nested. JSON.parse accepts any depth, but code that walks the value afterwards,
// JSON.stringify first of all, is limited by the stack: so this is checked first.

/** Deeper than any legitimate value, and far below the stack limit. */
export const MAX_NESTING = 100

export function isNestedTooDeep(value: unknown, levels = MAX_NESTING): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  for (const member of Object.values(value)) {
    if (isNestedTooDeep(member, levels - 1)) return true
  }
  return false
}
