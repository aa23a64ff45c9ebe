// Checks whether A2A has room to store one more task of a principal. This is checked often, so the count is cached
// for a moment and updated with the tasks that this instance adds.

import type { Clock } from '../../lib/clock.ts'
import { createRecentCache } from '../../lib/recent-cache.ts'
import { A2A_LIMITS } from './limits.ts'
import type { A2aTaskStore, Kept } from './store.ts'

export interface KeptTasks {
  /** Whether a task with a response of this many bytes may be stored as well; counts it if so. */
  hasRoom(owner: string, bytes: number): Promise<boolean>
}

const COUNTED_EVERY_MS = 5_000
const OWNERS = 10_000

export function createKeptTasks({
  tasks,
  clock,
}: {
  tasks: Pick<A2aTaskStore, 'kept'>
  clock: Clock
}): KeptTasks {
  const known = createRecentCache<{ counting: Promise<Kept>; countedAt: number }>(OWNERS)

  /** One count shared by all concurrent callers; each of them then increments it. */
  const keptOf = (owner: string): Promise<Kept> => {
    const recent = known.get(owner)
    if (recent && clock.now() - recent.countedAt < COUNTED_EVERY_MS) return recent.counting
    const counting = tasks.kept(owner)
    known.set(owner, { counting, countedAt: clock.now() })
    // A failed count is an error only for the callers that waited for it.
    counting.catch(() => known.delete(owner))
    return counting
  }

  return {
    hasRoom: async (owner, bytes) => {
      const kept = await keptOf(owner)
      if (kept.tasks >= A2A_LIMITS.keptTasks.value) return false
      if (kept.bytes + bytes > A2A_LIMITS.keptBytes.value) return false
      kept.tasks += 1
      kept.bytes += bytes
      return true
    },
  }
}
