// The possible results of a verification, in one line each.

import { wellKnownUrl } from '../protocol/domain-authority.ts'
import type { Proved, ReferenceToVerify, UrlFinding, VerificationVerdict } from './verification.ts'

type Found = Extract<UrlFinding, { ok: true }>

export function unreachable(reason: string): VerificationVerdict {
  return failing('unreachable', reason, [])
}

export function invalid(
  reason: string,
  issues: VerificationVerdict['issues'] = [],
): VerificationVerdict {
  return failing('invalid', reason, issues)
}

export function valid(
  { what, completeness, labels, brand }: Found,
  proof: Proved,
): VerificationVerdict {
  return {
    verification_status: 'valid',
    proved_by: proof.by,
    completeness_score: completeness,
    reason: `${what}, ${proof.how}`,
    issues: [],
    labels,
    brand,
  }
}

/** Strangers choose the URLs in a reason, and every verification stores one. */
const MAX_TRIED_CHARS = 300
const MAX_REASON_CHARS = 3_000

/** For something that responds although the domain has not claimed it. */
export function unproved(
  reference: ReferenceToVerify,
  { what }: Found,
  tried: readonly string[],
): VerificationVerdict {
  const { domain, verification_status } = reference
  const before = verification_status === 'valid' ? 'the proof is gone: ' : ''
  const short = tried.map((one) => one.slice(0, MAX_TRIED_CHARS))
  const reported = short.length > 0 ? ` (${short.join('; ')})` : ''
  const ways = [...waysToProve(reference), CHALLENGE].join('; or ')
  return failing(
    'pending',
    `${before}${what}, but ${domain} does not confirm it${reported}. To prove it: ${ways}`,
    [],
  )
}

const CHALLENGE =
  'publish the TXT record or the file returned by POST /api/manifest-refs/{id}/proof'

/** What the domain could publish to make a reference `valid`, besides a challenge. */
export function waysToProve(
  reference: Pick<ReferenceToVerify, 'domain' | 'manifest_type' | 'reference_type' | 'agent_id'>,
): string[] {
  const file = wellKnownUrl(reference.domain, reference.manifest_type)
  if (reference.reference_type === 'agent') {
    const id = JSON.stringify(reference.agent_id)
    return [`name the agent in ${file}, by this URL and the id ${id}`]
  }
  return [`publish the manifest at ${file}`, `let ${file} point to it`]
}

function failing(
  verification_status: 'pending' | 'unreachable' | 'invalid',
  reason: string,
  issues: VerificationVerdict['issues'],
): VerificationVerdict {
  return {
    verification_status,
    proved_by: null,
    completeness_score: 0,
    reason: reason.slice(0, MAX_REASON_CHARS),
    issues,
    labels: [],
  }
}
