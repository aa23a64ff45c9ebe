// One connector call for one run (spec 3.3): starts it or polls its status, and says when to call again. An exception
// from a connector counts as a temporary failure.

import { backoffMs } from '../lib/backoff.ts'
import { defined } from '../lib/defined.ts'
import type { Known } from './access.ts'
import type { Activation } from './activation-state.ts'
import type { CatalogueSignal } from './catalogue.ts'
import type {
  ActivationRun,
  Connector,
  ConnectorAnswer,
  ConnectorFailure,
  Connectors,
} from './connectors/connector.ts'

export interface RetryOptions {
  /** Maximum number of consecutive failed calls, including the last. */
  calls: number
  firstMs: number
  maxMs: number
}

const RETRY: RetryOptions = { calls: 10, firstMs: 1_000, maxMs: 300_000 }

/** Limits for the pause that a connector may request, and the default pause. */
const SHORTEST_POLL_MS = 50
const LONGEST_POLL_MS = 15 * 60_000
const USUAL_POLL_MS = { min: 5_000, max: 300_000 }

export interface ConnectorCall {
  activation: Activation
  run: { tries: number }
  signal: CatalogueSignal | undefined
  caller: Known
  abort: AbortSignal
}

export interface CallResult {
  answer: ConnectorAnswer
  /** Whether it has failed too often to be tried again. */
  isExhausted: boolean
  /** Pause before the next call. */
  afterMs: number
}

export async function callConnector(
  { connectors, retry = RETRY }: { connectors: Connectors; retry?: RetryOptions | undefined },
  { activation, run, signal, caller, abort }: ConnectorCall,
): Promise<CallResult> {
  const found = connectors.find(activation.target)
  const answer =
    'missing' in found
      ? failure(found.missing, false)
      : await ask(found, { activation, signal, caller, abort })
  abort.throwIfAborted()
  const tries = run.tries + 1
  const isFailure = answer.status === 'failed'
  return {
    answer,
    isExhausted: isFailure && answer.retryable && tries >= retry.calls,
    afterMs: isFailure ? backoffMs(tries, retry) : pollPauseMs(answer),
  }
}

async function ask(
  connector: Connector,
  { activation, signal, caller, abort }: Omit<ConnectorCall, 'run'>,
): Promise<ConnectorAnswer> {
  const run = runOf(activation)
  // A run is pending once its platform has said so, with or without a handle.
  const isPending = activation.handle !== undefined
  try {
    if (isPending && connector.poll) return await connector.poll(run, abort)
    if (!signal) return failure('the signal is not in the catalogue any more', false)
    const { name, description, signal_type, data_provider } = signal
    const details = { name, description, signal_type, data_provider }
    return await connector.activate({ ...run, signal: details, principal_name: caller.name }, abort)
  } catch {
    return failure('the platform’s connector failed', true)
  }
}

export function runOf(activation: Activation): ActivationRun {
  const { activation_id, signal_agent_segment_id, principal_id, target, started_at } = activation
  const { pricing_option_id, handle } = activation
  return {
    activation_id,
    signal_agent_segment_id,
    principal_id,
    target,
    started_at,
    ...defined({
      pricing_option_id,
      handle: handle ?? undefined,
    }),
  }
}

function pollPauseMs(answer: ConnectorAnswer): number {
  if (answer.status !== 'pending') return 0
  const { pollAfterMs, etaMinutes = 0 } = answer
  const { min, max } = USUAL_POLL_MS
  const usual = Math.min(Math.max(etaMinutes * 6_000, min), max)
  return Math.min(Math.max(pollAfterMs ?? usual, SHORTEST_POLL_MS), LONGEST_POLL_MS)
}

function failure(reason: string, retryable: boolean): ConnectorFailure {
  return { status: 'failed', reason, retryable }
}
