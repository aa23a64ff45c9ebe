// A task as it is in the table: its names, its shapes, who may call it, and what it does. Every transport, the
// capabilities, the schemas and the OpenAPI description are derived from this (spec 4.2, 4.3).

import type { z } from 'zod'
import type { ErrorCode, Issue, ProtocolError } from './errors.ts'
import type { Version } from './releases/release-table.ts'
import type { FeatureName } from './releases/releases.ts'

/** How a call came. */
export type Transport = 'http' | 'mcp' | 'a2a'

/** Which part of the protocol a task belongs to; creative tasks also carry `error` (spec 7.1). */
export type TaskArea = 'creative' | 'signals' | 'media-buy' | 'tasks' | 'protocol'

/** Who calls a task. */
export interface Caller {
  principal_id: string
  name: string
  scopes: readonly string[]
}

/** Who calls a task, how, and the deadline. */
export interface CallContext {
  /** Undefined for a public task called without a key. */
  principal: Caller | undefined
  transport: Transport
  version: Version
  /** Who the call is counted against: its principal, or the client address if there is no key. Default unknown. */
  account?: string | undefined
  /** The origin this server was called on, without a path: one of the server's own names. */
  calledOn: string
  /** How many servers the call passed through, each calling the next. Default 0. */
  hops?: number | undefined
  /** Aborted when the caller has gone or the deadline has passed. */
  signal: AbortSignal
  /**
   * Adds a sentence to the request notes in the response's `ext`: an id that does not exist. Default: notes are
   * dropped.
   */
  note?: ((sentence: string) => void) | undefined
  /** What the transport has arranged for work that is accepted for later. Default: nothing. */
  deferred?: Deferred | undefined
}

/** What a transport has arranged for work that continues after the call. */
export interface Deferred {
  /** The id by which the caller identifies the work. */
  task_id: string
  /** Whether the transport has registered where to report the work. */
  hasWebhook: boolean
  /** Whether the caller polls the task by its id from the start, so that no one waits for its end. Default false. */
  isFollowed?: boolean
  /** The conversation, where the transport has one and the request names none. */
  context_id?: string
  /** How long the transport waits for work that may continue later, in milliseconds. Default: the task's own wait. */
  waitMs?: number
}

/** Accepted for later: the response has a task to poll and no result (spec 3.2). */
export interface Accepted {
  status: 'submitted' | 'working' | 'input-required'
  task_id: string
  message?: string
}

/** The cost of a call, in units of about one row or one kilobyte, and the maximum for one call. */
export interface TaskCost<Request> {
  /** What the work grows with, in the words of docs/limits.md: `windows × packages`. */
  grows: string
  /** The most units of one call. */
  limit: number
  /** The units of this call. Runs after the request has been validated against its schema, and before the work. */
  estimate(request: Request, call: CallContext): number | Promise<number>
  /**
   * Which member to change so that the call is accepted, and how. Default: none, because the estimate is constant.
   */
  reduce?: { field: string; advice: string }
}

/** A task as the table holds it. */
export interface Task<Request = unknown, Response extends object = object> {
  /** The transport name, in snake_case. */
  name: string
  /** Further names of the same task. */
  aliases?: readonly string[]
  summary: string
  area: TaskArea
  /** Lenient: unknown members are allowed. The table adds the members that every request may have. */
  request: z.ZodType<Request>
  response: z.ZodType<Response>
  /** `public` needs no key; a scope needs a key that has it. */
  access: 'public' | 'tasks' | 'operator' | 'call-agents'
  /** Who may know that the task exists: it is hidden from everyone else. Default everyone. */
  isKnownTo?(principal: Caller | undefined): boolean
  /** Why a caller may not use the task at all, with or without a key, whatever it requests. Default: it may. */
  refusedTo?(
    principal: Pick<Caller, 'principal_id' | 'name'> | undefined,
  ): ProtocolError | undefined
  /**
   * What callers of a release must have for the task to exist. A call that names no release is answered in the first
   * release that has the task. Default: every release has it.
   */
  feature?: FeatureName
  /** Whether the protocol defines no `status` for its completed responses. Default false. */
  hasNoStatus?: boolean
  /** Members of its request that are secrets: they are ignored when requests are compared. */
  secretMembers?: readonly string[]
  /** Whether it changes something, so that an idempotency key is honoured and 3.x calls need one. */
  changes: boolean
  /** Members that only a 3.x caller sends: a call with one of them is a 3.x call (spec 9). */
  newerMembers?: readonly string[]
  /** What is required of a call beyond the schema, depending on the generation it uses. */
  alsoRequired?(request: Readonly<Record<string, unknown>>, version: Version): readonly Issue[]
  /** The code for a request refused with these issues, if it is not INVALID_REQUEST. */
  refusalFor?(
    issues: readonly Issue[],
    request: Readonly<Record<string, unknown>>,
  ): ErrorCode | undefined
  /** How the work of a call grows, and how much work one call may cause. */
  cost: TaskCost<NoInfer<Request>>
  /** Largest request. Default: the server's body limit. */
  bodyLimitBytes?: number
  /** Largest request without a key, of a public task. Default: the server's limit for those. */
  keylessBodyBytes?: number
  handle(request: Request, call: CallContext): Promise<Response | Accepted | Prepared<Response>>
}

/** A response with its JSON cached, because many callers receive the same one. */
export interface Prepared<Response> {
  readonly kind: typeof PREPARED
  value: Response
  json: string
}

const PREPARED = Symbol('prepared')

export function prepare<Response extends object>(value: Response): Prepared<Response> {
  return { kind: PREPARED, value, json: JSON.stringify(value) }
}

export function isPrepared(response: object): response is Prepared<object> {
  return (response as { kind?: unknown }).kind === PREPARED
}

/** A task with its types erased, for the table. */
// biome-ignore lint/suspicious/noExplicitAny: the table holds tasks of every request and response
export type AnyTask = Task<any, any>

/** A task for the table, with the types of its request and response taken from its schemas. */
export function defineTask<Request, Response extends object>(
  task: Task<Request, Response>,
): Task<Request, Response> {
  return task
}
