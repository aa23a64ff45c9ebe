// The brand.json of a domain that is crawled: read as a reference owned by the crawler, which is created when there
// is a valid file and is then verified like all others. A domain without one leaves no trace.

import type { Transaction } from '../../lib/transaction.ts'
import { wellKnownUrl } from '../../protocol/domain-authority.ts'
import { referenceEvent } from '../references.ts'
import type { FeedStore, NewReference, ReferenceStore } from '../store.ts'
import type { VerificationVerdict, VerifyPorts } from '../verification.ts'
import { nextVerificationAt } from '../verification-schedule.ts'
import { hasChanged } from '../verification-worker.ts'
import { verifyReference } from '../verify-reference.ts'
import type { CrawlStore } from './store.ts'

/** The owner of these references. No organisation has this id. */
const CRAWLER = 'crawler'

export type ReadBrand = (domain: string, signal: AbortSignal) => Promise<VerificationVerdict>

export interface KeepBrandPorts {
  references: Pick<ReferenceStore, 'idsOf' | 'add' | 'take' | 'recordVerification'>
  feed: FeedStore
  crawl: Pick<CrawlStore, 'add'>
}

export function brandReader(ports: Omit<VerifyPorts, 'signal'>): ReadBrand {
  return (domain, signal) =>
    verifyReference(
      { ...referenceOf(domain), verification_status: 'pending', isProofRequested: false },
      { ...ports, signal },
    )
}

/** Whether the registry has the brand. Read before a transaction begins, or each would hold a second connection. */
export async function isBrandKnown(
  { references }: Pick<KeepBrandPorts, 'references'>,
  domain: string,
): Promise<boolean> {
  const [known] = await references.idsOf([referenceOf(domain)])
  return known?.isKnown ?? false
}

export async function keepBrand(
  { references, feed, crawl }: KeepBrandPorts,
  tx: Transaction,
  { domain, verdict, isKnown }: { domain: string; verdict: VerificationVerdict; isKnown: boolean },
): Promise<void> {
  const reference = referenceOf(domain)
  if (verdict.verification_status !== 'valid' && !isKnown) return
  const now = await tx.now()
  const [added] = await references.add(tx, [reference], { verifyAt: now })
  const claim = added && (await references.take(tx, added.reference.id))
  if (!claim) return
  const { verification_status } = verdict
  const updated = await references.recordVerification(tx, claim, {
    ...verdict,
    duration_ms: 0,
    nextVerificationAt: nextVerificationAt(now, verification_status, claim.failures),
  })
  if (!updated) return
  // Whether the house confirms a claim is only known after the house was read.
  const house = verdict.brand?.identity.claimed_house_domain
  if (house !== undefined) await crawl.add(tx, [house], { foundBy: 'brand', at: now })
  const by = { actor: 'system' }
  const created = referenceEvent('manifest_ref.created', added.reference, by)
  const verified = referenceEvent('manifest_ref.verified', updated, {
    ...by,
    reason: verdict.reason,
  })
  await feed.append(tx, [
    ...(added.created ? [created] : []),
    ...(hasChanged(claim, updated) ? [verified] : []),
  ])
}

function referenceOf(domain: string): NewReference {
  return {
    domain,
    manifest_type: 'brand.json',
    reference_type: 'url',
    manifest_url: wellKnownUrl(domain, 'brand.json'),
    agent_url: null,
    agent_id: null,
    contributed_by_org_id: CRAWLER,
  }
}
