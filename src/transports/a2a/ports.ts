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
  /** The public URL of this server, without a trailing slash. */
  publicUrl: () => string
  /** The URL that callers sign for. Default: signatures are not checked. */
  urls?: SignedUrls
  transact: Transact
  tasks: A2aTaskStore
  push: PushRegistrations
  /** Cancels the work behind a task whose id the caller does not have yet; does nothing if there is none. */
  cancelWork?: (key: { owner: string; task_id: string }) => Promise<void>
  clock: Clock
  /** The agent's limit on the duration of a call, in milliseconds. */
  timeoutMs: number
  /** Receives errors for which no caller was waiting. */
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
  /** Tasks running on this instance, by task id. */
  running: Map<string, RunningCall>
  /** Background calls of each principal. */
  unawaited: UsageQuota
  kept: KeptTasks
}

export interface MethodCall {
  params: Record<string, unknown> | undefined
  generation: Generation
  /** Whether the message must follow the protocol's profile. */
  isProfile: boolean
  source: CallSource
  /** The principal that owns the key of the request. */
  owner: string | undefined
}

export type MethodAnswer =
  /** The result as JSON; `lacksKey` if the skill requires a key. */
  | { ok: true; json: string; lacksKey?: boolean }
  | { ok: false; error: RpcError }
  /** Rejected with an HTTP status, as during authentication. */
  | { ok: false; refused: Failed }

export type Method = (context: A2aContext, call: MethodCall) => Promise<MethodAnswer>
