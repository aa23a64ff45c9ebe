// Whether a value would be longer as JSON than may be sent, found out before it is written: writing
// a hundred megabytes to see that they are too many holds everybody up.

/** Counts no more than it must; escapes are counted as the character they stand for. */
export function isLongerAsJson(value: unknown, maxChars: number): boolean {
  let left = maxChars
  const open: unknown[] = [value]
  while (open.length > 0) {
    const one = open.pop()
    left -= lengthOf(one)
    if (left < 0) return true
    if (typeof one !== 'object' || one === null) continue
    if (Array.isArray(one)) {
      left -= one.length
      if (left < 0) return true
      for (const element of one) open.push(element)
      continue
    }
    for (const [name, member] of Object.entries(one)) {
      // Quotes, colon and comma.
      left -= name.length + 4
      open.push(member)
    }
  }
  return left < 0
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 2
  return typeof value === 'object' && value !== null ? 2 : 4
}
