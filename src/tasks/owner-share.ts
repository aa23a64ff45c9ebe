// Limits how many steps of one owner run here at the same time: at most as many as there are slots left. So an owner
// with a thousand slow tasks leaves half of the slots to others, the next one half of those, and there is always one
// for an owner that has none.

export interface OwnerShare {
  /** Takes a slot for one more step of the owner; false when it has used its share. */
  take(owner: string): boolean
  /** Owners that have their share. */
  full(): string[]
}

/** `running` has one entry for each step running here: its owner. */
export function createOwnerShare(slots: number, running: readonly string[]): OwnerShare {
  const owners = new Map<string, number>()
  let left = slots
  const hasShare = (count: number) => count >= left
  const count = (owner: string) => {
    owners.set(owner, (owners.get(owner) ?? 0) + 1)
    left -= 1
  }
  for (const owner of running) count(owner)
  return {
    take: (owner) => {
      if (hasShare(owners.get(owner) ?? 0)) return false
      count(owner)
      return true
    },
    full: () => [...owners].filter(([, running]) => hasShare(running)).map(([owner]) => owner),
  }
}
