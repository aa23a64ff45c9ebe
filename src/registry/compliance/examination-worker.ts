// Examines every agent that is published, on a schedule: one at a time, and the agents of one site with a pause between them,
// so that no list of agents makes this server a burden to others.

import { createPoller, type Poller } from '../../lib/poller.ts'
import type { AgentDirectory } from '../directory/store.ts'
import { roleOf } from './badges.ts'
import {
  CHECK_INTERVAL_HOURS,
  type CheckPorts,
  checkAgent,
  EXAMINATION_LEASE_MS,
  EXAMINATION_MS,
  EXAMINATION_RETRY_MS,
} from './check-agent.ts'

const POLL_MS = 60_000
const HOUR_MS = 60 * 60 * 1_000
/** An agent that was published is examined for the first time after this, which is longer than a site rests. */
const FIRST_MS = HOUR_MS
const ADDED_AT_ONCE = 500
const PACE = {
  leaseMs: EXAMINATION_LEASE_MS,
  /** So long that scheduled examinations of one site do not overlap. */
  siteMs: EXAMINATION_MS,
  retryMs: EXAMINATION_RETRY_MS,
  unpublishedMs: CHECK_INTERVAL_HOURS * HOUR_MS,
}

interface ExaminationWorkerPorts extends CheckPorts {
  directory: Pick<AgentDirectory, 'get'>
  onFault: (error: unknown) => void
}

/** One examination at a time: it takes its time, and nobody waits for it. */
export function createExaminationWorker(ports: ExaminationWorkerPorts): Poller {
  const { transact, compliance } = ports
  return createPoller({
    name: 'worker: examine published agents',
    intervalMs: POLL_MS,
    onFault: ports.onFault,
    round: async (signal) => {
      const { claimed, isMore } = await transact(async (tx) => {
        const at = (await tx.now()) + FIRST_MS
        await compliance.addPublished(tx, { at, limit: ADDED_AT_ONCE })
        return compliance.claimDue(tx, PACE)
      })
      if (!claimed) return isMore
      const listed = await ports.directory.get({ isMember: false }, claimed.agent_url)
      const role = listed && roleOf(listed.type)
      await checkAgent(ports, claimed, { triggeredBy: 'schedule', visibleTo: null, role, signal })
      return true
    },
  })
}
