// Waits for the answers of several sources that may claim a key, but no longer than needed: the first claim is
// enough, unless it only counts once a pending source has answered.

import { withTimeout } from '../lib/with-timeout.ts'

export interface ClaimQuery<Claim> {
  answer: Promise<Claim | undefined>
  /** What must finish before another source's claim counts: the answer itself, or an earlier step. */
  neededFor: (claim: Claim) => Promise<unknown>
}

/** The claims that arrived in time, in the order of the queries. Rejects if a query does. */
export async function gatherClaims<Claim>(
  requested: readonly ClaimQuery<Claim>[],
  maxWaitMs: number,
): Promise<Claim[]> {
  const claims: (Claim | undefined)[] = requested.map(() => undefined)
  const first = new Promise<Claim>((resolve) => {
    requested.forEach(({ answer }, place) => {
      answer.then(
        (claim) => {
          claims[place] = claim
          if (claim !== undefined) resolve(claim)
        },
        () => {},
      )
    })
  })
  const all = Promise.all(requested.map(({ answer }) => answer))
  const enough = first.then((claim) =>
    Promise.all(requested.map(({ neededFor }) => neededFor(claim))),
  )
  await withTimeout(maxWaitMs, Promise.race([all, enough]))
  return claims.filter((claim) => claim !== undefined)
}
