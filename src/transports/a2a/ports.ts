// The ports of the A2A server, and the parameters and result of each of its methods.

import type { Agent } from '../../agent/agent.ts'
import type { Failed } from '../../agent/answer.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Transact } from '../../lib/transaction.ts'
import type { UsageQuota } from '../../lib/usage-quota.ts'
import type { Identifiers } from '../../protocol/identifiers.ts'
import type { CallSource } from '../call-source.ts'
import type { RpcError } from '../rpc-error.ts'
import type { SignedUrls } from '../signed-head.ts'
import type { A2aIdentity } from './agent-card.ts'
import type { Generation } from './generation.ts'
import type { KeptTasks } from './kept-tasks.ts'
import type { PushRegistrations } from './push-registrations.ts'
import type { A2aTaskStore } from './store.ts'

export interface A2aPorts {
  identity: A2aIdentity
  identifiers: Identifiers
  /** Where others reach this server, without a slash at the end. */
  publicUrl: () => string
  /** Where callers believe to be when they sign. Default: signatures are not looked at. */
  urls?: SignedUrls
  transact: Transact
  tasks: A2aTaskStore
  push: PushRegistrations
  /** Cancels the work behind a task whose id the caller does not have yet; does nothing if there is none. */
  cancelWork?: (key: { owner: string; task_id: string }) => Promise<void>
  clock: Clock
  /** Longest time a call may take, in milliseconds: the agent's. */
  timeoutMs: number
  /** Hears of what went wrong where nobody was waiting. */
  onFault: (error: unknown) => void
}

/** A task whose caller did not wait for it. */
interface RunningCall {
  cancel: AbortController
  /** Resolves when its outcome has been stored. */
  ended: Promise<void>
}

export interface A2aContext extends A2aPorts {
  agent: Agent
  /** By task id: those that run on this instance. */
  running: Map<string, RunningCall>
  /** Calls that each principal does not wait for. */
  unawaited: UsageQuota
  kept: KeptTasks
}

export interface MethodCall {
  params: Record<string, unknown> | undefined
  generation: Generation
  /** Whether the message is to be of the protocol's profile. */
  isProfile: boolean
  source: CallSource
  /** The principal whose key the request brought. */
  owner: string | undefined
}

export type MethodAnswer =
  /** The result as JSON; `lacksKey` when the skill wants a key. */
  | { ok: true; json: string; lacksKey?: boolean }
  | { ok: false; error: RpcError }
  /** Turned away with HTTP's own status, as at the gate. */
  | { ok: false; refused: Failed }

export type Method = (context: A2aContext, call: MethodCall) => Promise<MethodAnswer>
