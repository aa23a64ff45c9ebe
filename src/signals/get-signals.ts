// `get_signals`: finds audience signals by a free-text description, by reference, or all of them (spec 4.3), and
// returns the state of each on the requested targets.

import { defined } from '../lib/defined.ts'
import { hasFeature } from '../protocol/releases/releases.ts'
import { getSignalsRequires, NEWER_MEMBERS } from '../protocol/schemas/generation-rules.ts'
import {
  DEFAULT_RESULTS,
  type GetSignalsRequest,
  type GetSignalsResponse,
  getSignalsRequest,
  getSignalsResponse,
} from '../protocol/schemas/get-signals.ts'
import { type CallContext, defineTask, type Task } from '../protocol/task.ts'
import { constantCost } from '../protocol/task-cost.ts'
import { type AgentAccess, authenticationOf } from './access.ts'
import type { ActivationStore } from './activation-store.ts'
import type { FoundPage } from './fill-page.ts'
import { type FindPorts, findSignals } from './find-signals.ts'
import { lookUpNames } from './look-up-names.ts'
import { missingTargets } from './missing-targets.ts'
import { type NotHonoured, notHonoured, notHonouredNotes } from './not-honoured.ts'
import { omittedNote } from './omitted-notes.ts'
import { type KeylessLimits, limitKeyless, searchCallerOf } from './search/search-caller.ts'
import { serializeSignal } from './serialize-signal.ts'
import type { SignalStore } from './store.ts'
import { targetNotes } from './target-notes.ts'

export interface GetSignalsPorts extends FindPorts {
  agentAccess: AgentAccess
  signals: Pick<SignalStore, 'get' | 'ids' | 'latest'>
  /** What callers without a key may request. Default: the same as callers with a key. */
  keyless?: KeylessLimits | undefined
  activations: Pick<ActivationStore, 'find' | 'lastChange'>
  /** Whether callers without a key are served. Default true. */
  anonymous?: boolean | undefined
  /** Evaluated at each call: the value is unknown before the server listens. */
  publicUrl: () => string
  onSearch?: ((report: SearchReport) => void) | undefined
}

export interface SearchReport {
  mode: Mode
  found: number
  duration_ms: number
}

type Mode = 'words' | 'lookup' | 'wholesale'
type Response = GetSignalsResponse & { message?: string }

/** Page size for the whole list, unless the caller specifies one. */
const WHOLESALE_RESULTS = 50

export function getSignals(ports: GetSignalsPorts): Task<GetSignalsRequest, Response> {
  return defineTask<GetSignalsRequest, Response>({
    name: 'get_signals',
    summary: 'Finds audience signals by a natural-language description, for the given targets',
    area: 'signals',
    access: ports.anonymous === false ? 'tasks' : 'public',
    ...authenticationOf(ports.agentAccess),
    changes: false,
    newerMembers: NEWER_MEMBERS.get_signals,
    alsoRequired: getSignalsRequires,
    request: getSignalsRequest,
    response: getSignalsResponse,
    cost: constantCost(500, 'signals of a page; the search itself runs in a thread'),
    handle: async (request, call) => {
      if (ports.keyless) limitKeyless(request, searchCallerOf(call), ports.keyless)
      for (const note of targetNotes(request)) call.note?.(note)
      const started = performance.now()
      const mode = modeOf(request)
      const response = await answerOf(ports, request, call)
      const duration_ms = performance.now() - started
      ports.onSearch?.({ mode, found: response.signals?.length ?? 0, duration_ms })
      return response
    },
  })
}

function modeOf({ discovery_mode, signal_ids, signal_refs }: GetSignalsRequest): Mode {
  if (discovery_mode === 'wholesale') return 'wholesale'
  return signal_ids || signal_refs ? 'lookup' : 'words'
}

async function answerOf(
  ports: GetSignalsPorts,
  request: GetSignalsRequest,
  call: CallContext,
): Promise<Response> {
  const mode = modeOf(request)
  const feed = mode === 'wholesale' ? await feedOf(ports, call) : undefined
  if (feed && isUnchanged(request, feed)) return unchanged(feed, call)

  const named = mode === 'lookup' ? await lookUpNames(request, call, ports) : undefined
  const { principal } = call
  const ignored = notHonoured(request, call)
  const { query, targets, rights, page, cursor, message, hasMoved } = await findSignals(
    ports,
    request,
    {
      asker: call,
      among: named?.ids,
      byDefault: feed ? WHOLESALE_RESULTS : (named?.ids.length ?? 0) || DEFAULT_RESULTS,
      ...defined({ state: feed?.wholesale_feed_version }),
    },
  )
  const signals = page.found.map(({ signal, hit, deployments }) =>
    serializeSignal(signal, {
      caller: principal,
      deployments,
      agentUrl: ports.publicUrl(),
      hit: query.signal_spec === undefined ? undefined : hit,
      max_cpm: query.max_cpm,
      currency: query.currency,
      fields: request.fields,
      version: call.version,
    }),
  )
  const errors = [
    ...(named?.errors ?? []),
    ...missingTargets(page.found, targets, { request, rights }),
  ]
  return {
    signals,
    ...defined({ errors: errors.length > 0 ? errors : undefined }),
    pagination: {
      has_more: cursor !== undefined,
      ...defined({ cursor }),
      total_count: page.total,
    },
    ...(hasFeature(call.version, 'scope_of_caches') ? { cache_scope: scopeFor(call) } : {}),
    ...feed,
    ...(hasMoved ? { incomplete: [MOVED] } : {}),
    ...notesOf(page, ignored),
    message: [message, ...notHonouredNotes(ignored)].join('; '),
  }
}

/** Signals that moved between two pages may appear on both, or on neither. */
const MOVED = {
  scope: 'wholesale_feed' as const,
  description:
    'the list changed since the previous page: restart without a cursor to get all of it',
}

/** The machine-readable form of `message`. */
function notesOf(
  { corrected, omitted }: FoundPage,
  ignored: readonly NotHonoured[],
): Pick<GetSignalsResponse, 'ext'> {
  const ext = {
    ...defined({
      corrected: corrected ? [...corrected] : undefined,
      left_out: omitted ? omittedNote(omitted) : undefined,
      not_honoured: ignored.length > 0 ? [...ignored] : undefined,
    }),
  }
  return Object.keys(ext).length > 0 ? { ext } : {}
}

type Feed = Pick<GetSignalsResponse, 'wholesale_feed_version' | 'pricing_version' | 'cache_scope'>

/** Changes with the catalogue, and with the caller's activations, which the list includes. */
async function feedOf({ signals, activations }: GetSignalsPorts, call: CallContext): Promise<Feed> {
  const { principal } = call
  const own = principal ? `-a${await activations.lastChange(principal.principal_id)}` : ''
  const version = `c${await signals.latest()}${own}`
  const cache_scope = scopeFor(call)
  return { wholesale_feed_version: version, pricing_version: version, cache_scope }
}

/** A caller with a key receives its own prices, catalogue and activations. */
function scopeFor({ principal }: CallContext): 'public' | 'account' {
  return principal ? 'account' : 'public'
}

function unchanged(feed: Feed, { version }: CallContext): Response {
  const list = hasFeature(version, 'lists_of_nothing') ? { signals: [] } : {}
  return { ...list, unchanged: true, ...feed }
}

function isUnchanged(request: GetSignalsRequest, feed: Feed): boolean {
  const { if_wholesale_feed_version: known, if_pricing_version: prices } = request
  if (known !== feed.wholesale_feed_version) return false
  return prices === undefined || prices === feed.pricing_version
}
