// The full names under which a short name is looked up (resolv.conf: search, domain and ndots), for the egress guard.
// Used only where private addresses may be reached: a name of the public Internet is looked up unchanged, whatever
// suffixes the network of this machine has.

import { trimEnd } from '../trim-end.ts'

export interface SearchRules {
  suffixes: readonly string[]
  /** Names with fewer dots are short. */
  ndots: number
}

export const RESOLV_CONF_PATH = '/etc/resolv.conf'

/** As many as other resolvers take. */
const MAX_SUFFIXES = 6

export function parseResolvConf(text: string): SearchRules {
  let suffixes: string[] = []
  let ndots = 1
  for (const line of text.split('\n')) {
    const [word, ...values] = (line.split(/[#;]/, 1)[0] ?? '').trim().split(/\s+/)
    // Of several the last counts.
    if (word === 'search' || word === 'domain') suffixes = values
    if (word !== 'options') continue
    for (const option of values) {
      const given = /^ndots:(\d{1,2})$/.exec(option)?.[1]
      if (given !== undefined) ndots = Math.min(Number(given), 15)
    }
  }
  const plain = suffixes.map((one) => trimEnd(one.toLowerCase().replace(/^\.+/, ''), '.'))
  return { suffixes: plain.filter((one) => one !== '').slice(0, MAX_SUFFIXES), ndots }
}

/**
 * The names to query, in order. A single label is tried with the suffixes first, as the system does; a name with a
 * dot is first tried unchanged, so that no suffix can replace a name that exists.
 */
export function namesToAsk(host: string, { suffixes, ndots }: SearchRules): string[] {
  if (host.endsWith('.')) return [host]
  const dots = host.split('.').length - 1
  if (dots >= ndots && dots > 0) return [host]
  const longer = suffixes.map((suffix) => `${host}.${suffix}`)
  return dots === 0 ? [...longer, host] : [host, ...longer]
}
