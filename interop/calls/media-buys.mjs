// Products, media buys and what they delivered: see index.mjs.
import { BRAND, dayOf, inDays, REAL } from './world.mjs'

export function mediaBuyCalls(add, { key, creative, account, acct, hook, isSandbox, tag }) {
  add(
    'get_products',
    { buying_mode: 'brief', brief: 'display banners', ...acct, brand: BRAND },
    {
      saves: (b, s) => {
        const display = b.products?.filter(
          (p) => !p.product_id.startsWith('zz') && !p.product_id.startsWith('async'),
        )
        s.product = display?.[0]?.product_id
        s.pricing = display?.[0]?.pricing_options?.[0]
      },
    },
  )
  add(
    'get_products',
    { buying_mode: 'wholesale', ...acct },
    {
      saves: (b, s) =>
        (s.approved = b.products?.find((p) => p.product_id === 'zz_signed_order')
          ? {
              product_id: 'zz_signed_order',
              pricing_option_id: b.products.find((p) => p.product_id === 'zz_signed_order')
                .pricing_options[0].pricing_option_id,
            }
          : undefined),
    },
  )
  add(
    'get_products',
    { buying_mode: 'wholesale', pagination: { max_results: 1 } },
    { saves: (b, s) => (s.cursor = b.pagination?.cursor) },
  )
  add('get_products', (s) => ({
    buying_mode: 'wholesale',
    pagination: { max_results: 1, cursor: s.cursor },
  }))
  add('get_products', {
    buying_mode: 'brief',
    brief: 'qqqq zzzz',
    filters: { channels: ['radio'] },
  })
  add('get_products', (s) => ({
    buying_mode: 'refine',
    refine: [
      { scope: 'product', product_id: s.product, action: 'include' },
      { scope: 'request', ask: 'more video' },
    ],
  }))
  add('get_products', {
    buying_mode: 'refine',
    refine: [{ scope: 'product', product_id: 'none', action: 'include' }],
  })
  add('get_products', { buying_mode: 'odd' })
  const buy = (s, more = {}, terms = {}) => ({
    ...key(),
    ...acct,
    brand: BRAND,
    start_time: inDays(1),
    end_time: inDays(20),
    packages: [
      {
        product_id: s.product,
        pricing_option_id: s.pricing?.pricing_option_id,
        budget: 5_000,
        bid_price: (s.pricing?.floor_price ?? 5) + 5,
        ...terms,
      },
    ],
    ...more,
  })
  add('create_media_buy', (s) => buy(s), {
    saves: (b, s) => {
      s.buy = b.media_buy_id
      s.package = b.packages?.[0]?.package_id
      s.revision = b.revision
    },
  })
  add(
    'create_media_buy',
    (s) =>
      buy(
        s,
        {
          start_time: 'asap',
          po_number: 'PO-1',
          reporting_webhook: { url: hook, reporting_frequency: 'daily' },
        },
        { creative_assignments: [{ creative_id: `one-${tag}` }] },
      ),
    {
      saves: (b, s) => {
        s.running = b.media_buy_id
        s.runningPackage = b.packages?.[0]?.package_id
      },
    },
  )
  add('create_media_buy', (s) => buy(s, {}, { creatives: [creative('inline')] }))
  add('create_media_buy', (s) => buy(s, {}, { product_id: 'none' }))
  add('create_media_buy', (s) => buy(s, {}, { budget: -5 }))
  add('create_media_buy', (s) => buy(s, { end_time: inDays(-2) }))
  add('create_media_buy', (s) => buy(s, {}, { targeting_overlay: { geo_countries: ['US'] } }))
  add('create_media_buy', (s) => buy(s, {}, { creative_assignments: [{ creative_id: 'none' }] }))
  add('create_media_buy', (s) => buy(s, { account: { account_id: 'acc_of_nobody' } }))
  add('create_media_buy', {
    proposal_id: 'none',
    total_budget: { amount: 5, currency: 'USD' },
    ...key(),
    start_time: inDays(1),
    end_time: inDays(4),
  })
  const same = key()
  add('create_media_buy', (s) => ({ ...buy(s), ...same }))
  add('create_media_buy', (s) => ({ ...buy(s, { po_number: 'other' }), ...same }), {
    note: 'conflict',
  })
  if (isSandbox) {
    add(
      'create_media_buy',
      (s) =>
        buy(
          s,
          { push_notification_config: { url: hook, operation_id: `buy-${tag}` } },
          { ...s.approved },
        ),
      { saves: (b, s) => (s.buyTask = b.task_id) },
    )
    add('get_task_status', (s) => ({
      task_id: s.buyTask,
      include_history: true,
      include_result: true,
    }))
  }
  add('update_media_buy', (s) => ({
    ...key(),
    ...acct,
    media_buy_id: s.buy,
    packages: [{ package_id: s.package, budget: 6_000 }],
  }))
  add('update_media_buy', (s) => ({ ...key(), ...acct, media_buy_id: s.running, paused: true }))
  add('update_media_buy', (s) => ({
    ...key(),
    ...acct,
    media_buy_id: s.running,
    paused: false,
    packages: [
      {
        package_id: s.runningPackage,
        creative_assignments: [{ creative_id: `two-${tag}`, weight: 50 }],
      },
    ],
  }))
  add('update_media_buy', (s) => ({
    ...key(),
    ...acct,
    media_buy_id: s.buy,
    revision: 1,
    end_time: inDays(25),
  }))
  add('update_media_buy', (s) => ({
    ...key(),
    ...acct,
    media_buy_id: s.buy,
    new_packages: [
      {
        product_id: s.product,
        pricing_option_id: s.pricing?.pricing_option_id,
        budget: 900,
        bid_price: 30,
      },
    ],
  }))
  add('update_media_buy', { ...key(), ...acct, media_buy_id: 'none', paused: true })
  add('update_media_buy', (s) => ({
    ...key(),
    ...acct,
    media_buy_id: s.buy,
    packages: [{ package_id: 'none', budget: 1 }],
  }))
  add('update_media_buy', (s) => ({
    ...key(),
    ...acct,
    media_buy_id: s.buy,
    canceled: true,
    cancellation_reason: 'over',
  }))
  add('update_media_buy', (s) => ({ ...key(), ...acct, media_buy_id: s.buy, canceled: true }))
  add('get_media_buys', { ...acct })
  add('get_media_buys', (s) => ({
    ...acct,
    media_buy_ids: [s.buy, s.running],
    include_snapshot: true,
    include_history: 10,
    include_webhook_activity: true,
  }))
  add(
    'get_media_buys',
    { ...acct, pagination: { max_results: 1 } },
    { saves: (b, s) => (s.cursor = b.pagination?.cursor) },
  )
  add('get_media_buys', (s) => ({ ...acct, pagination: { max_results: 1, cursor: s.cursor } }))
  add('get_media_buys', { ...acct, media_buy_ids: ['none'] })
  add('get_media_buys', { ...acct, status_filter: ['rejected'] })
  add('get_media_buys', { ...acct, status_filter: ['odd'] })
  if (isSandbox) {
    add('comply_test_controller', { scenario: 'list_scenarios', ...account })
    add('comply_test_controller', (s) => ({
      scenario: 'force_media_buy_status',
      params: { media_buy_id: s.running, status: 'active' },
      ...account,
    }))
    add('comply_test_controller', (s) => ({
      scenario: 'simulate_delivery',
      params: {
        media_buy_id: s.running,
        impressions: 1000,
        clicks: 5,
        reported_spend: { amount: 12.5, currency: 'USD' },
      },
      ...account,
    }))
    add('comply_test_controller', (s) => ({
      scenario: 'simulate_budget_spend',
      params: { media_buy_id: s.running, spend_percentage: 40 },
      ...account,
    }))
    add('comply_test_controller', {
      scenario: 'force_creative_status',
      params: { creative_id: `two-${tag}`, status: 'rejected', rejection_reason: 'no' },
      ...account,
    })
    add('comply_test_controller', { scenario: 'odd', ...account })
    add('comply_test_controller', {
      scenario: 'force_media_buy_status',
      params: { media_buy_id: 'none', status: 'active' },
      ...account,
    })
    add('comply_test_controller', { scenario: 'force_media_buy_status', params: {}, ...account })
    add('comply_test_controller', { scenario: 'query_upstream_traffic', params: {}, ...account })
    add('comply_test_controller', { scenario: 'list_scenarios', account: REAL })
    add('list_creatives', { ...account, include_assignments: true })
  }
  add('get_media_buy_delivery', (s) => ({ ...acct, media_buy_ids: [s.running] }))
  add('get_media_buy_delivery', (s) => ({
    ...acct,
    media_buy_ids: [s.running],
    start_date: dayOf(-3),
    end_date: dayOf(1),
    include_package_daily_breakdown: true,
    include_window_breakdown: true,
    time_granularity: 'daily',
    reporting_dimensions: { geo: { geo_level: 'country', limit: 5 } },
  }))
  add('get_media_buy_delivery', { ...acct })
  add('get_media_buy_delivery', { ...acct, media_buy_ids: ['none'] })
  add('get_media_buy_delivery', { ...acct, start_date: dayOf(1), end_date: dayOf(-3) })
  add('get_media_buy_delivery', { ...acct, status_filter: ['completed'] })
  add('get_reporting_status', { ...acct })
}
