// Local analysis of pasted JSON: where it breaks off, and the value at a pointer.

/** Where the JSON is invalid, as the browser's message; undefined if it is valid. */
export function syntaxFault(text: string): string | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const MOST_CHARS = 120

/** A short form of the value there; undefined if there is none. */
export function foundAt(text: string, pointer: string): string | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  const returned = JSON.stringify(value)
  return returned.length > MOST_CHARS ? `${returned.slice(0, MOST_CHARS)}…` : returned
}
