// A delivery source that calls an operator's own service (spec 2.11), through the egress guard:
//
//   POST {url}/deliveries   {"media_buy_id": …, "currency": …, "packages": […], "windows": [{"start": …, "end": …}]}
//
// It answers with 2xx and one entry for each window, identified by its start and end:
//   {"windows": [
//     {"start": …, "end": …, "status": "ready", "is_final": false,
//      "by_package": [{"package_id": …, "impressions": 1000, "spend": 12.5, "clicks": 3}]},
//     {"start": …, "end": …, "status": "not_yet", "expected_at": …}]}
// A window that is omitted is not available yet; neither is any window if the response is not 2xx, or cannot be
// received or parsed in time. The service keeps no state for this: the same query may be repeated.

import { z } from 'zod'
import { parseBoundedJson } from '../../lib/bounded-json.ts'
import type { Egress, EgressResult } from '../../lib/safe-fetch/safe-fetch.ts'
import { trimEnd } from '../../lib/trim-end.ts'
import { count, isoTime, opaqueId, quantity } from '../../protocol/schemas/common.ts'
import type {
  DeliveryQuery,
  DeliverySource,
  DeliveryWindow,
  PackageMetrics,
  WindowDelivery,
} from '../delivery-source.ts'
import { SOURCE_LIMITS } from './limits.ts'

export interface HttpSourceOptions {
  /** With or without a trailing slash. */
  url: string
  /** Sent with every call. Default none. */
  headers?: Readonly<Record<string, string>> | undefined
  /** Timeout of one call, in milliseconds. Default 15 000. */
  timeoutMs?: number | undefined
  egress: Pick<Egress, 'fetch'>
}

export const sourceMetrics = z
  .object({
    package_id: opaqueId,
    impressions: count,
    spend: quantity,
    clicks: count.optional(),
    metric_values: z
      .array(
        z.looseObject({
          metric_id: z.string().max(64),
          qualifier: z.record(z.string(), z.string()),
          value: quantity,
        }),
      )
      .max(1_000)
      .optional(),
  })
  .catchall(z.unknown())

const times = { start: isoTime, end: isoTime }
const answerSchema = z.looseObject({
  windows: z
    .array(
      z.discriminatedUnion('status', [
        z.looseObject({
          ...times,
          status: z.literal('ready'),
          is_final: z.boolean().optional(),
          by_package: z.array(sourceMetrics).max(SOURCE_LIMITS.packages.value),
        }),
        z.looseObject({
          ...times,
          status: z.literal('not_yet'),
          expected_at: isoTime.optional(),
        }),
      ]),
    )
    .max(SOURCE_LIMITS.windows.value),
})

export function createHttpSource(options: HttpSourceOptions): DeliverySource {
  const { egress, headers = {}, timeoutMs = 15_000 } = options
  const url = `${trimEnd(options.url, '/')}/deliveries`
  return {
    deliveryOf: async (query) => {
      const answers: WindowDelivery[] = []
      for (let first = 0; first < query.windows.length; first += SOURCE_LIMITS.windows.value) {
        const windows = query.windows.slice(first, first + SOURCE_LIMITS.windows.value)
        const result = await egress.fetch({
          url,
          method: 'POST',
          totalTimeoutMs: timeoutMs,
          signal: query.signal,
          headers: { ...headers, accept: 'application/json', 'content-type': 'application/json' },
          body: JSON.stringify(questionOf(query, windows)),
          maxBytes: SOURCE_LIMITS.answerBytes.value,
        })
        answers.push(...readAnswer(result, windows))
      }
      return answers
    },
  }
}

const iso = (at: number) => new Date(at).toISOString()

function questionOf({ buy }: DeliveryQuery, windows: readonly DeliveryWindow[]): object {
  return {
    media_buy_id: buy.media_buy_id,
    status: buy.status,
    currency: buy.currency,
    time_zone: buy.time_zone,
    start_time: iso(buy.start_at),
    end_time: iso(buy.end_at),
    packages: buy.packages.map(({ package_id, product_id, budget, paused }) => ({
      package_id,
      product_id,
      budget,
      paused,
    })),
    windows: windows.map(({ start, end }) => ({ start: iso(start), end: iso(end) })),
  }
}

const JSON_LIMITS = { maxDepth: 8, maxValues: 200_000, maxMembers: 1_000 }

/** Throws when the service is unavailable or its response cannot be parsed: it is queried again later. */
function readAnswer(result: EgressResult, windows: readonly DeliveryWindow[]): WindowDelivery[] {
  if (!result.ok) throw new Error(`the delivery source could not be reached (${result.code})`)
  if (result.status < 200 || result.status > 299) {
    throw new Error(`the delivery source answered ${result.status}`)
  }
  const json = parseBoundedJson(result.body, JSON_LIMITS)
  const read = json.ok ? answerSchema.safeParse(json.value) : undefined
  if (!read?.success) throw new Error('the delivery source sent an answer that cannot be read')
  const found = new Map(
    read.data.windows.map((one) => [`${Date.parse(one.start)} ${Date.parse(one.end)}`, one]),
  )
  return windows.map((window) => {
    const said = found.get(`${window.start} ${window.end}`)
    if (said?.status === 'ready') {
      const by_package = said.by_package.map(metricsOf)
      return { window, status: 'ready', by_package, is_final: said.is_final === true }
    }
    const expected_at = said?.expected_at === undefined ? undefined : Date.parse(said.expected_at)
    return { window, status: 'not_yet', expected_at }
  })
}

/** Additional members that are counts are included. */
export function metricsOf(said: z.infer<typeof sourceMetrics>): PackageMetrics {
  const { package_id, impressions, spend, clicks, metric_values = [], ...others } = said
  const more = Object.entries(others)
    .filter(
      (member): member is [string, number] =>
        METRIC_NAME.test(member[0]) && quantity.safeParse(member[1]).success,
    )
    .slice(0, SOURCE_LIMITS.metrics.value)
  const values = metric_values.slice(0, SOURCE_LIMITS.metrics.value)
  return {
    package_id,
    impressions,
    spend,
    clicks,
    more: Object.fromEntries(more),
    ...(values.length > 0 ? { metric_values: values } : {}),
  }
}

const METRIC_NAME = /^[a-z][a-z0-9_]{0,63}$/
