// The URL of an agent as it is compared: a slash at its end makes no other agent.

import { trimEnd } from '../lib/trim-end.ts'

export function sameAgentUrl(url: string): string {
  return /[?#]/.test(url) ? url : trimEnd(url, '/')
}
