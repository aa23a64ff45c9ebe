// Whether a text is a URL. `URL.canParse` is not used: in Node 20 it rejects every host with non-ASCII letters once
// it has been optimised. The host's A-labels are checked here, because the parser of Node 24 and later does not
// decode them.

import { hasValidALabels } from './idna.ts'

export function isUrl(text: string, base?: string): boolean {
  return parseUrl(text, base) !== undefined
}

/** The parsed URL; undefined when the text is not a URL, or its host is not a valid name on every supported Node. */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    const url = new URL(text, base)
    return hasValidALabels(url.hostname) ? url : undefined
  } catch {
    return undefined
  }
}
