// What a buyer's link displays: only the principal's own deliveries, endpoints and report windows. The owner is taken
// from the link; another owner's data is reported as not found.

import { defined } from '../lib/defined.ts'
import type { ReportStore, ReportWindow } from '../media-buys/reporting/report-store.ts'
import { cursorOf, readCursor } from '../protocol/cursor.ts'
import type { OutboxOperations } from '../webhooks/sender/store.ts'
import type { Delivery, DeliveryItem, Fault } from './api/deliveries.ts'
import type { LinkPart, LinkReportsPage, LinkReportsQuery, ReportWindowItem } from './api/links.ts'
import { listDeliveries } from './deliveries.ts'
import { type EndpointPorts, listEndpoints } from './endpoints.ts'
import { iso, isoOf } from './format-values.ts'
import type { LinkHandlers } from './handlers.ts'
import type { Guest } from './links.ts'
import { badCursor, notFound, Refused } from './refusal.ts'
import { serializeDelivery } from './serialize-delivery.ts'

export interface BuyerViewPorts {
  outboxOperations: OutboxOperations
  queries: EndpointPorts['queries']
  reports: Pick<ReportStore, 'list'>
}

export function buyerHandlers({
  outboxOperations,
  queries,
  reports,
}: BuyerViewPorts): LinkHandlers {
  const namesOf = ({ principal: { principal_id, name } }: Guest) => new Map([[principal_id, name]])
  return {
    listLinkDeliveries: async ({ guest, query }) => {
      const owner = ownerOf(guest, 'deliveries')
      const ports = { outboxOperations, names: async () => namesOf(guest) }
      const { items, ...page } = await listDeliveries(ports, { ...query, principal_id: owner })
      return { ...page, items: items.filter(isOf(owner)).map(buyerItem) }
    },
    getLinkDelivery: async ({ guest, params: { delivery_id } }) => {
      const owner = ownerOf(guest, 'deliveries')
      const found = await outboxOperations.show(delivery_id)
      if (found?.owner !== owner) throw notFound(`delivery ${delivery_id} of yours`)
      return buyerDelivery(serializeDelivery(found, namesOf(guest)))
    },
    listLinkEndpoints: async ({ guest, query }) => {
      const owner = ownerOf(guest, 'endpoints')
      const ports = { queries, names: async () => namesOf(guest) }
      const { items, ...page } = await listEndpoints(ports, { ...query, principal_id: owner })
      return {
        ...page,
        items: items.filter(isOf(owner)).map(({ health, ...item }) => ({
          ...item,
          health: {
            ...health,
            faults: health.faults.map((fault) => ({ ...fault, ...buyerFault(fault) })),
          },
        })),
      }
    },
    listLinkReports: ({ guest, query }) => listReports(reports, ownerOf(guest, 'reports'), query),
  }
}

/** Throws a Refused if the link does not include this part. */
function ownerOf({ link }: Guest, part: LinkPart): string {
  if (link.shows.includes(part)) return link.principal_id
  throw new Refused(403, 'not_shown', `this link does not show ${part}`)
}

function isOf(owner: string) {
  return ({ principal_id }: { principal_id: string }) => principal_id === owner
}

function buyerDelivery({ history, ...delivery }: Delivery): Delivery {
  return {
    ...delivery,
    ...buyerItem(delivery),
    history: history.map((attempt) => ({
      ...attempt,
      ...defined({ fault: attempt.fault && buyerFault(attempt.fault) }),
    })),
    may: { retry: false, cancel: false },
  }
}

function buyerItem<T extends DeliveryItem>(item: T): T {
  return { ...item, ...defined({ fault: item.fault && buyerFault(item.fault) }) }
}

/** The server's internal details are omitted from messages, and so is advice for its operator. */
const IN_SHORT: ReadonlyMap<Fault['kind'], string> = new Map([
  ['signing', 'the sender could not sign the message'],
  ['other', 'the attempt failed'],
  ['interrupted', 'the sender was interrupted: the message is sent again'],
  ['refused_address', 'webhooks are not sent to addresses like this one'],
])

function buyerFault({ kind, message, advice, code }: Fault): Fault {
  const short = IN_SHORT.get(kind)
  if (short !== undefined) return { kind, message: short, advice: undefined, code: undefined }
  return { kind, message, code, advice: kind === 'signature_refused' ? undefined : advice }
}

const REPORTS = 'link.reports'

async function listReports(
  reports: BuyerViewPorts['reports'],
  owner: string,
  { cursor, limit, media_buy_id, state }: LinkReportsQuery,
): Promise<LinkReportsPage> {
  const place =
    cursor === undefined ? undefined : readCursor(REPORTS, cursor, ['integer', 'text', 'text'])
  if (cursor !== undefined && !place) throw badCursor()
  const { windows, hasMore } = await reports.list({
    owner,
    limit,
    ...defined({
      media_buy_ids: media_buy_id === undefined ? undefined : [media_buy_id],
      states: state === undefined ? undefined : [state],
      after: place && {
        end: place[0],
        media_buy_id: place[1],
        kind: place[2] === 'final' ? ('final' as const) : ('window' as const),
      },
    }),
  })
  const last = windows.at(-1)
  const next = hasMore && last ? [last.end, last.media_buy_id, last.kind] : undefined
  return {
    items: windows.map(windowItem),
    ...defined({ next_cursor: next && cursorOf(REPORTS, next) }),
  }
}

function windowItem(window: ReportWindow): ReportWindowItem {
  const { media_buy_id, kind, state, sequence_number, figures, reason } = window
  const sum = (metric: string) =>
    figures && Object.values(figures).reduce((total, counts) => total + (counts[metric] ?? 0), 0)
  const spend = sum('spend')
  return {
    media_buy_id,
    kind,
    state,
    start: iso(window.start),
    end: iso(window.end),
    ...defined({
      sequence_number,
      impressions: sum('impressions'),
      spend: spend === undefined ? undefined : Math.round(spend * 1e6) / 1e6,
      sent_at: isoOf(window.sent_at),
      ended_at: isoOf(window.ended_at),
      expected_at: isoOf(window.expected_at),
      reason,
    }),
  }
}
