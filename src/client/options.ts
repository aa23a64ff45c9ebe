// The options of a caller: for the agent, and for one call to it.

import type { PushNotificationConfig } from '../protocol/schemas/push-notification-config.ts'
import type { Transport } from '../protocol/task.ts'
import type { ClientFetch, RequestSigner } from '../transports/client.ts'
import type { RequestOf } from './known-tasks.ts'
import type { OutcomeConflict, UpdateSource } from './outcome.ts'

export interface AgentOptions {
  /** The agent's address: that of the agent itself, of one of its transports, or of its agent card. */
  agentUrl: string
  /** Default: derived from the address, or else detected. */
  transport?: Transport
  /** A bearer key. It is sent only to the origin of `agentUrl`. */
  auth?: string
  /** Signs every request. Default: requests are not signed. */
  signer?: RequestSigner
  /**
   * The client for requests. It must not follow redirects. Default: a guard that reaches public addresses by https
   * only, unless `allowPrivate` says otherwise.
   */
  fetch?: ClientFetch
  /**
   * Networks that may be reached although they are not public, also by http: CIDRs, or true for this machine
   * (127.0.0.0/8 and ::1). Default none. Cannot be combined with `fetch`.
   */
  allowPrivate?: boolean | readonly string[]
  /** Where the agent sends its webhooks. Default: none, and tasks are polled. */
  receiver?: CallReceiver
  /** Release of the protocol to request, such as 3.1. Default: the call names none. */
  version?: string
  /** Default proto. */
  protocolName?: string
  /**
   * Whether answers are validated against the protocol's schemas: `lenient` accepts unknown members, `strict` does
   * not. Default lenient.
   */
  check?: 'lenient' | 'strict' | 'none'
  /** Called with an end that differs from the one that counts. */
  onConflict?(conflict: OutcomeConflict): void
}

/** Where webhooks are received; `{ urlFor: () => url, waitFor: receiver.waitFor }` with `adwire/receiver`. */
export interface CallReceiver {
  /** What to register for a call: a URL, or the complete registration. */
  urlFor(call: { operationId: string; task: string }): string | PushNotificationConfig
  /**
   * Resolves with the webhook that reported the end of the operation, already received or yet to come; with undefined
   * when the signal aborts.
   */
  waitFor(
    operationId: string,
    options: { signal: AbortSignal; sender?: string },
  ): Promise<ReceivedWebhook | undefined>
  /** Only webhooks from this sender count. Default: any sender that the receiver trusts. */
  sender?: string
}

/** A verified webhook, as returned by `adwire/receiver`. */
export interface ReceivedWebhook {
  status: string | undefined
  task_id: string | undefined
  /** The whole body, parsed. */
  payload: unknown
  /** The data of the task. */
  data: unknown
}

export interface CallOptions {
  /** Makes repeating safe. Default: a UUID, for a task that changes something. */
  idempotencyKey?: string
  /** The id by which webhooks refer to the call. Default: a UUID, with a receiver. */
  operationId?: string
  /** Whether to follow the task to its end. Default true. */
  wait?: boolean
  /** The total time of the call, in milliseconds. Default 15 minutes; 60 seconds without `wait`. */
  timeoutMs?: number
  /** The time between two polls, in milliseconds. Default 2 s, growing to 30 s; 2 min with a receiver. */
  pollIntervalMs?: number
  /** Total number of attempts at a request, if repeating is safe and may help. Default 3. */
  attempts?: number
  signal?: AbortSignal
  /** Called with the status of the task while it is followed. */
  onProgress?(progress: CallProgress): void
  /**
   * Answers a task's request for input. Undefined ends the call with status input-required; `wait` means that
   * someone else answers, and the task is still followed. Default undefined.
   */
  onInputRequired?(requested: InputRequired): Promise<Record<string, unknown> | 'wait' | undefined>
}

/** The state of a task, or what went wrong while it was polled. */
export interface CallProgress {
  by: UpdateSource
  status?: string
  message?: string
  taskId?: string
  /** As the agent sent it, such as `percentage`. */
  progress?: Record<string, unknown>
  /** An error on the way that did not end the call. */
  fault?: string
}

/** What a task waits for. */
export interface InputRequired {
  task: string
  taskId?: string
  reason?: string
  message?: string
  body: Record<string, unknown>
}

/** With the name of a protocol task, the answer has that task's type. */
export interface CallAgentOptions<T extends string = string> extends AgentOptions, CallOptions {
  task: T
  params?: RequestOf<T>
}

/** A call that was started earlier, perhaps by another process. */
export interface ResumeOptions<T extends string = string>
  extends AgentOptions,
    Omit<CallOptions, 'idempotencyKey' | 'attempts'> {
  task: T
  /** The agent's id for the task. With it the task is polled. */
  taskId?: string
  /**
   * The operation id that was registered for the call. With it and a receiver its webhook is found, or waited for.
   */
  operationId?: string
}
