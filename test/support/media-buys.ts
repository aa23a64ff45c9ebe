// Media buys for tests: valid ones, of which a test changes what it is about.

import { randomUUID } from 'node:crypto'
import type { MediaBuyRecord, PackageRecord } from '../../src/media-buys/media-buy.ts'
import type { CatalogueProduct } from '../../src/protocol/schemas/product.ts'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

export function packageRecord(over: Partial<PackageRecord> = {}): PackageRecord {
  return {
    package_id: `pk_${randomUUID()}`,
    product_id: 'homepage',
    pricing_option_id: 'cpm_usd',
    pricing: { pricing_model: 'cpm', rate: 10 },
    budget: 1_000,
    paused: false,
    signals: [],
    ...over,
  }
}

export function buyRecord(over: Partial<MediaBuyRecord> = {}): MediaBuyRecord {
  const now = over.created_at ?? Date.UTC(2026, 0, 1)
  const start_at = over.start_at ?? now + DAY_MS
  const end_at = over.end_at ?? now + 4 * DAY_MS
  return {
    media_buy_id: `mb_${randomUUID()}`,
    owner: 'prn_buyer',
    account_id: undefined,
    status: 'pending_start',
    is_held: false,
    revision: 1,
    currency: 'USD',
    total_budget: 1_000,
    time_zone: 'UTC',
    start_at,
    end_at,
    confirmed_at: now,
    status_changed_at: now,
    created_at: now,
    updated_at: now,
    due_at: start_at,
    reporting: undefined,
    terms: {},
    context: undefined,
    ending: undefined,
    packages: [packageRecord()],
    ...over,
  }
}

export function catalogueProduct(over: Partial<CatalogueProduct> = {}): CatalogueProduct {
  return {
    product_id: 'homepage',
    name: 'Homepage banner',
    description: 'A banner at the top of the homepage of a daily newspaper.',
    publisher_properties: [{ publisher_domain: 'daily.example', selection_type: 'all' }],
    format_ids: [{ id: 'display_300x250_image' }, { id: 'display_728x90_image' }],
    delivery_type: 'guaranteed',
    pricing_options: [
      {
        pricing_option_id: 'cpm_usd',
        pricing_model: 'cpm',
        currency: 'USD',
        fixed_price: 10,
        min_spend_per_package: 100,
      },
    ],
    reporting_capabilities: {
      available_reporting_frequencies: ['hourly', 'daily'],
      expected_delay_minutes: 60,
      timezone: 'UTC',
      supports_webhooks: true,
      available_metrics: ['impressions', 'spend', 'clicks'],
      date_range_support: 'date_range',
      windowed_pull_granularities: ['hourly', 'daily'],
    },
    channels: ['display'],
    ...over,
  }
}
