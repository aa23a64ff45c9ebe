// A URL that is only displayed, never fetched.

import { parseUrl } from '../lib/is-url.ts'
import { isStorable } from '../lib/storable-text.ts'

export function isHttpUrl(value: string): boolean {
  const url = isStorable(value) ? parseUrl(value) : undefined
  return url?.protocol === 'https:' || url?.protocol === 'http:'
}
