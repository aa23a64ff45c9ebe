// The platform `sandbox`: activates after a configurable time, and fails when configured to, so that a buyer can try
// every behaviour of a real platform (spec 3.3). It has no state: its responses depend only on the run in question.

import { createHash } from 'node:crypto'
import type { Clock } from '../../lib/clock.ts'
import type { ActivationRun, Connector, ConnectorAnswer } from './connector.ts'

export const SANDBOX_PLATFORM = 'sandbox'

export interface SandboxOptions {
  clock: Clock
  /** Time from the start of an activation until it is live. */
  delayMs: number
  /** What fails: a share of all activations, from 0 to 1, or the names of accounts, in which `*` matches anything. */
  fail: readonly string[]
}

export function createSandbox({ clock, delayMs, fail }: SandboxOptions): Connector {
  const mustFail = failureRule(fail)
  const answer = (run: ActivationRun): ConnectorAnswer => {
    const leftMs = run.started_at + delayMs - clock.now()
    if (leftMs > 0) {
      const etaMinutes = leftMs / 60_000
      return { status: 'pending', etaMinutes, pollAfterMs: leftMs }
    }
    const reason = mustFail(run)
    if (reason !== undefined) return { status: 'failed', reason, retryable: false }
    return { status: 'live', key: { type: 'segment_id', segment_id: segmentOf(run) } }
  }
  return {
    activate: async (run) => answer(run),
    poll: async (run) => answer(run),
    deactivate: async () => ({ status: 'off' }),
  }
}

/** What is wrong with a rule of `fail`; nothing if it is valid. */
export function sandboxRuleFault(rule: string): string | undefined {
  const share = Number(rule)
  if (Number.isNaN(share) || (share >= 0 && share <= 1)) return undefined
  return 'is neither a share from 0 to 1 nor the name of an account'
}

function failureRule(rules: readonly string[]): (run: ActivationRun) => string | undefined {
  const shares = rules.map(Number).filter((share) => !Number.isNaN(share))
  const accounts = rules.filter((rule) => Number.isNaN(Number(rule)))
  const share = Math.max(0, ...shares)
  return (run) => {
    const { account } = run.target
    if (account !== undefined && accounts.some((rule) => matches(rule, account))) {
      return `the sandbox fails activations for account ${account}`
    }
    return fractionOf(run.activation_id) < share
      ? `the sandbox fails ${Math.round(share * 100)} % of activations`
      : undefined
  }
}

/** Each part of the rule is searched for after the previous one, and its first occurrence counts. */
function matches(rule: string, account: string): boolean {
  const [first = '', ...parts] = rule.split('*')
  const last = parts.pop()
  if (last === undefined) return account === first
  if (!account.startsWith(first) || !account.endsWith(last)) return false
  let at = first.length
  for (const part of parts) {
    const found = account.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= account.length - last.length
}

function segmentOf({ activation_id }: ActivationRun): string {
  return `sandbox_${digestOf(activation_id).toString('hex', 0, 10)}`
}

/** From 0 to below 1, the same for the same run. */
function fractionOf(activationId: string): number {
  return digestOf(activationId).readUInt32BE(16) / 2 ** 32
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
