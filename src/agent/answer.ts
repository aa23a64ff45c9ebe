// How a call ends, for every transport alike: a body that is the same everywhere, and what a transport needs to
// know to send it (spec 3.2, 7).

import { z } from 'zod'
import { defined } from '../lib/defined.ts'
import { isNestedTooDeep } from '../lib/nesting.ts'
import { stringifyKeeping, stringifyKeepingPaced } from '../lib/verbatim-json.ts'
import { boundedErrors } from '../protocol/error-limits.ts'
import type { ErrorCode, TaskError } from '../protocol/errors.ts'
import type { Identifiers } from '../protocol/identifiers.ts'
import { writerOf } from '../protocol/own-json.ts'
import type { Version } from '../protocol/releases/release-table.ts'
import { hasFeature } from '../protocol/releases/releases.ts'
import type { Accepted, AnyTask, Prepared, TaskArea } from '../protocol/task.ts'

export type Answer = Done | Failed

export interface Done {
  ok: true
  /** The status of the call itself: unless it is `completed`, the work continues and there is a task_id. */
  callStatus: 'completed' | Accepted['status']
  body: Readonly<Record<string, unknown>>
  /** The body as JSON: serialized once, even where the handler had most of it ready. */
  json(): string
  /** The same in UTF-8, for a transport that sends it unchanged. */
  bytes(): Buffer
  /** Serializes a large body in slices; false when it would be longer than `maxChars`. */
  writePaced(maxChars: number): Promise<boolean>
}

export interface Failed {
  ok: false
  code: ErrorCode
  body: Readonly<Record<string, unknown>>
  json(): string
  bytes(): Buffer
  writePaced(maxChars: number): Promise<boolean>
  retryAfterSeconds?: number
}

/** What every answer repeats from the request. */
export interface Echo {
  context?: unknown
  context_id?: unknown
  version?: Version
  /** Of a 3.x call that changes something: 3.x callers read it in the answer. */
  idempotency_key?: string
  /** Information for the caller; no program reads these members. */
  notes?: string[]
}

/** A context that is nested too deeply is omitted, since it could not be serialized. */
export function echoOf(request: unknown): Echo {
  if (typeof request !== 'object' || request === null) return {}
  const { context, context_id } = request as Record<string, unknown>
  return { ...defined({ context: isNestedTooDeep(context) ? undefined : context }), context_id }
}

const ACCEPTED = ['submitted', 'working', 'input-required'] as const satisfies Accepted['status'][]

export interface DoneOptions {
  identifiers: Identifiers
  /** Whether `status` is that of another task, the one the request was about. Default false. */
  isAboutTask?: boolean
  /** Whether a completed answer omits its status. Default false. */
  hasNoStatus?: boolean
  /** The response's own members, when the handler keeps them ready. */
  prepared?: Prepared<object>
}

export function doneAnswer(
  response: object,
  echo: Echo,
  { identifiers, isAboutTask = false, hasNoStatus = false, prepared }: DoneOptions,
): Done {
  const { status = 'completed', ...members } = response as Record<string, unknown>
  const own = extOf(echo, members.ext)
  const isSilent = hasNoStatus && status === 'completed'
  const envelope = { ...(isSilent ? {} : { status }), ...echoed(echo, identifiers), ...own }
  const body = { ...envelope, ...members, ...own }
  // A response with its own `ext` cannot be joined with another.
  const mayJoin = !(own.ext && Object.hasOwn(members, 'ext'))
  const write = mayJoin ? writerOf(response) : undefined
  return {
    ok: true,
    callStatus: ACCEPTED.find((accepted) => !isAboutTask && accepted === status) ?? 'completed',
    body,
    ...(mayJoin && prepared
      ? joined(jsonOf(envelope), prepared)
      : write
        ? writtenByItself(() => write(`${jsonOf(envelope).slice(0, -1)},`))
        : writtenOf(body)),
  }
}

/** Whether the answers of a task contain the status of the task that was queried. */
export function isAboutTask({
  response,
  hasNoStatus = false,
}: Pick<AnyTask, 'response' | 'hasNoStatus'>): boolean {
  if (hasNoStatus) return false
  return response instanceof z.ZodObject && Object.hasOwn(response.shape, 'status')
}

type Texts = Pick<Done, 'json' | 'bytes' | 'writePaced'>

/** The context is serialized exactly as it was sent. */
function jsonOf(body: Readonly<Record<string, unknown>>): string {
  return stringifyKeeping(body, 'context')
}

/** A response that writes itself needs no pacing: it only joins texts that already exist. */
function writtenByItself(write: () => string): Texts {
  const texts = written(write)
  return { ...texts, writePaced: async (maxChars) => texts.json().length <= maxChars }
}

function writtenOf(body: Readonly<Record<string, unknown>>): Texts {
  return written(
    () => jsonOf(body),
    (maxChars) => stringifyKeepingPaced(body, 'context', maxChars),
  )
}

function written(
  write: () => string,
  writePaced: (maxChars: number) => Promise<string | undefined> = async () => write(),
): Texts {
  let text: string | undefined
  const json = () => {
    text ??= write()
    return text
  }
  return {
    json,
    bytes: () => Buffer.from(json()),
    writePaced: async (maxChars) => {
      text ??= await writePaced(maxChars)
      return text !== undefined
    },
  }
}

/** The last envelope that preceded a prepared response: nearly always the next one's too. */
const lastJoined = new WeakMap<Prepared<object>, { head: string; texts: Texts }>()

/** `{"a":1}` and `{"b":2}` as one object, without parsing either. */
function join(head: string, json: string): string {
  return json === '{}' ? head : `${head.slice(0, -1)},${json.slice(1)}`
}

function joined(head: string, prepared: Prepared<object>): Texts {
  const last = lastJoined.get(prepared)
  if (last?.head === head) return last.texts
  const text = join(head, prepared.json)
  let bytes: Buffer | undefined
  const texts = {
    json: () => text,
    bytes: () => {
      bytes ??= Buffer.from(text)
      return bytes
    },
    writePaced: async (maxChars: number) => text.length <= maxChars,
  }
  lastJoined.set(prepared, { head, texts })
  return texts
}

/**
 * Refused before the request is read: nothing of the request is echoed, so that a refusal stays small whatever was
 * sent. The requested task may be unknown, so the answer has the form of every area.
 */
export function refusedAnswer(error: TaskError, identifiers: Identifiers): Failed {
  return failedAnswer([error], identifiers, { area: 'creative' })
}

interface FailedOptions {
  /** Default: nothing of the request. */
  echo?: Echo
  /** Of the task, if it is known. */
  area?: TaskArea | undefined
}

export function failedAnswer(
  failures: readonly [TaskError, ...TaskError[]],
  identifiers: Identifiers,
  { echo = {}, area }: FailedOptions = {},
): Failed {
  const errors = boundedErrors(failures)
  const [first] = errors
  const { code, message, recovery } = first
  const { version } = echo
  const hasRecovery = version !== undefined && hasFeature(version, 'recovery_of_every_error')
  const error = { code, message, ...defined({ recovery: hasRecovery ? recovery : undefined }) }
  const body = {
    status: 'failed',
    ...defined({ error: area === 'creative' ? error : undefined }),
    errors,
    [identifiers.errorMember]: first,
    ...echoed(echo, identifiers),
    ...extOf(echo),
  }
  return {
    ok: false,
    code: first.code,
    body,
    ...writtenOf(body),
    ...defined({ retryAfterSeconds: first.retry_after }),
  }
}

function echoed(echo: Echo, identifiers: Identifiers): Record<string, unknown> {
  const { context, context_id, version, idempotency_key } = echo
  return {
    ...defined({
      [identifiers.versionMember]: version ? version.release : undefined,
      context: isObject(context) ? context : undefined,
      context_id: typeof context_id === 'string' ? context_id : undefined,
      idempotency_key,
    }),
  }
}

interface OwnExt {
  request_notes?: readonly string[]
}

/** Notes are added to `ext`, next to what the response already has there. */
function extOf({ notes = [] }: Echo, own?: unknown): { ext?: object } {
  if (notes.length === 0) return {}
  const { request_notes: ownNotes = [], ...others } = isObject(own) ? (own as OwnExt) : {}
  return { ext: { ...others, request_notes: [...ownNotes, ...notes] } }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
