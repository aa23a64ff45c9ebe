// Fills a page of get_media_buys. A buy may have a hundred packages with a hundred creatives each, a thousand history
// entries and hundreds of webhooks, so a page is limited by its contents as well as by the number of buys. It is read
// and written in groups, so that other callers can run in between.

import { groupsOf, mapPaced } from '../lib/chunks.ts'
import type { Account } from '../protocol/schemas/accounts.ts'
import type { MediaBuy } from '../protocol/schemas/media-buy.ts'
import type { GetMediaBuysRequest } from '../protocol/schemas/media-buys.ts'
import type { AccountStore } from './account-store.ts'
import { BUY_LIMITS } from './limits.ts'
import { serializeAccount } from './list-accounts.ts'
import type { MediaBuyRecord } from './media-buy.ts'
import { isoOf, serializeBuy } from './serialize-buy.ts'
import type {
  BuyOutline,
  HistoryEntry,
  MediaBuyStore,
  PackageCreative,
  PackageCreatives,
} from './store.ts'

/** Additional members of buys, by id: health and impairments, webhook_activity, a snapshot. */
export interface BuyView {
  membersOf(
    buys: readonly MediaBuyRecord[],
    request: GetMediaBuysRequest,
    owner: string,
  ): Promise<ReadonlyMap<string, Partial<MediaBuy>>>
}

export interface FillPagePorts {
  buys: Pick<MediaBuyStore, 'whole' | 'history'>
  creatives: Pick<PackageCreatives, 'list'>
  accounts: Pick<AccountStore, 'byIds'>
  views: readonly BuyView[]
}

export interface PageRequest {
  request: GetMediaBuysRequest
  /** The principal that requests it. */
  owner: string
}

export interface FilledPage {
  returned: MediaBuy[]
  /** The last buy that is returned. */
  last: BuyOutline | undefined
  /** Whether some buys were moved from this page to the next one. */
  isCut: boolean
}

/** Maximum cost of one page: about a tenth of a second. */
const PAGE_UNITS = BUY_LIMITS.pageUnits.value
const PAGE_CHARS = BUY_LIMITS.pageChars.value
/** Maximum cost of the buys that are read together, or of a single one. */
const GROUP_UNITS = 2_500

const COST = { buy: 5, package: 5, assignment: 1, impairment: 2, history: 1, activity: 2 } as const
/** Number of webhooks returned for a buy if the request does not specify it. */
export const DEFAULT_ACTIVITY = 50

/** The estimated cost of a buy, from what is known before it is read. */
function unitsOf(
  { package_count, revision }: Pick<BuyOutline, 'package_count' | 'revision'>,
  { include_history = 0, include_webhook_activity, webhook_activity_limit }: GetMediaBuysRequest,
): number {
  const activity = include_webhook_activity ? (webhook_activity_limit ?? DEFAULT_ACTIVITY) : 0
  return (
    COST.buy +
    COST.package * package_count +
    COST.history * Math.min(include_history, revision) +
    COST.activity * activity
  )
}

/** The buys of these that fit on a page according to that estimate; at least one. */
export function fittingOf(
  outlines: readonly BuyOutline[],
  request: GetMediaBuysRequest,
): { outlines: readonly BuyOutline[]; units: number } {
  let units = 0
  const end = outlines.findIndex((outline, index) => {
    const more = unitsOf(outline, request)
    if (index > 0 && units + more > PAGE_UNITS) return true
    units += more
    return false
  })
  return { outlines: end < 0 ? outlines : outlines.slice(0, end), units }
}

export async function fillPage(
  ports: FillPagePorts,
  outlines: readonly BuyOutline[],
  requested: PageRequest,
): Promise<FilledPage> {
  const { request } = requested
  const { outlines: fitting } = fittingOf(outlines, request)
  const page: FilledPage = {
    returned: [],
    last: undefined,
    isCut: fitting.length < outlines.length,
  }
  let [units, chars] = [0, 0]
  for (const group of groupsOf(fitting, (one) => unitsOf(one, request), GROUP_UNITS)) {
    for (const [index, read] of (await readGroup(ports, group, requested)).entries()) {
      units += read.units
      chars += read.chars
      if (page.last && (units > PAGE_UNITS || chars > PAGE_CHARS)) return { ...page, isCut: true }
      page.returned.push(read.returned)
      page.last = group[index]
    }
  }
  return page
}

interface ReadBuy {
  returned: MediaBuy
  /** The actual cost, known after reading. */
  units: number
  chars: number
}

async function readGroup(
  ports: FillPagePorts,
  outlines: readonly BuyOutline[],
  { request, owner }: PageRequest,
): Promise<ReadBuy[]> {
  const whole = await ports.buys.whole(outlines)
  const buys = whole.map(({ buy }) => buy)
  const packages = buys.flatMap((buy) => buy.packages.map(({ package_id }) => package_id))
  const creatives = await ports.creatives.list(owner, packages)
  const ids = buys.map(({ media_buy_id }) => media_buy_id)
  const history = await ports.buys.history(ids, request.include_history ?? 0)
  const views = await Promise.all(ports.views.map((view) => view.membersOf(buys, request, owner)))
  const accounts = await accountsOf(ports, buys, owner)
  const read: ReadBuy[] = []
  for (const { buy, chars } of whole) {
    const entries = history.get(buy.media_buy_id) ?? []
    const more: Partial<MediaBuy> = Object.assign(
      {},
      ...views.map((members) => members.get(buy.media_buy_id)),
    )
    read.push({
      returned: {
        ...(await serializeBuy(buy, creatives, accounts.get(buy.account_id ?? ''))),
        ...(request.include_history ? { history: await mapPaced(entries, serializeEntry) } : {}),
        ...more,
      },
      units: unitsRead(buy, { creatives, entries, more }),
      chars,
    })
  }
  return read
}

interface ReadParts {
  creatives: ReadonlyMap<string, readonly PackageCreative[]>
  entries: readonly HistoryEntry[]
  more: Partial<MediaBuy>
}

function unitsRead({ packages }: MediaBuyRecord, { creatives, entries, more }: ReadParts): number {
  const assignments = packages.reduce(
    (sum, { package_id }) => sum + (creatives.get(package_id)?.length ?? 0),
    0,
  )
  // A history entry names the packages that changed.
  const history = entries.reduce(
    (sum, { package_ids = [] }) => sum + 1 + package_ids.length / 20,
    0,
  )
  return (
    COST.buy +
    COST.package * packages.length +
    COST.assignment * assignments +
    COST.history * history +
    COST.impairment * (more.impairments?.length ?? 0) +
    COST.activity * (more.webhook_activity?.length ?? 0)
  )
}

async function accountsOf(
  { accounts }: FillPagePorts,
  buys: readonly MediaBuyRecord[],
  owner: string,
): Promise<ReadonlyMap<string, Account>> {
  const ids = [...new Set(buys.flatMap(({ account_id }) => account_id ?? []))]
  const found = ids.length > 0 ? await accounts.byIds(owner, ids) : []
  return new Map(found.map((record) => [record.account_id, serializeAccount(record)]))
}

function serializeEntry({ at, ...entry }: HistoryEntry): Record<string, unknown> {
  return { ...entry, timestamp: isoOf(at) }
}
