// The health of a network: every publisher of a manager, or of an agent, that is stale, missing, contradictory or
// about to expire. One report examines a bounded number of publishers, a few at a time, and says where to continue.

import { createPacer } from '../../lib/pacer.ts'
import { FINDING_KINDS, type FindingKind, findingsOf, type PublisherFinding } from './findings.ts'
import { NETWORK_LIMITS } from './limits.ts'
import type { NetworkStore, NetworkSubject } from './store.ts'

export interface NetworkReport {
  findings: PublisherFinding[]
  summary: {
    publishers: number
    healthy: number
    /** Publishers with at least one finding of the kind. */
    by_kind: Record<FindingKind, number>
  }
  /** The last publisher that was examined, if there may be more. */
  next_after: string | null
}

export interface NetworkQuery {
  subject: NetworkSubject
  after: string
  /** Undefined for all. */
  kind?: FindingKind | undefined
  limit: number
  now: number
}

const AT_ONCE = 200

export async function networkHealth(
  { network }: { network: NetworkStore },
  { subject, after: start, kind, limit, now }: NetworkQuery,
): Promise<NetworkReport> {
  const pacer = createPacer()
  const none = Object.fromEntries(FINDING_KINDS.map((one) => [one, 0]))
  const by_kind = none as Record<FindingKind, number>
  const findings: PublisherFinding[] = []
  let publishers = 0
  let healthy = 0
  for (let after = start; ; ) {
    const most = Math.min(AT_ONCE, NETWORK_LIMITS.networkPublishers.value - publishers)
    const domains = most > 0 ? await network.publishers(subject, { after, limit: most }) : []
    const isFull = most <= 0
    if (domains.length === 0) {
      const summary = { publishers, healthy, by_kind }
      return { findings, summary, next_after: isFull ? after : null }
    }
    for (const record of await network.records(subject, domains)) {
      const found = findingsOf(record, subject, now)
      const wanted = kind === undefined ? found : found.filter((one) => one.kind === kind)
      if (findings.length > 0 && findings.length + wanted.length > limit) {
        return { findings, summary: { publishers, healthy, by_kind }, next_after: after }
      }
      findings.push(...wanted.slice(0, limit))
      publishers += 1
      after = record.domain
      if (found.length === 0) healthy += 1
      for (const one of new Set(found.map((finding) => finding.kind))) by_kind[one] += 1
    }
    if (pacer.isDue()) await pacer.pause()
  }
}
