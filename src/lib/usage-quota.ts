// How much of something there is at once, in all and for each who has a share in it: bytes of waiting
// bodies, streams, calls. What is taken is given back; nobody's share keeps another from their own.

export interface UsageQuota {
  /** Takes so much for an owner, by default one, or says whose share is full, and takes nothing. */
  take(owner: string, amount?: number): 'taken' | 'all_full' | 'own_full'
  /** Takes it although a share is full: for what has to go on and is counted all the same. */
  force(owner: string, amount?: number): void
  give(owner: string, amount?: number): void
}

export interface UsageQuotaOptions {
  max: number
  maxOfOne: number
}

export function createUsageQuota({ max, maxOfOne }: UsageQuotaOptions): UsageQuota {
  const ofEach = new Map<string, number>()
  let all = 0
  const force = (owner: string, amount = 1): void => {
    all += amount
    ofEach.set(owner, (ofEach.get(owner) ?? 0) + amount)
  }
  return {
    force,
    take: (owner, amount = 1) => {
      if ((ofEach.get(owner) ?? 0) + amount > maxOfOne) return 'own_full'
      if (all + amount > max) return 'all_full'
      force(owner, amount)
      return 'taken'
    },
    give: (owner, amount = 1) => {
      const left = (ofEach.get(owner) ?? 0) - amount
      all -= amount
      if (left > 0) ofEach.set(owner, left)
      else ofEach.delete(owner)
    },
  }
}
