// What a request of get_signals finds (spec 4.3), before it is serialized: used by the task and by the operator's
// console.

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
import type { GetSignalsRequest } from '../protocol/schemas/get-signals.ts'
import type { CallContext } from '../protocol/task.ts'
import type { AccountRule, Rights } from './access.ts'
import type { ActivationStore, GrantStore } from './activation-store.ts'
import { asksForAll } from './asks-for-all.ts'
import type { Viewer } from './deployments.ts'
import { type FillPorts, type FoundPage, type FoundSignal, fillPage } from './fill-page.ts'
import type { SearchAnswer, SearchQuery } from './matching/query.ts'
import { omittedNotes } from './omitted-notes.ts'

export interface FindPorts extends FillPorts {
  activations: Pick<ActivationStore, 'find'>
  grants: Pick<GrantStore, 'of'>
  /** Default granted. */
  accounts?: AccountRule | undefined
  anyPlatform?: boolean | undefined
  clock: Clock
}

/** Who asks. */
interface Asker extends Pick<CallContext, 'principal' | 'account' | 'signal'> {
  /** Whether the caller is the operator, who sees the whole catalogue. Default false. */
  seesAll?: boolean
}

export interface FindOptions {
  asker: Asker
  /** Only these signals. Default all. */
  among?: readonly string[] | undefined
  /** Default number of results, if the request does not specify one. */
  byDefault: number
  /** The state of the paginated list, where a change of it in the meantime is reported. */
  state?: string | undefined
}

export interface Findings {
  query: Query
  targets: SignalTargets
  rights: Rights
  page: FoundPage
  /** The cursor of the next page, if there is one. */
  cursor: string | undefined
  /** Whether the list has changed since the previous page. */
  hasMoved: boolean
  /** For people: how many there are, and what the filters excluded. */
  message: string
}

type Query = Omit<SearchQuery, 'limit' | 'offset'>

export async function findSignals(
  ports: FindPorts,
  request: GetSignalsRequest,
  { asker, among, byDefault, state }: FindOptions,
): Promise<Findings> {
  const { principal, seesAll = false } = asker
  const targets = signalTargets(request)
  limitTargets(targets)
  const query = queryOf(request, targets, { asker, among })
  const { offset, seen } = placeOf(query, request.pagination?.cursor, state)
  const limit = maxResults(request, byDefault)

  const grants = principal ? await ports.grants.of(principal.principal_id) : []
  const { accounts, anyPlatform } = ports
  const rights = { caller: principal, grants, accounts, anyPlatform }
  const viewerOf = async (ids: readonly string[]): Promise<Viewer> => ({
    ...rights,
    seesAll,
    activations: principal ? await ports.activations.find(principal.principal_id, ids) : [],
    now: ports.clock.now(),
  })
  const page: FoundPage = isHopeless(query)
    ? { found: [], total: 0, next: undefined }
    : await fillPage(
        ports,
        { query, limit, offset, targets: targets.deployments },
        { call: asker, viewerOf },
      )
  const reported = [
    messageOf(page.found, page, query.signal_spec),
    ...omittedNotes(page.omitted, query),
  ]
  return {
    query,
    targets,
    rights,
    page,
    message: reported.join('; '),
    hasMoved: seen !== state,
    cursor: page.next === undefined ? undefined : cursorAt(query, page.next, state),
  }
}

/** spec 4.3: several members can name targets; they are combined. */
function limitTargets({ deployments }: SignalTargets): void {
  if (deployments === 'any' || deployments.length <= MAX_DEPLOYMENTS) return
  const message = `${deployments.length} targets given; at most ${MAX_DEPLOYMENTS} are accepted across all fields`
  throw new ProtocolError('INVALID_REQUEST', message, { field: '/deliver_to/deployments' })
}

function queryOf(
  request: GetSignalsRequest,
  { deployments, countries }: SignalTargets,
  { asker, among }: Pick<FindOptions, 'asker' | 'among'>,
): Query {
  const { principal, seesAll = false } = asker
  const { catalog_types, data_providers, max_cpm, currency, max_percent } = request.filters ?? {}
  const { min_coverage_percentage } = request.filters ?? {}
  const wanted = nonEmpty(catalog_types)
  // Without a key, only signals licensed to everyone are offered.
  const types =
    principal || seesAll
      ? wanted
      : (wanted ?? ['marketplace']).filter((one) => one === 'marketplace')
  return {
    ...defined({ signal_spec: soughtIn(request), among }),
    ...defined({
      principal: principal
        ? { principal_id: principal.principal_id, name: principal.name }
        : undefined,
      seesAll: seesAll ? (true as const) : undefined,
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

/** The text to search for; undefined if the whole list is requested. */
function soughtIn(request: GetSignalsRequest): string | undefined {
  const spec = signalSpec(request)
  return spec === undefined || spec.trim() === '' || asksForAll(spec) ? undefined : spec
}

/** An empty list does not limit anything. */
function nonEmpty<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list && list.length > 0 ? list : undefined
}

/** Whether nothing can be found, so that the search can be skipped. */
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
      ? 'no signal passes the filters: use fewer filters, other targets or other countries'
      : 'no signal matches: rephrase the audience, or use fewer filters, other targets or other countries'
  }
  const count = total === 1 ? '1 signal' : `${total} signals`
  return spec === undefined
    ? `${count} in all`
    : `${count} found; the best match is ${first.signal.name}`
}

/** Where the next page starts, and the state of the list at that time; 0 is the first page, which needs no cursor. */
function placeOf(
  query: Query,
  cursor: string | undefined,
  state: string | undefined,
): { offset: number; seen: string | undefined } {
  if (cursor === undefined) return { offset: 0, seen: state }
  const place =
    state === undefined
      ? pageAfter(listOf(query), cursor, ['integer'])
      : pageAfter(listOf(query), cursor, ['integer', 'text'])
  const [offset = 0, seen] = place ?? []
  if (offset <= 0) throw noCursor()
  return { offset, seen }
}

function cursorAt(query: Query, next: number, state: string | undefined): string {
  return cursorOf(listOf(query), [next, ...(state === undefined ? [] : [state])])
}

/** A cursor is only valid for the query that returned it. */
function listOf(query: Query): string {
  const digest = createHash('sha256').update(canonicalJson(query)).digest('base64url')
  return `get_signals ${digest.slice(0, 16)}`
}
