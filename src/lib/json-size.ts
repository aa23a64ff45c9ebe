// Whether a value would exceed the size limit as JSON, checked before it is serialized: serializing a hundred
// megabytes only to find that they are too many would block everyone.

export function isLongerAsJson(value: unknown, maxChars: number): boolean {
  return charsAsJson(value, maxChars) > maxChars
}

/** Stops counting shortly after `maxChars`; an escape counts as the character it represents. */
export function charsAsJson(value: unknown, maxChars = Number.POSITIVE_INFINITY): number {
  let chars = 0
  const open: unknown[] = [value]
  while (open.length > 0 && chars <= maxChars) {
    const one = open.pop()
    chars += lengthOf(one)
    if (typeof one !== 'object' || one === null) continue
    if (Array.isArray(one)) {
      chars += one.length
      if (chars > maxChars) break
      for (const element of one) open.push(element)
      continue
    }
    for (const [name, member] of Object.entries(one)) {
      // Quotes, colon and comma.
      chars += name.length + 4
      open.push(member)
    }
  }
  return chars
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 2
  return typeof value === 'object' && value !== null ? 2 : 4
}
