// Limits how much of something is in use at once, in total and per owner: bytes of waiting bodies, streams, calls.
// What is taken is returned later; one owner's use never reduces another's share.

export interface UsageQuota {
  /** Takes an amount for an owner, one by default; if a limit is reached, takes nothing and says whose. */
  take(owner: string, amount?: number): 'taken' | 'all_full' | 'own_full'
  /** Takes it even if a limit is reached: for work that must continue and is counted anyway. */
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
