// The outcome of an examination: every check with how it ended, the totals, and the exit code.

import type { Finding } from './check.ts'
import type { CheckResult } from './run-checks.ts'

export interface Report {
  /** What was examined. */
  subject: 'agent' | 'receiver'
  url: string
  checks: CheckResult[]
  findings: Finding[]
  summary: { passed: number; failed: number; skipped: number; findings: number }
  /** 0: no findings, 1: findings, 3: not reached. */
  exit_code: 0 | 1 | 3
}

/** The check that determines whether the peer is reachable. */
export const REACHABLE = 'reachable'

export function reportOf(
  subject: Report['subject'],
  url: string,
  checks: readonly CheckResult[],
): Report {
  const findings = checks.flatMap((check) => check.findings)
  const count = (state: CheckResult['state']) => checks.filter((one) => one.state === state).length
  const isAway = checks.some(({ id, state }) => id === REACHABLE && state === 'failed')
  return {
    subject,
    url,
    checks: [...checks],
    findings,
    summary: {
      passed: count('passed'),
      failed: count('failed'),
      skipped: count('skipped'),
      findings: findings.length,
    },
    exit_code: isAway ? 3 : findings.length > 0 ? 1 : 0,
  }
}
