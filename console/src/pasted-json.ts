// What can be said about pasted JSON here: where it breaks off, and what is at a pointer.

/** Where it is not JSON, as the browser's message; undefined when it is. */
export function syntaxFault(text: string): string | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const MOST_CHARS = 120

/** What is there now, in short; undefined when nothing is. */
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
