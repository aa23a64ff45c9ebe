// What several views show alike: times, and the names of principals.

import type { PrincipalStore } from '../agent/principals.ts'
import type { Clock } from '../lib/clock.ts'

export function iso(at: number): string {
  return new Date(at).toISOString()
}

/** A time that may not be there. */
export function isoOf(at: number | undefined): string | undefined {
  return at === undefined ? undefined : iso(at)
}

/** The name of each principal, by its id. */
export type PrincipalNames = () => Promise<ReadonlyMap<string, string>>

const NAMES_MS = 10_000

/** Asked for with every page, so it is kept for some seconds. */
export function principalNames(
  principals: Pick<PrincipalStore, 'list'>,
  clock: Clock,
): PrincipalNames {
  let known: { at: number; names: Promise<ReadonlyMap<string, string>> } | undefined
  return () => {
    const now = clock.now()
    if (!known || now - known.at > NAMES_MS) {
      const names = principals
        .list()
        .then((all) => new Map(all.map(({ principal_id, name }) => [principal_id, name])))
      names.catch(() => {
        known = undefined
      })
      known = { at: now, names }
    }
    return known.names
  }
}
