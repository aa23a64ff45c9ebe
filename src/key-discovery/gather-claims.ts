// Waits for the answers of several who may claim a key, but no longer than the answer takes: the first
// claim is enough, unless somebody who is still to answer has to be heard before it counts.

import { withTimeout } from '../lib/with-timeout.ts'

export interface ClaimQuery<Claim> {
  answer: Promise<Claim | undefined>
  /** What has to end before a claim of somebody else counts: the answer itself, or less. */
  neededFor: (claim: Claim) => Promise<unknown>
}

/** The claims that came in time, in the order of those who were asked. Rejects when an answer does. */
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
