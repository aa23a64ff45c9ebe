// `get_signals`: finds audience signals by a description in plain words, by reference, or all of them
// (spec 4.3), and says for each how it stands on the targets that were asked for.

import { createHash } from 'node:crypto'
import { canonicalJson } from '../lib/canonical-json.ts'
import type { Clock } from '../lib/clock.ts'
import { defined } from '../lib/defined.ts'
import { cursorOf, noCursor, pageAfter } from '../protocol/cursor.ts'
import { ProtocolError } from '../protocol/errors.ts'
import { MAX_DEPLOYMENTS } from '../protocol/schemas/deployment.ts'
import {
  maxResults,
  type SignalTargets,
  signalSpec,
  signalTargets,
} from '../protocol/schemas/field-map.ts'
import { getSignalsRequires, NEWER_MEMBERS } from '../protocol/schemas/generation-rules.ts'
import {
  DEFAULT_RESULTS,
  type GetSignalsRequest,
  type GetSignalsResponse,
  getSignalsRequest,
  getSignalsResponse,
} from '../protocol/schemas/get-signals.ts'
import { type CallContext, defineTask, type Task } from '../protocol/task.ts'
import { type AccountRule, type AgentAccess, admissionOf } from './access.ts'
import type { ActivationStore, GrantStore } from './activation-store.ts'
import type { Viewer } from './deployments.ts'
import { type FoundPage, type FoundSignal, fillPage } from './fill-page.ts'
import { leftOutNote, toldLeftOut } from './left-out-notes.ts'
import { lookUpNames } from './look-up-names.ts'
import type { SearchAnswer, SearchQuery } from './matching/query.ts'
import { missingTargets } from './missing-targets.ts'
import { type KeylessLimits, limitKeyless, searchCallerOf } from './search/search-caller.ts'
import type { SignalSearch } from './search/signal-search.ts'
import { shownSignal } from './shown-signal.ts'
import type { SignalStore } from './store.ts'

export interface GetSignalsPorts {
  agentAccess: AgentAccess
  signals: Pick<SignalStore, 'get' | 'latest'>
  search: Pick<SignalSearch, 'search'>
  /** What callers without a key may ask for. Default: what the others may. */
  keyless?: KeylessLimits | undefined
  activations: Pick<ActivationStore, 'find' | 'lastChange'>
  grants: Pick<GrantStore, 'of'>
  /** Default granted. */
  accounts?: AccountRule | undefined
  /** Asked at each call: before listening it is unknown. */
  publicUrl: () => string
  clock: Clock
  onSearch?: ((report: SearchReport) => void) | undefined
}

export interface SearchReport {
  mode: Mode
  found: number
  duration_ms: number
}

type Mode = 'words' | 'lookup' | 'wholesale'
type Response = GetSignalsResponse & { message?: string }

/** How many signals a page of the whole list has, unless the caller says. */
const WHOLESALE_RESULTS = 50

export function getSignals(ports: GetSignalsPorts): Task<GetSignalsRequest, Response> {
  return defineTask<GetSignalsRequest, Response>({
    name: 'get_signals',
    summary: 'Finds audience signals by a description in plain words, for the targets named',
    area: 'signals',
    access: 'public',
    ...admissionOf(ports.agentAccess),
    changes: false,
    newerMembers: NEWER_MEMBERS.get_signals,
    alsoRequired: getSignalsRequires,
    request: getSignalsRequest,
    response: getSignalsResponse,
    handle: async (request, call) => {
      if (ports.keyless) limitKeyless(request, searchCallerOf(call), ports.keyless)
      const started = performance.now()
      const mode = modeOf(request)
      const response = await answerOf(ports, request, call, mode)
      const duration_ms = performance.now() - started
      ports.onSearch?.({ mode, found: response.signals.length, duration_ms })
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
  mode: Mode,
): Promise<Response> {
  const feed = mode === 'wholesale' ? await feedOf(ports, call) : undefined
  if (feed && isUnchanged(request, feed)) return { signals: [], unchanged: true, ...feed }

  const named = mode === 'lookup' ? await lookUpNames(request, call, ports) : undefined
  const { principal } = call
  const targets = signalTargets(request)
  limitTargets(targets)
  const query = queryOf(request, targets, principal, named?.ids)
  const offset = offsetOf(query, request.pagination?.cursor)
  const byDefault = feed ? WHOLESALE_RESULTS : (named?.ids.length ?? 0) || DEFAULT_RESULTS
  const limit = maxResults(request, byDefault)

  const grants = principal ? await ports.grants.of(principal.principal_id) : []
  const rights = { caller: principal, grants, accounts: ports.accounts }
  const viewerOf = async (ids: readonly string[]): Promise<Viewer> => ({
    ...rights,
    activations: principal ? await ports.activations.find(principal.principal_id, ids) : [],
    now: ports.clock.now(),
  })
  const page: FoundPage = isHopeless(query)
    ? { found: [], total: 0, next: undefined }
    : await fillPage(ports, { query, limit, offset, targets: targets.deployments }, viewerOf, call)
  const signals = page.found.map(({ signal, hit, deployments }) =>
    shownSignal(signal, {
      caller: principal,
      deployments,
      agentUrl: ports.publicUrl(),
      hit: query.signal_spec === undefined ? undefined : hit,
      max_cpm: query.max_cpm,
      currency: query.currency,
      fields: request.fields,
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
      has_more: page.next !== undefined,
      ...defined({
        cursor: page.next === undefined ? undefined : cursorOf(listOf(query), [page.next]),
      }),
      total_count: page.total,
    },
    ...feed,
    ...notesOf(page),
    message: [
      messageOf(page.found, page, query.signal_spec),
      ...toldLeftOut(page.leftOut, query),
    ].join('; '),
  }
}

/** spec 4.3: the members that name targets are several, and count together. */
function limitTargets({ deployments }: SignalTargets): void {
  if (deployments === 'any' || deployments.length <= MAX_DEPLOYMENTS) return
  const message = `${deployments.length} targets are named, and at most ${MAX_DEPLOYMENTS} may be, in all members together`
  throw new ProtocolError('INVALID_REQUEST', message, { field: '/deliver_to/deployments' })
}

function queryOf(
  request: GetSignalsRequest,
  { deployments, countries }: SignalTargets,
  principal: CallContext['principal'],
  among: readonly string[] | undefined,
): Query {
  const { catalog_types, data_providers, max_cpm, currency, max_percent } = request.filters ?? {}
  const { min_coverage_percentage } = request.filters ?? {}
  const wanted = nonEmpty(catalog_types)
  // Without a key only what is licensed to everybody is offered.
  const types = principal
    ? wanted
    : (wanted ?? ['marketplace']).filter((one) => one === 'marketplace')
  return {
    ...defined({ signal_spec: signalSpec(request), among }),
    ...defined({
      principal: principal
        ? { principal_id: principal.principal_id, name: principal.name }
        : undefined,
    }),
    ...defined({
      catalog_types: types,
      data_providers: nonEmpty(data_providers),
      max_cpm,
      currency: max_cpm === undefined ? undefined : (currency ?? request.currency ?? 'USD'),
      max_percent,
      min_coverage_percentage,
      countries: nonEmpty(countries),
      deployments: deployments === 'any' ? undefined : deployments,
    }),
  }
}

type Query = Omit<SearchQuery, 'limit' | 'offset'>

/** A list without members limits nothing. */
function nonEmpty<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list && list.length > 0 ? list : undefined
}

/** Whether nothing can be found, so that nothing is searched. */
function isHopeless({ catalog_types, among }: Query): boolean {
  return catalog_types?.length === 0 || among?.length === 0
}

function messageOf(
  [first]: readonly FoundSignal[],
  { total }: Pick<SearchAnswer, 'total'>,
  spec: string | undefined,
): string {
  if (!first) {
    return spec === undefined
      ? 'no signal passes: ask for fewer filters, other targets or other countries'
      : 'no signal fits: describe the audience in other words, or ask for fewer filters, other targets or other countries'
  }
  const count = total === 1 ? '1 signal' : `${total} signals`
  return spec === undefined
    ? `${count} in all`
    : `${count} found; the best match is ${first.signal.name}`
}

/** What people are told in `message`, for programs. */
function notesOf({ corrected, leftOut }: FoundPage): Pick<GetSignalsResponse, 'ext'> {
  const ext = {
    ...defined({
      corrected: corrected ? [...corrected] : undefined,
      left_out: leftOut ? leftOutNote(leftOut) : undefined,
    }),
  }
  return Object.keys(ext).length > 0 ? { ext } : {}
}

type Feed = Pick<GetSignalsResponse, 'wholesale_feed_version' | 'pricing_version' | 'cache_scope'>

/** Changes with the catalogue, and with the caller's activations, which the list shows too. */
async function feedOf({ signals, activations }: GetSignalsPorts, call: CallContext): Promise<Feed> {
  const { principal } = call
  const latest = await signals.latest()
  if (!principal) {
    return versions(`c${latest}`, 'public')
  }
  const { principal_id } = principal
  return versions(`c${latest}-a${await activations.lastChange(principal_id)}`, 'account')
}

function versions(version: string, cache_scope: 'public' | 'account'): Feed {
  return { wholesale_feed_version: version, pricing_version: version, cache_scope }
}

function isUnchanged(request: GetSignalsRequest, feed: Feed): boolean {
  const { if_wholesale_feed_version: known, if_pricing_version: prices } = request
  if (known !== feed.wholesale_feed_version) return false
  return prices === undefined || prices === feed.pricing_version
}

/** Where the next page begins; 0 is where the first does, which needs no cursor. */
function offsetOf(query: Query, cursor: string | undefined): number {
  const [offset] = pageAfter(listOf(query), cursor, ['integer']) ?? [0]
  if (cursor !== undefined && offset <= 0) throw noCursor()
  return offset
}

/** A place means something in the answer to one question. */
function listOf(query: Query): string {
  const digest = createHash('sha256').update(canonicalJson(query)).digest('base64url')
  return `get_signals ${digest.slice(0, 16)}`
}
