// Parses text that may not be JSON, for callers that treat invalid text as absent. A caller that has to report the
// error parses the text itself.

/** Undefined for what is no JSON. */
export function tryJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Undefined if the text is not a JSON object. */
export function tryJsonObject(text: string): Record<string, unknown> | undefined {
  const value = tryJson(text)
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Record<string, unknown>) : undefined
}
