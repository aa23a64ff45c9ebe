// Where delivery figures come from (spec 2.11): the port for a simulated ad server, a file or the operator's
// service. A source receives a request for windows of one buy and returns the figures of each package, or reports
// that they are not available yet.

import type { MediaBuyRecord } from './media-buy.ts'

/** Half-open: the first millisecond, and the first one after it. */
export interface DeliveryWindow {
  start: number
  end: number
}

/** Figures of one package in one window; what is not measured is absent. Money is in the buy's currency. */
export interface PackageMetrics {
  package_id: string
  impressions: number
  spend: number
  clicks?: number | undefined
  /** Other counts of the source, by their protocol names; rates are derived from counts. */
  more?: Readonly<Record<string, number>> | undefined
  /** Counts that are meaningful only with their measurement method; an unknown qualifier is omitted. */
  metric_values?: readonly QualifiedCount[] | undefined
}

/** For example, impressions that were viewable according to one standard. */
export interface QualifiedCount {
  metric_id: string
  /** `viewability_standard`, `completion_source`, `attribution_methodology` or `lift_dimension`. */
  qualifier: Readonly<Record<string, string>>
  value: number
}

/** What a source says of one window. */
export type WindowDelivery = { window: DeliveryWindow } & (
  | {
      status: 'ready'
      by_package: readonly PackageMetrics[]
      /** Whether the figures will not change again. */
      is_final: boolean
    }
  | {
      status: 'not_yet'
      /** When the source expects them, if it says so, in milliseconds. */
      expected_at?: number | undefined
    }
)

/** Windows of one buy that are requested from a source. */
export interface DeliveryQuery {
  buy: MediaBuyRecord
  windows: readonly DeliveryWindow[]
  /** The source's own time, in milliseconds: it has no data after it. */
  now: number
  signal: AbortSignal
}

/** The source of delivery figures. */
export interface DeliverySource {
  /**
   * One for each window, in their order. An error means that the source is unavailable: it is queried again later.
   */
  deliveryOf(query: DeliveryQuery): Promise<readonly WindowDelivery[]>
  /** The same for many buys at once, if that is cheaper. Default: separate requests, a few at a time. */
  deliveriesOf?(queries: readonly DeliveryQuery[]): Promise<readonly (readonly WindowDelivery[])[]>
}
