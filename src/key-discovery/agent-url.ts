// The canonical form of an agent URL for comparison: trailing slashes are ignored.

import { trimEnd } from '../lib/trim-end.ts'

export function sameAgentUrl(url: string): string {
  return /[?#]/.test(url) ? url : trimEnd(url, '/')
}
