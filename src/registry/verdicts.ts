// How a verification ends, in one line each.

import type { Verdict } from './verify-reference.ts'

export function unreachable(reason: string): Verdict {
  return failing('unreachable', reason, [])
}

export function invalid(reason: string, issues: Verdict['issues'] = []): Verdict {
  return failing('invalid', reason, issues)
}

export function valid(
  completeness_score: number,
  reason: string,
  labels: Verdict['labels'],
): Verdict {
  return { verification_status: 'valid', completeness_score, reason, issues: [], labels }
}

function failing(
  verification_status: 'unreachable' | 'invalid',
  reason: string,
  issues: Verdict['issues'],
): Verdict {
  return { verification_status, completeness_score: 0, reason, issues, labels: [] }
}
