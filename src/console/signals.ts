// Signals as the operator or one of its principals sees them: found by the search of get_signals, and activated on
// platforms by activate_signal.

import type { PrincipalStore } from '../agent/principals.ts'
import { withDeadline } from '../lib/deadline.ts'
import { defined } from '../lib/defined.ts'
import { isStorable } from '../lib/storable-text.ts'
import { cursorOf, readCursor } from '../protocol/cursor.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { GetSignalsRequest } from '../protocol/schemas/get-signals.ts'
import type { Caller } from '../protocol/task.ts'
import { maySee, type Rights } from '../signals/access.ts'
import type { Activation } from '../signals/activation-state.ts'
import type { StoredSignal } from '../signals/catalogue.ts'
import type { FoundSignal } from '../signals/fill-page.ts'
import { type Findings, type FindPorts, findSignals } from '../signals/find-signals.ts'
import type { SearchHit } from '../signals/matching/query.ts'
import type { SignalSearch } from '../signals/search/signal-search.ts'
import { pricesFor } from '../signals/serialize-signal.ts'
import type { SignalDetails, SignalItem, SignalsPage, SignalsQuery } from './api/signals.ts'
import { iso, type PrincipalNames } from './format-values.ts'
import type { Handlers } from './handlers.ts'
import { CONSOLE_LIMITS } from './limits.ts'
import type { PrincipalQueries } from './principal-queries.ts'
import { badCursor, notFound, Refused } from './refusal.ts'
import type { Visitor } from './sessions.ts'
import { type ActivatePorts, activateFromConsole } from './signal-activation.ts'
import { placesOf } from './signal-places.ts'
import type { SignalQueries } from './signal-queries.ts'

export interface SignalPorts extends ActivatePorts {
  find: FindPorts
  searchStatus: SignalSearch['status']
  /** How many signals the catalogue has. */
  countSignals: () => Promise<number>
  signalQueries: SignalQueries
  principals: Pick<PrincipalStore, 'get'>
  principalQueries: Pick<PrincipalQueries, 'list'>
  names: PrincipalNames
}

type SignalRoute =
  | 'listSignals'
  | 'getSignal'
  | 'getSignalChoices'
  | 'listSignalAccounts'
  | 'activateSignal'

const MAX_PRINCIPALS = 500
const MAX_PROVIDERS = 200
/** The number of activations returned for one signal, in a list and on its own page. */
const MAX_LISTED = 20
const MAX_SHOWN = 200
/** Maximum number of signals in a state that a search for words covers. */
const MAX_AMONG = 1_000
const SEARCH_MS = 20_000

export function signalHandlers(ports: SignalPorts): Handlers<SignalRoute> {
  return {
    listSignals: ({ visitor, query }) => listSignals(ports, visitor, query),
    getSignal: ({ params, query }) => showSignal(ports, params.signal_id, query.as),
    getSignalChoices: async ({ visitor }) => {
      const [newest, providers] = await Promise.all([
        ports.principalQueries.list({ isRevoked: false, limit: MAX_PRINCIPALS }),
        ports.signalQueries.providers(MAX_PROVIDERS),
      ])
      const there = newest.rows.reverse()
      const own = visitor.principal.principal_id
      return {
        providers,
        max_file_bytes: CONSOLE_LIMITS.importBytes.value,
        principals: there.map((principal) => ({
          principal_id: principal.principal_id,
          name: principal.name,
          is_self: principal.principal_id === own,
          ...defined({ refusal: ports.activationRefusal(principal) }),
        })),
      }
    },
    listSignalAccounts: async ({ params: { principal_id } }) => ({
      items: isStorable(principal_id) ? await ports.find.grants.of(principal_id) : [],
    }),
    activateSignal: ({ visitor, params, body }) =>
      activateFromConsole(ports, visitor, { signalId: params.signal_id, body }),
  }
}

/** Throws a Refused if it is not a principal. */
async function principalAs(
  { principals }: Pick<SignalPorts, 'principals'>,
  id: string | undefined,
): Promise<Caller | undefined> {
  if (id === undefined) return undefined
  const found = isStorable(id) ? await principals.get(id) : undefined
  if (!found) throw notFound(`principal ${id}`)
  return found
}

async function listSignals(
  ports: SignalPorts,
  visitor: Visitor,
  requested: SignalsQuery,
): Promise<SignalsPage> {
  const { q, as, state } = requested
  if (q === undefined && as === undefined && state === undefined) return listAll(ports, requested)
  const principal = await principalAs(ports, as)
  const stated = state === undefined ? undefined : await inState(ports, requested, state)
  const found = await search(ports, requested, { visitor, principal, stated })
  const { page, rights, message } = found
  const isSearch = found.query.signal_spec !== undefined
  const status = isSearch ? await ports.searchStatus() : undefined
  return {
    items: await itemsOf(ports, page.found, { principal, rights, isSearch }),
    message,
    corrected: (page.corrected ?? []).map(({ from, to }) => ({ from, to })),
    ...defined({
      next_cursor: stated ? stated.next : found.cursor,
      total: stated ? undefined : page.total,
      model: status && { ...status.model, signals: status.signals, vectors: status.vectors },
    }),
  }
}

const ALL = 'console.catalogue'

/** The operator's whole catalogue, directly from the database: no search is needed. */
async function listAll(
  ports: SignalPorts,
  { type: signal_type, provider: data_provider, cursor, limit }: SignalsQuery,
): Promise<SignalsPage> {
  const place = cursor === undefined ? undefined : readCursor(ALL, cursor, ['text'])
  if (cursor !== undefined && !place) throw badCursor()
  const filter = { signal_type, data_provider, after: place?.[0], limit: limit + 1 }
  const found = await ports.signalQueries.catalogue(filter)
  const returned = found.slice(0, limit)
  const last = returned.at(-1)?.signal.signal_agent_segment_id
  const isWhole = signal_type === undefined && data_provider === undefined
  return {
    items: await itemsOf(ports, returned, { principal: undefined }),
    message: 'the catalogue, by id',
    corrected: [],
    ...defined({
      next_cursor: found.length > limit && last !== undefined ? cursorOf(ALL, [last]) : undefined,
      total: isWhole ? await ports.countSignals() : undefined,
    }),
  }
}

interface Sought {
  visitor: Visitor
  principal: Caller | undefined
  /** The page of signals in the requested state, if one was requested. */
  stated: { ids: readonly string[] } | undefined
}

async function search(
  ports: SignalPorts,
  requested: SignalsQuery,
  { visitor, principal, stated }: Sought,
): Promise<Findings> {
  const { q, cursor, limit } = requested
  const among = stated?.ids ?? (await namedBy(ports, q))
  const isNamed = among !== undefined && stated === undefined
  const request: GetSignalsRequest = {
    max_results: stated ? Math.max(1, stated.ids.length) : limit,
    filters: filtersOf(requested),
    ...defined({
      signal_spec: isNamed ? undefined : q,
      pagination: stated || cursor === undefined ? undefined : { cursor },
    }),
  }
  const who = { principal, seesAll: principal === undefined, account: visitor.principal.name }
  return refusing(() =>
    withDeadline({ timeoutMs: SEARCH_MS }, (signal) =>
      findSignals(ports.find, request, {
        asker: { ...who, signal },
        ...defined({ among }),
        byDefault: limit,
      }),
    ),
  )
}

interface Showing {
  principal: Caller | undefined
  rights?: Rights
  isSearch?: boolean
}

async function itemsOf(
  ports: SignalPorts,
  found: readonly (Pick<StoredSignal, 'signal' | 'version' | 'changed_at'> &
    Partial<FoundSignal>)[],
  { principal, rights, isSearch = false }: Showing,
): Promise<SignalItem[]> {
  const ids = found.map(({ signal }) => signal.signal_agent_segment_id)
  const activations = await activationsOf(ports, ids, principal)
  const names = await ports.names(
    [...activations.values()].flat().map(({ principal_id }) => principal_id),
  )
  return found.map((one) => ({
    ...itemOf(one, principal),
    ...defined({ match: isSearch && one.hit ? matchOf(one.hit) : undefined }),
    places: placesOf(one.signal, {
      activations: activations.get(one.signal.signal_agent_segment_id) ?? [],
      names,
      rights: principal && rights,
    }),
  }))
}

function filtersOf({ type, provider }: SignalsQuery): NonNullable<GetSignalsRequest['filters']> {
  return {
    ...defined({
      catalog_types: type && [type],
      data_providers: provider === undefined ? undefined : [provider],
    }),
  }
}

/** If the user typed an id, finds that signal. */
async function namedBy(
  { find }: SignalPorts,
  q: string | undefined,
): Promise<readonly string[] | undefined> {
  if (q === undefined || !isStorable(q)) return undefined
  const id = q.trim()
  return (await find.signals.get([id])).has(id) ? [id] : undefined
}

const IN_STATE = 'console.signals'

/** A page of the signals in a state; with search words, the first thousand of them, to search among. */
async function inState(
  { signalQueries }: SignalPorts,
  { q, as, cursor, limit }: SignalsQuery,
  state: NonNullable<SignalsQuery['state']>,
): Promise<{ ids: string[]; next: string | undefined }> {
  const list = `${IN_STATE}.${state}`
  const place = cursor === undefined ? undefined : readCursor(list, cursor, ['text'])
  if (cursor !== undefined && !place) throw badCursor()
  const most = q === undefined ? limit : MAX_AMONG
  const filter = { state, principal_id: as, after: place?.[0], limit: most + 1 }
  const found = await signalQueries.idsInState(filter)
  const ids = found.slice(0, most)
  const last = ids.at(-1)
  const hasMore = q === undefined && found.length > most && last !== undefined
  return { ids, next: hasMore ? cursorOf(list, [last]) : undefined }
}

/** Converts refusals of the search to those of the console. */
async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError') {
      throw new Refused(503, 'unavailable', 'the search took too long: try again')
    }
    if (!(error instanceof ProtocolError)) throw error
    switch (error.errors[0].code) {
      case 'RATE_LIMITED':
        throw new Refused(429, 'too_many_requests', error.message)
      case 'SERVICE_UNAVAILABLE':
        throw new Refused(503, 'unavailable', error.message)
      default:
        throw new Refused(400, 'invalid_request', error.message)
    }
  }
}

/** By signal, the latest change first: the principal's own, or everybody's. */
async function activationsOf(
  { find, signalQueries }: SignalPorts,
  ids: readonly string[],
  principal: Caller | undefined,
): Promise<ReadonlyMap<string, readonly Activation[]>> {
  if (principal) {
    const own = await find.activations.find(principal.principal_id, ids)
    const ofId = (id: string) => own.filter((one) => one.signal_agent_segment_id === id)
    return new Map(ids.map((id) => [id, ofId(id)]))
  }
  return signalQueries.activationsOfEach(ids, MAX_LISTED)
}

function itemOf(
  { signal, version, changed_at }: Pick<StoredSignal, 'signal' | 'version' | 'changed_at'>,
  principal: Caller | undefined,
): Omit<SignalItem, 'places'> {
  const { name, description, signal_type, data_provider, coverage_percentage } = signal
  return {
    signal_id: signal.signal_agent_segment_id,
    name,
    description,
    signal_type,
    data_provider,
    coverage_percentage,
    version,
    countries: [...signal.countries],
    pricing_options: pricesFor(signal, principal),
    is_private: signal.visibility !== undefined,
    changed_at: iso(changed_at),
  }
}

function matchOf({ reason, relevance, tier }: SearchHit): NonNullable<SignalItem['match']> {
  return { reason, relevance, ...defined({ tier }) }
}

async function showSignal(
  ports: SignalPorts,
  id: string,
  as: string | undefined,
): Promise<SignalDetails> {
  const principal = await principalAs(ports, as)
  const stored = isStorable(id) ? (await ports.find.signals.get([id])).get(id) : undefined
  // What a principal may not see is treated as if it did not exist.
  if (!stored || (principal && !maySee(stored.signal, principal))) throw notFound(`signal ${id}`)
  const { signal } = stored
  const found = principal
    ? await ports.find.activations.find(principal.principal_id, [id])
    : await ports.signalQueries.activationsOf(id, MAX_SHOWN + 1)
  const activations = found.slice(0, MAX_SHOWN)
  const [names, reportedTasks, grants] = await Promise.all([
    ports.names(activations.map(({ principal_id }) => principal_id)),
    ports.signalQueries.reportedTasks(activations.map(({ task_id }) => task_id)),
    principal ? ports.find.grants.of(principal.principal_id) : [],
  ])
  const rights = principal && { caller: principal, grants, accounts: ports.find.accounts }
  const { data_provider_domain, methodology, refresh_cadence, updated_at, visibility } = signal
  return {
    ...itemOf(stored, principal),
    tags: [...signal.tags],
    places: placesOf(signal, { activations, names, reportedTasks, rights }),
    catalogue: { ...signal },
    has_more_activations: found.length > MAX_SHOWN,
    ...defined({ data_provider_domain, methodology, refresh_cadence, updated_at }),
    ...defined({ visible_to: visibility && [...visibility.principals] }),
  }
}
