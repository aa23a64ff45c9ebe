// What a caller says: about the agent, and about one call of it.

import type { PushNotificationConfig } from '../protocol/schemas/push-notification-config.ts'
import type { Transport } from '../protocol/task.ts'
import type { ClientFetch, RequestSigner } from '../transports/client.ts'
import type { RequestOf } from './known-tasks.ts'
import type { OutcomeConflict, UpdateSource } from './outcome.ts'

export interface AgentOptions {
  /** The agent's address: its own, that of one of its transports, or of its agent card. */
  agentUrl: string
  /** Default: by the shape of the address, else found out. */
  transport?: Transport
  /** A bearer key. It is sent to the origin of `agentUrl` and to no other. */
  auth?: string
  /** Signs every request. Default none is signed. */
  signer?: RequestSigner
  /**
   * How requests leave. It must follow no redirect. Default: by a guard that reaches public addresses by
   * https alone, unless `allowPrivate` says otherwise.
   */
  fetch?: ClientFetch
  /**
   * Networks that may be reached although they are not public, by http too: CIDRs, or true for this
   * machine (127.0.0.0/8 and ::1). Default none. Not for use with `fetch`.
   */
  allowPrivate?: boolean | readonly string[]
  /** Where the agent sends its webhooks. Default: none, and tasks are polled. */
  receiver?: CallReceiver
  /** Release of the protocol to request, such as 3.1. Default: the call names none. */
  version?: string
  /** Default proto. */
  protocolName?: string
  /**
   * Whether answers are held against the protocol's schemas: `lenient` lets members pass that it does not
   * know, `strict` does not. Default lenient.
   */
  check?: 'lenient' | 'strict' | 'none'
  /** Hears of an end that differs from the one that counts. */
  onConflict?(conflict: OutcomeConflict): void
}

/** Where webhooks come in; `{ urlFor: () => url, waitFor: receiver.waitFor }` with `adwire/receiver`. */
export interface CallReceiver {
  /** What is registered for a call: a URL, or all of the registration. */
  urlFor(call: { operationId: string; task: string }): string | PushNotificationConfig
  /**
   * Resolves with the webhook that reported the end of the operation, already received or yet to come; with undefined
   * when the signal aborts.
   */
  waitFor(
    operationId: string,
    options: { signal: AbortSignal; sender?: string },
  ): Promise<ReceivedWebhook | undefined>
  /** Only what this sender said counts. Default any that the receiver trusts. */
  sender?: string
}

/** A webhook that was verified, as `adwire/receiver` gives it. */
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
  /** What webhooks name the call by. Default: a UUID, with a receiver. */
  operationId?: string
  /** Whether to follow the task to its end. Default true. */
  wait?: boolean
  /** The whole time of the call, in milliseconds. Default 15 minutes; 60 seconds without `wait`. */
  timeoutMs?: number
  /** The time between two polls, in milliseconds. Default 2 s, growing to 30 s; 2 min with a receiver. */
  pollIntervalMs?: number
  /** Attempts at a request in all, where repeating is safe and may help. Default 3. */
  attempts?: number
  signal?: AbortSignal
  /** Hears how the task stands while it is followed. */
  onProgress?(progress: CallProgress): void
  /**
   * Answers a task's request for input. Undefined ends the call with status input-required; `wait` leaves the answer
   * to somebody else and keeps following the task. Default undefined.
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
  /** What went wrong on the way, and was borne. */
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

/** With the name of a task of the protocol, its answer is typed by it. */
export interface CallAgentOptions<T extends string = string> extends AgentOptions, CallOptions {
  task: T
  params?: RequestOf<T>
}

/** A call that was begun earlier, perhaps by another process. */
export interface ResumeOptions<T extends string = string>
  extends AgentOptions,
    Omit<CallOptions, 'idempotencyKey' | 'attempts'> {
  task: T
  /** What the agent named the task. With it the task is polled. */
  taskId?: string
  /** What was registered for the call. With it and a receiver its webhook is found, or waited for. */
  operationId?: string
}
