// The tasks of 3.2 and what buyers report: see index.mjs.
import { BRAND, inDays, SANDBOX } from './world.mjs'

const PERIOD = { start: inDays(-30), end: inDays(-1) }

export function compactCalls(add, { key, isSandbox, isNewest }) {
  const acct = { account: isSandbox ? SANDBOX : { brand: BRAND, operator: SANDBOX.operator } }
  reportCalls(add, { key, acct })
  if (!isNewest) return
  add('list_products', { ...acct }, { saves: saveOffer })
  add('list_products', { max_results: 1 }, { saves: (b, s) => (s.next = b.next_cursor) })
  add('list_products', (s) => ({ max_results: 1, cursor: s.next, fields: ['pricing_options'] }))
  add('list_products', (s) => ({ if_feed_version: s.feed }))
  add('list_products', { criteria: { offer_filters: { exclusivity: 'exclusive' } } })
  const buy = (s, more = {}, purchase = {}) => ({
    ...key(),
    ...acct,
    feed_version: s.feed,
    start_time: inDays(1),
    end_time: inDays(20),
    purchases: [
      {
        product_id: s.offer?.product_id,
        pricing_option_id: s.offer?.pricing_options?.[0]?.pricing_option_id,
        budget: 5_000,
        ...purchase,
      },
    ],
    ...more,
  })
  add('buy_products', (s) => buy(s, { name: 'Compact' }), {
    saves: (b, s) => {
      s.compact = b.media_buy_id
      s.compactPackage = b.purchase_bindings?.[0]?.package_id
    },
  })
  add('buy_products', (s) => buy(s, { feed_version: 'old' }))
  add('buy_products', (s) => buy(s, {}, { product_id: 'none' }))
  add('buy_products', (s) => buy(s, { frequency_cap: { max_impressions: 1 } }))
  const control = (s, revision, more) => ({
    ...key(),
    ...acct,
    media_buy_id: s.compact,
    revision,
    ...more,
  })
  add('control_media_buy', (s) => control(s, 1, { paused: true, name: 'Renamed' }))
  add('control_media_buy', (s) =>
    control(s, 2, {
      packages: [{ package_id: s.compactPackage, targeting_overlay: { geo_countries: ['US'] } }],
    }),
  )
  add('control_media_buy', (s) => control(s, 1, { paused: false }))
  add('control_media_buy', (s) => control(s, 3, { canceled: true, paused: true }))
  add('control_media_buy', (s) => control(s, 3, { canceled: true, cancellation_reason: 'over' }))
  const requested = (brief) => ({ ...key(), brief, brand: BRAND })
  add('request_proposals', requested('display banners and video'), {
    saves: (b, s) => (s.draft = b.proposals?.[0]?.proposal_id),
  })
  add('request_proposals', requested('qqqq zzzz'))
  add('request_proposals', { ...key(), brief: 'display' })
  const refine = (...refinements) => ({ ...key(), refinements })
  add(
    'refine_proposals',
    (s) =>
      refine({
        proposal_id: s.draft,
        action: 'revise',
        constraints: { total_budget: { min: 20_000, currency: 'USD' } },
      }),
    { saves: (b, s) => (s.revised = b.results?.[0]?.proposals?.[0]?.proposal_id ?? s.draft) },
  )
  add('refine_proposals', (s) =>
    refine({
      proposal_id: s.draft,
      action: 'revise',
      constraints: { cpm: { max: 0.0001, currency: 'USD' } },
    }),
  )
  add('refine_proposals', refine({ proposal_id: 'none', action: 'revise', ask: 'drop video' }))
  add('refine_proposals', (s) =>
    refine({ proposal_id: s.draft, action: 'revise', alternatives: { count: 2 } }),
  )
  add('refine_proposals', (s) => refine({ proposal_id: s.revised, action: 'finalize' }), {
    saves: (b, s) => (s.held = b.results?.[0]?.proposal),
  })
  const accept = (s, more = {}) => ({
    ...key(),
    ...acct,
    proposal_id: s.held?.proposal_id,
    proposal_terms_digest: s.held?.terms_digest,
    ...more,
  })
  add('accept_proposal', (s) => accept(s, { proposal_id: 'none' }))
  add('accept_proposal', (s) => accept(s))
  add('accept_proposal', (s) => accept(s))
  add('decline_proposals', (s) => ({
    ...key(),
    declines: [
      { proposal_id: s.draft, reason: 'price' },
      { proposal_id: 'none', reason: 'other', detail: 'unknown' },
    ],
  }))
  add('decline_proposals', { ...key(), declines: [{ proposal_id: 'x', reason: 'other' }] })
}

function saveOffer(body, saved) {
  saved.feed = body.feed_version
  saved.offer = body.products?.find(
    ({ product_id, pricing_options = [] }) =>
      !product_id.startsWith('zz') &&
      !product_id.startsWith('async') &&
      pricing_options[0]?.fixed_price !== undefined,
  )
}

function reportCalls(add, { key, acct }) {
  add('get_creative_delivery', (s) => ({ ...acct, media_buy_ids: [s.running] }))
  add('get_creative_delivery', (s) => ({
    media_buy_ids: [s.running],
    pagination: { max_results: 1 },
  }))
  add('get_creative_delivery', { creative_ids: ['none'] })
  add('get_creative_delivery', {})
  const feedback = (s, more = {}) => ({
    ...key(),
    media_buy_id: s.running,
    measurement_period: PERIOD,
    performance_index: 1.2,
    ...more,
  })
  add('provide_performance_feedback', (s) => feedback(s), {
    saves: (b, s) => (s.feedback = b.feedback_id),
  })
  add('provide_performance_feedback', (s) => feedback(s, { supersedes_feedback_id: s.feedback }))
  add('provide_performance_feedback', (s) => feedback(s, { media_buy_id: 'none' }))
  const usage = (...records) => ({ ...key(), reporting_period: PERIOD, usage: records })
  const record = (s, more = {}) => ({
    ...acct,
    media_buy_id: s.running,
    vendor_cost: 1.5,
    currency: 'USD',
    ...more,
  })
  add('report_usage', (s) => usage(record(s)))
  add('report_usage', (s) => usage(record(s, { final: true }), record(s, { media_buy_id: 'none' })))
  add('report_usage', usage())
}
