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

/** Who calls a task, how, and until when. */
export interface CallContext {
  /** Undefined for a public task called without a key. */
  principal: Caller | undefined
  transport: Transport
  version: Version
  /** Whom the call is counted against: its principal, or its address without a key. Default unknown. */
  account?: string | undefined
  /** The address this server was called on, without a path: one of its own names. */
  calledOn: string
  /** How many servers the call came through, each calling the next. Default 0. */
  hops?: number | undefined
  /** Aborted when the caller has gone or the deadline has passed. */
  signal: AbortSignal
  /** Adds a sentence to the notes on the request, in the answer's `ext`: an id that names nothing. Default: nobody reads it. */
  note?: ((sentence: string) => void) | undefined
  /** What the transport has settled for work that is accepted for later. Default: nothing. */
  deferred?: Deferred | undefined
}

/** What a transport has arranged for work that continues after the call. */
export interface Deferred {
  /** The id that the caller knows the work by. */
  task_id: string
  /** Whether the transport has registered where to report it. */
  hasWebhook: boolean
  /** Whether the caller follows the task by its id from the beginning: nobody waits for its end. Default false. */
  isFollowed?: boolean
  /** The conversation, where the transport has one and the request names none. */
  context_id?: string
  /** How long the transport waits for work that may go on, in milliseconds. Default: as long as the task has it wait. */
  waitMs?: number
}

/** Accepted for later: the answer has a task to poll and no result (spec 3.2). */
export interface Accepted {
  status: 'submitted' | 'working' | 'input-required'
  task_id: string
  message?: string
}

/** What a call costs, in units of about one row or one kilobyte, and the most that one call may cost. */
export interface TaskCost<Request> {
  /** What the work grows with, as docs/limits.md says it: `windows × packages`. */
  grows: string
  /** The most units of one call. */
  limit: number
  /** The units of this call. Runs after the request fits its schema, and before the work. */
  estimate(request: Request, call: CallContext): number | Promise<number>
  /** Which member to change so that the call is accepted, and how. Default: of no use, the estimate is constant. */
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
  /** Lenient: unknown members pass. The members every request may have are added by the table. */
  request: z.ZodType<Request>
  response: z.ZodType<Response>
  /** `public` needs no key; a scope needs a key that has it. */
  access: 'public' | 'tasks' | 'operator' | 'call-agents'
  /** Who knows that there is such a task: to others nothing names it. Default everybody. */
  isKnownTo?(principal: Caller | undefined): boolean
  /** Why a caller may not use it at all, with a key or without, whatever it asks. Default: it may. */
  refusedTo?(
    principal: Pick<Caller, 'principal_id' | 'name'> | undefined,
  ): ProtocolError | undefined
  /**
   * What callers of a release must have for there to be such a task. A call that names no release is answered in the
   * first one that has it. Default: every release has the task.
   */
  feature?: FeatureName
  /** Whether the protocol has no `status` in its answers when they are complete. Default false. */
  hasNoStatus?: boolean
  /** Members of its request that are secrets: they count for nothing when requests are compared. */
  secretMembers?: readonly string[]
  /** Whether it changes something, so that an idempotency key is honoured and 3.x calls need one. */
  changes: boolean
  /** Members that only a 3.x caller sends: with one of them, the call is one (spec 9). */
  newerMembers?: readonly string[]
  /** What is required of a call beyond the schema, by what it speaks. */
  alsoRequired?(request: Readonly<Record<string, unknown>>, version: Version): readonly Issue[]
  /** The code for a request refused with these issues, where it is not INVALID_REQUEST. */
  refusalFor?(
    issues: readonly Issue[],
    request: Readonly<Record<string, unknown>>,
  ): ErrorCode | undefined
  /** How the work of a call grows, and how much of it one call may cause. */
  cost: TaskCost<NoInfer<Request>>
  /** Largest request. Default: the server's body limit. */
  bodyLimitBytes?: number
  /** Largest request without a key, of a public task. Default: the server's limit for those. */
  keylessBodyBytes?: number
  handle(request: Request, call: CallContext): Promise<Response | Accepted | Prepared<Response>>
}

/** A response whose JSON is kept ready, because the same one is given to many callers. */
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

/** A task with its types forgotten, for the table. */
// biome-ignore lint/suspicious/noExplicitAny: the table holds tasks of every request and response
export type AnyTask = Task<any, any>

/** A task for the table, with the types of its request and response taken from its schemas. */
export function defineTask<Request, Response extends object>(
  task: Task<Request, Response>,
): Task<Request, Response> {
  return task
}
