// What several views display in the same way: times, and the names of principals.

export function iso(at: number): string {
  return new Date(at).toISOString()
}

/** A time that may not be there. */
export function isoOf(at: number | undefined): string | undefined {
  return at === undefined ? undefined : iso(at)
}

/** Above any possible sum of the budgets of a buy's packages, or of the figures of its windows. */
const MOST_AMOUNT = 1e18

/** An amount as it is displayed: null when what is stored is not a valid one. */
export function amountOf(stored: number | null): number | null {
  return stored !== null && Number.isFinite(stored) && stored <= MOST_AMOUNT ? stored : null
}

/** The names of these principals, by id; a deleted principal has none. */
export type PrincipalNames = (
  principalIds: Iterable<string>,
) => Promise<ReadonlyMap<string, string>>
