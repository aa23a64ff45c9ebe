// Media buys: what can be bought, the buys, who approves them, and what changes over time.

import type { Transaction } from '../lib/transaction.ts'
import { acceptProposal } from '../media-buys/accept-proposal.ts'
import { buyProducts } from '../media-buys/buy-products.ts'
import {
  type BuyObserver,
  type ChangeBuyPorts,
  creativesAssigned,
} from '../media-buys/change-buy.ts'
import { controlMediaBuy } from '../media-buys/control-media-buy.ts'
import { createMediaBuy } from '../media-buys/create-media-buy.ts'
import { declineProposals } from '../media-buys/decline-proposals.ts'
import type { BuyView } from '../media-buys/fill-buy-page.ts'
import { createFlightWorker } from '../media-buys/flight-worker.ts'
import { getMediaBuys } from '../media-buys/get-media-buys.ts'
import { getProducts } from '../media-buys/get-products.ts'
import { listAccounts } from '../media-buys/list-accounts.ts'
import { listProducts } from '../media-buys/list-products.ts'
import { approversAbove } from '../media-buys/needs-approval.ts'
import { withTasks } from '../media-buys/notification-tasks.ts'
import { createFeedVersion } from '../media-buys/offers/feed-version.ts'
import { createPortfolio, type Portfolio } from '../media-buys/portfolio.ts'
import { createProductSearch } from '../media-buys/product-search.ts'
import { createProductCatalogue } from '../media-buys/product-store.ts'
import { providePerformanceFeedback } from '../media-buys/provide-performance-feedback.ts'
import { refineProposals } from '../media-buys/refine-proposals.ts'
import { reportUsage } from '../media-buys/report-usage.ts'
import { requestProposals } from '../media-buys/request-proposals.ts'
import { syncAccounts } from '../media-buys/sync-accounts.ts'
import { updateMediaBuy } from '../media-buys/update-media-buy.ts'
import { RELEASES } from '../protocol/releases/releases.ts'
import { unnamed } from '../protocol/releases/unnamed.ts'
import { changeRequires } from '../protocol/schemas/generation-rules.ts'
import type { AnyTask, Caller } from '../protocol/task.ts'
import { maySee } from '../signals/access.ts'
import { contentTokens, stemOf } from '../signals/matching/words.ts'
import type { Sender } from '../webhooks/sender/sender.ts'
import { approvalLimits } from './media-buy-settings.ts'
import { sellerOfferCheck } from './offer-check.ts'
import type { Area, Parts } from './parts.ts'
import type { CreativeArea } from './wire-creative.ts'
import type { ImpairmentArea } from './wire-impairments.ts'
import { wireReports } from './wire-reports.ts'
import type { TaskArea } from './wire-tasks.ts'

export interface MediaBuyArea extends Area {
  tasks: readonly AnyTask[]
  /** The publishers whose inventory is sold, as public information. */
  portfolio(): Promise<Portfolio | undefined>
  /** For other parts that change buys besides the tasks. */
  changes: ChangeBuyPorts
  /** For code that assigns creatives to packages. */
  onAssigned(tx: Transaction, owner: string, packageIds: readonly string[]): Promise<void>
}

/** What buys need of other areas. */
interface MediaBuyNeeds extends Pick<CreativeArea, 'addCreatives' | 'formatOption'> {
  sender: Sender
  impairments: ImpairmentArea
}

/** A caller that waits for the seller waits long: without a webhook, it gets a short polling interval. */
const LONGEST_WAIT_MS = 1_000

export function wireMediaBuys(
  parts: Parts,
  { engine }: TaskArea,
  { sender, addCreatives, formatOption, impairments }: MediaBuyNeeds,
): MediaBuyArea {
  const { config, clock, storage, publicUrl, onFault } = parts
  const { transact, onWake, mediaBuys: buys, packageCreatives: creatives } = storage
  const { proposals } = storage
  const reporting = wireReports(parts, sender, {
    beforeFinal: impairments.flush,
    simulated: parts.sandbox?.simulated,
    formatOption,
  })
  const observers: readonly BuyObserver[] = [impairments.observer, reporting.observer]
  const views: readonly BuyView[] = impairments.views
  const changes: ChangeBuyPorts = {
    buys,
    creatives,
    sender: withTasks(sender, storage.tasks),
    observers,
  }
  const ports = { ...changes, ...salePorts(parts), addCreatives }
  const options = { inlineWaitMs: Math.min(config.inlineWaitMs, LONGEST_WAIT_MS) }
  const search = searchOf(storage)
  const feed = createFeedVersion(storage.products)
  const offers = { search, clock, feed, formatOption, transact, proposals }
  // Instances that run no steps do not change the state of flights.
  const moves = config.taskConcurrency > 0
  return {
    tasks: [
      getProducts({ search, clock, publicUrl, formatOption, transact, proposals }),
      listProducts(offers),
      requestProposals(offers),
      refineProposals(offers),
      declineProposals(offers),
      buyProducts({ ...ports, feed, formatOption }, engine, options),
      acceptProposal(ports, engine, options),
      controlMediaBuy(ports, engine, options),
      repeatable(createMediaBuy(ports, engine, options), config),
      repeatable(updateMediaBuy(ports, engine, options), config),
      getMediaBuys({ ...ports, views }),
      ...reporting.tasks,
      providePerformanceFeedback({ transact, buys, creatives, feedback: storage.feedback }),
      reportUsage({
        ...ports,
        usage: storage.usage,
        signalPrices: (...requested) => signalPrices(parts, ...requested),
      }),
      listAccounts(ports),
      syncAccounts({ ...ports, webhooks: { ...storage, sender } }),
    ],
    portfolio: createPortfolio(storage.products),
    changes,
    onAssigned: async (tx, owner, packageIds) => {
      await creativesAssigned(changes, tx, { owner, packageIds })
      await impairments.onAssigned(tx, owner, packageIds)
    },
    routes: [],
    workers: [
      ...(moves
        ? [
            createFlightWorker({ ...changes, transact, onWake, clock, onFault }),
            impairments.worker,
            reporting.worker,
          ]
        : []),
      sweeper(parts),
    ],
  }
}

/** What tasks that sell need besides what every change of a buy needs. */
function salePorts(parts: Parts) {
  const { config, storage } = parts
  return {
    transact: storage.transact,
    products: createProductCatalogue(storage.products),
    signals: storage.ownSignals,
    accounts: storage.buyerAccounts,
    channels: storage.channels,
    approvals: storage.approvals,
    proposals: storage.proposals,
    tasks: storage.tasks,
    maxAccounts: config.maxAccounts,
    offerCheck: sellerOfferCheck(parts),
    rule: { above: approvalLimits(config.approveAbove) },
    approversFor: approversAbove(approvalLimits(config.secondApprovalAbove)),
  }
}

function searchOf({ products }: Parts['storage']) {
  return createProductSearch(products, (text) =>
    contentTokens(text).map(({ raw, word }) => ({ stem: stemOf(word), written: raw })),
  )
}

/** Only of signals that the caller may see, by their ids. */
async function signalPrices(
  { storage: { signals } }: Pick<Parts, 'storage'>,
  caller: Caller | undefined,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = ids.length > 0 ? await signals.get(ids) : new Map<string, never>()
  return new Map(
    [...found].flatMap(([id, { signal }]) =>
      maySee(signal, caller)
        ? [[id, signal.pricing_options.map((one) => one.pricing_option_id)] as const]
        : [],
    ),
  )
}

const SWEEP_MS = 10 * 60 * 1_000
const DAY_MS = 24 * 60 * 60 * 1_000

/** If the operator enables this setting, a caller that names no release must send a key as well. */
function repeatable(
  task: AnyTask,
  { requireIdempotencyKey }: Pick<Parts['config'], 'requireIdempotencyKey'>,
): AnyTask {
  if (!requireIdempotencyKey) return task
  const version = RELEASES.version(unnamed.name)
  return { ...task, alsoRequired: (request) => changeRequires(request, version) }
}

/** How long an expired proposal is kept: a buy of it may still wait for the seller. */
const KEEP_PROPOSALS_MS = 35 * DAY_MS

function sweeper({ config, storage, sweep }: Parts) {
  const { transact, approvals, proposals, feedback, usage } = storage
  return sweep({
    name: 'worker: delete old approvals, proposals, feedback and usage',
    intervalMs: SWEEP_MS,
    sweep: async (now) => {
      const keepMs = config.historyDays * DAY_MS
      const swept = await transact(
        async (tx) =>
          (await approvals.sweep(tx, now - keepMs)) +
          (await feedback.sweep(tx, now - keepMs)) +
          (await usage.sweep(tx, now - keepMs)) +
          (await proposals.sweep(tx, now - KEEP_PROPOSALS_MS)),
      )
      return swept > 0
    },
  })
}
