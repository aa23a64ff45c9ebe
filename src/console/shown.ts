// What several views show alike: times, and the names of principals.

export function iso(at: number): string {
  return new Date(at).toISOString()
}

/** A time that may not be there. */
export function isoOf(at: number | undefined): string | undefined {
  return at === undefined ? undefined : iso(at)
}

/** The names of these principals, by their ids; who is not there any more has none. */
export type PrincipalNames = (
  principalIds: Iterable<string>,
) => Promise<ReadonlyMap<string, string>>
