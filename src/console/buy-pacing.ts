// The pacing of one buy: as it was reported, or as its source reports now. Cached for some seconds, so that many open
// screens query the source once.

import type { Clock } from '../lib/clock.ts'
import { defined } from '../lib/defined.ts'
import type { MediaBuyRecord } from '../media-buys/media-buy.ts'
import { type Amounts, type Paced, paceOf } from '../media-buys/pacing.ts'
import { type SnapshotPorts, snapshotOf } from '../media-buys/reporting/snapshot.ts'
import { windowsIn } from '../media-buys/reporting/snapshot-cost.ts'
import type { Frequency } from '../media-buys/reporting/windows.ts'
import type { Pace, Pacing } from './api/buys.ts'
import { amountOf, iso } from './format-values.ts'
import { Refused } from './refusal.ts'

export interface PacingPorts {
  clock: Clock
  snapshot: SnapshotPorts
  stopping: AbortSignal
}

const KEPT_MS = 5_000
const MOST_KEPT = 100
/** A flight up to this length is reported by the hour. */
const BY_HOUR_MS = 3 * 24 * 60 * 60 * 1_000
/** Windows × packages of a curve. */
const MOST_CELLS = 10_000

export function createPacing(ports: PacingPorts): (buy: MediaBuyRecord) => Promise<Pacing> {
  const kept = new Map<string, { at: number; revision: number; pacing: Promise<Pacing> }>()
  return (buy) => {
    const { media_buy_id, revision } = buy
    const now = ports.clock.now()
    const known = kept.get(media_buy_id)
    if (known && known.revision === revision && now - known.at < KEPT_MS) return known.pacing
    const pacing = look(ports, buy, now)
    kept.delete(media_buy_id)
    kept.set(media_buy_id, { at: now, revision, pacing })
    pacing.catch(() => kept.delete(media_buy_id))
    for (const oldest of kept.keys()) {
      if (kept.size <= MOST_KEPT) break
      kept.delete(oldest)
    }
    return pacing
  }
}

async function look(
  { snapshot: ports, stopping }: PacingPorts,
  buy: MediaBuyRecord,
  now: number,
): Promise<Pacing> {
  const granularity = granularityOf(buy, now)
  const stream = (await ports.reports.streams([buy.media_buy_id])).get(buy.media_buy_id)
  const query = { granularity }
  const snapshot = await snapshotOf(ports, buy, { query, now, signal: stopping, stream })
  const { total, packages, curve } = paceOf(snapshot)
  if (amountOf(total.bought.spend) === null) {
    const message = 'this buy has a budget that is not a valid amount, so it has no pacing'
    throw new Refused(409, 'conflict', message)
  }
  return {
    through: iso(snapshot.period.end),
    currency: buy.currency,
    missing: snapshot.missing,
    is_final: snapshot.is_final,
    total: serializePace(total),
    packages: packages.map(({ package_id, ...pace }) => ({ package_id, ...serializePace(pace) })),
    curve: curve.map(({ at, spend, impressions, expected }) => ({
      at: iso(at),
      spend,
      impressions,
      expected_spend: expected.spend,
      ...defined({ expected_impressions: expected.impressions }),
    })),
  }
}

/** The finest granularity at which the curve is short enough to be computed and drawn. */
function granularityOf(buy: MediaBuyRecord, now: number): Frequency {
  const { reporting, start_at, end_at, packages } = buy
  const flight = { start: start_at, end: Math.max(start_at, Math.min(now, end_at)) }
  const isShort = flight.end - flight.start <= BY_HOUR_MS
  if (isShort && reporting?.reporting_frequency !== 'daily') return 'hourly'
  return windowsIn(flight, 'daily') * packages.length <= MOST_CELLS ? 'daily' : 'monthly'
}

function serializePace({ pace, delivered, expected, bought }: Paced): Pace {
  return { pace, delivered, expected: returned(expected), bought: returned(bought) }
}

function returned({ spend, impressions }: Amounts): Pace['bought'] {
  return { spend, ...defined({ impressions }) }
}
