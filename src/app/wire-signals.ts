// The signal agent: the search over the catalogue, the connectors that activate, and the removal of signals from
// platforms.

import { createRateLimit } from '../lib/token-bucket.ts'
import type { AnyTask } from '../protocol/task.ts'
import { type AgentAccess, refusalTo } from '../signals/access.ts'
import { activateSignal } from '../signals/activate-signal.ts'
import type { FindPorts } from '../signals/find-signals.ts'
import { getSignals } from '../signals/get-signals.ts'
import { createProviderDomains } from '../signals/provider-domains.ts'
import {
  createFairQueue,
  DEFAULT_SEARCH_LIMITS,
  type SearchLimits,
} from '../signals/search/fair-queue.ts'
import { createOpenAiReranker, withReranker } from '../signals/search/rerank.ts'
import type { BareSearch, KnowsModel, SignalSearch } from '../signals/search/signal-search.ts'
import { WITHOUT_MODEL } from '../signals/search/threaded-model.ts'
import { createTakedowns } from '../signals/takedowns.ts'
import type { Config } from './config.ts'
import { openConnectors } from './open-connectors.ts'
import { openSignalSearch } from './open-signal-search.ts'
import type { Area, Parts } from './parts.ts'
import type { TaskArea } from './wire-tasks.ts'

export interface SignalArea extends Area {
  tasks: readonly AnyTask[]
  /** The ports of the search in get_signals, for the console. */
  find: FindPorts
  searchStatus: SignalSearch['status']
  agentAccess: AgentAccess
  /** Whether callers without a key get any results. */
  isAnonymous: boolean
  dataProviderDomains: () => Promise<readonly string[] | undefined>
}

/** Activations take minutes to days: a caller without a webhook gets a short polling interval. */
const LONGEST_WAIT_MS = 1_000

export async function wireSignals(parts: Parts, { engine }: TaskArea): Promise<SignalArea> {
  const { config, clock, storage, metrics, publicUrl, onFault } = parts
  const { transact, signals, activations, grants } = storage
  const opened = await openConnectors(parts)
  const connectors = parts.sandbox?.traffic.attributed(opened) ?? opened
  const own = parts.signalSearch
  const builtIn = own
    ? []
    : [
        openSignalSearch({
          config,
          storage,
          onFault,
          hasModel: config.signalsModel,
          isWarmedUp: config.warmUp,
        }),
      ]
  const queue = createFairQueue({
    search: own ?? (builtIn[0] as BareSearch),
    limits: searchLimits(config),
    now: () => performance.now(),
    onRefused: metrics.searchRefused,
  })
  metrics.watchSearches(queue.stats)
  warnWithoutModel(parts, builtIn)
  const search = reranked(queue, parts)
  const agentAccess = { access: config.signalsAccess, principals: config.signalsPrincipals }
  const accounts = config.signalsAccounts
  const anyPlatform = config.demo || config.sandbox
  const common = { agentAccess, accounts, anyPlatform, signals, activations, grants, clock }
  const activate = activateSignal(
    { ...common, connectors, onSettled: (outcome) => metrics.activated(outcome) },
    engine,
    { inlineWaitMs: Math.min(config.inlineWaitMs, LONGEST_WAIT_MS) },
  )
  // Instances that run no steps call no platforms.
  const takesOff = config.taskConcurrency > 0
  return {
    agentAccess,
    searchStatus: search.status,
    isAnonymous: config.signalsAnonymous && refusalTo(agentAccess, undefined) === undefined,
    dataProviderDomains: createProviderDomains(signals, clock),
    find: { ...common, search },
    tasks: [
      getSignals({
        ...common,
        search,
        publicUrl,
        onSearch: metrics.searched,
        anonymous: config.signalsAnonymous,
        keyless: {
          maxSpecLength: config.signalsKeylessSpecLength,
          rate: createRateLimit({ clock, perMinute: config.signalsKeylessPerMinute }),
        },
      }),
      activate,
    ],
    routes: [],
    readiness: () =>
      Object.assign({}, ...builtIn.map(({ model }) => ({ sentence_model: model.state }))),
    workers: [
      ...builtIn,
      ...(takesOff ? [createTakedowns({ transact, activations, connectors, onFault })] : []),
    ],
  }
}

/** Logged once, at startup: a search without the model finds less, and no one would know why. */
function warnWithoutModel({ log }: Parts, searches: readonly KnowsModel[]): void {
  for (const { model } of searches) {
    if (model.state !== 'missing') continue
    log.warn({ reason: model.reason }, `without the sentence model, ${WITHOUT_MODEL}`)
  }
}

/** Callers without a key share a part of the total; one caller may use as many as leave room for others. */
function searchLimits(config: Config): SearchLimits {
  const { signalsSearchesAtOnce: atOnce, signalsSearchSeconds } = config
  return {
    ...DEFAULT_SEARCH_LIMITS,
    atOnce,
    keylessAtOnce: Math.max(1, Math.floor(atOnce / 2)),
    waiting: config.signalsSearchesWaiting,
    keylessWaiting: Math.max(1, Math.floor(config.signalsSearchesWaiting / 4)),
    perCaller: {
      atOnce: Math.max(1, Math.floor(atOnce / 2)),
      waiting: config.signalsCallerWaiting,
    },
    perKeyless: { atOnce: 1, waiting: config.signalsKeylessWaiting },
    timeoutMs: signalsSearchSeconds * 1_000,
  }
}

/** If the operator configures it, a model decides the final order of the best results. */
function reranked(search: SignalSearch, { config, storage, log }: Parts): SignalSearch {
  const { signalsRerank, llmUrl: url, llmKey: key, llmModel: model } = config
  if (!signalsRerank || url === undefined || model === undefined) return search
  const onFault = (error: unknown) => log.warn({ err: error }, 'signals were not reranked')
  return withReranker(search, storage.signals, createOpenAiReranker({ url, key, model, onFault }))
}
