// Waits for the answers of several who may claim a key, but no longer than the answer takes: the first
// claim is enough, unless somebody who is still to answer has to be heard before it counts.

export interface Asked<Claim> {
  answer: Promise<Claim | undefined>
  /** What has to end before a claim of somebody else counts. */
  needed: Promise<unknown>
}

/** The claims that came in time, in the order of those who were asked. Rejects when an answer does. */
export async function gatherClaims<Claim>(
  asked: readonly Asked<Claim>[],
  maxWaitMs: number,
): Promise<Claim[]> {
  const claims: (Claim | undefined)[] = asked.map(() => undefined)
  const first = new Promise<void>((resolve) => {
    asked.forEach(({ answer }, place) => {
      answer.then(
        (claim) => {
          claims[place] = claim
          if (claim !== undefined) resolve()
        },
        () => {},
      )
    })
  })
  const all = Promise.all(asked.map(({ answer }) => answer))
  const enough = first.then(() => Promise.all(asked.map(({ needed }) => needed)))
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, maxWaitMs)
  })
  try {
    await Promise.race([all, enough, late])
  } finally {
    clearTimeout(timer)
  }
  return claims.filter((claim) => claim !== undefined)
}
