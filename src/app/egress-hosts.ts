// Hosts that are reached at another address than DNS says: those of the settings, and with --demo the demo's own
// brands on this server and `acme.example` on a port of this machine, so that both are verified like any other.

import { type HostMap, parseHostMap } from '../lib/host-map.ts'
import type { Config } from './config.ts'
import { DEMO_BRANDS } from './demo/demo-brands.ts'

/** Where a demo server looks for acme.example, the domain of the examples. */
const EXAMPLE_HOST = 'acme.example=http://127.0.0.1:9000'

/** `listening` returns the URL of this server, once it listens. */
export function egressHosts(
  { egressHosts: entries, demo }: Pick<Config, 'egressHosts' | 'demo'>,
  listening: () => string,
): HostMap {
  if (!demo) return parseHostMap(entries)
  const isStar = (entry: string) => entry.startsWith('*.')
  const named = parseHostMap([EXAMPLE_HOST, ...entries.filter((entry) => !isStar(entry))])
  const stars = parseHostMap(entries.filter(isStar))
  const ours = new Set(DEMO_BRANDS.map(({ domain }) => domain))
  // An exact name takes precedence over a wildcard, and the demo's brands have exact names.
  return (host) => named(host) ?? (ours.has(host) ? `${listening()}/demo/${host}` : stars(host))
}
