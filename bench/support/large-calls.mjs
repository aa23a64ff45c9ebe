// The largest valid call of every task, as far as its limits allow, for `bench/large-calls.mjs`: one principal makes them
// while another one waits. Each builder takes what was prepared before and a source of random numbers.

import { IMAGE, imageCreative, offersIn, purchase } from './large-requests.mjs'

const PACKAGES = 100
const CREATIVES = 100
const BUYS = 20

/** What the calls refer to: buys, creatives and accounts of the caller. */
export async function prepareLargeCalls(call, agentUrl) {
  const products = await productsOf(call)
  const formatId = { agent_url: agentUrl, id: IMAGE }
  const creatives = Array.from({ length: CREATIVES }, (_, n) =>
    imageCreative(`large-${n}`, formatId),
  )
  await call('sync_creatives', { creatives })
  const accounts = Array.from({ length: 50 }, (_, n) => account(n))
  await call('sync_accounts', { accounts })
  const buys = []
  for (let n = 0; n < BUYS; n++) {
    const made = await call('create_media_buy', buy(products))
    const packages = made.body.packages?.map(({ package_id }) => package_id)
    if (made.body.media_buy_id) buys.push({ id: made.body.media_buy_id, packages })
  }
  const { body } = await call('simulate_task', { duration_seconds: 600, steps: 10 })
  const listed = await call('list_products', { ...NEWEST, max_results: 1 })
  const feed = listed.body.feed_version
  const known = { feed, agentUrl, formatId, products, creatives, buys, taskId: body.task_id }
  const [first] = buys
  if (first) {
    const assignments = assignmentsOf(creatives.slice(0, 20), first.packages)
    await call('sync_creatives', { creatives: creatives.slice(0, 20), assignments })
  }
  return known
}

async function productsOf(call) {
  const { body } = await call('get_products', { pagination: { max_results: 50 } })
  return offersIn(body)
}

/** Packages by the id of the creative. */
function assignmentsOf(creatives, packages) {
  return Object.fromEntries(creatives.map(({ creative_id }) => [creative_id, packages]))
}

function account(n) {
  return {
    brand: { domain: `brand-${n}.example` },
    operator: `operator-${n}.example`,
    billing: 'operator',
  }
}

const buy = (products) => purchase(products, { packages: PACKAGES, days: 300 })

function image(known) {
  const { assets, format_id } = imageCreative('large', known.formatId)
  return { format_id, assets }
}

const NEWEST = { proto_version: '3.2' }
const ACCOUNT = { brand: { domain: 'large.example' }, operator: 'large.example' }

const page = { pagination: { max_results: 100 } }
const words = (count) => 'people who plan to buy a fast electric car in spring '.repeat(count)

/** @type {Record<string, (known: object, random: () => number) => object>} */
export const LARGE_CALLS = {
  list_creative_formats: () => ({ name_search: 'display' }),
  build_creative: (known, random) => ({
    message: `Summer sale, ${Math.ceil(random() * 80)}% off. ${words(60)}`,
    target_format_ids: ['300x250', '728x90', '160x600', '300x600', '320x50'].map((size) => ({
      agent_url: known.agentUrl,
      id: `display_${size}_image`,
    })),
    promoted_offerings: { brand_manifest: { name: 'Acme', url: 'https://acme.example' } },
    idempotency_key: key(random),
    proto_major_version: 3,
  }),
  preview_creative: (known) => ({
    request_type: 'batch',
    requests: Array.from({ length: 50 }, () => ({
      format_id: known.formatId,
      creative_manifest: image(known),
      inputs: Array.from({ length: 10 }, (_, n) => ({
        name: `v${n}`,
        macros: { CITY: `Town ${n}` },
      })),
    })),
  }),
  validate_input: (known) => ({ manifest: image(known) }),
  sync_creatives: (known, random) => ({
    creatives: known.creatives.map((one) => ({ ...one, name: `${one.name} ${random()}` })),
    assignments: assignmentsOf(known.creatives.slice(0, 20), known.buys[0]?.packages ?? []),
  }),
  list_creatives: () => ({ ...page, include_assignments: true, include_performance: true }),
  get_signals: (_, random) => ({
    signal_spec: `${words(70)} ${random()}`,
    deliver_to: { deployments: [{ type: 'platform', platform: 'sandbox' }], countries: ['US'] },
    max_results: 100,
  }),
  activate_signal: () => ({
    signal_agent_segment_id: 'motorlane-auto-ev-intenders',
    deployments: Array.from({ length: 50 }, (_, n) => ({
      type: 'platform',
      platform: 'sandbox',
      account: `large-${n}`,
    })),
  }),
  get_products: () => ({ brief: words(30), ...page }),
  create_media_buy: (known) => buy(known.products),
  update_media_buy: (known, random) => {
    const one = known.buys[Math.floor(random() * known.buys.length)]
    return {
      media_buy_id: one?.id ?? 'none',
      packages: (one?.packages ?? []).map((package_id) => ({
        package_id,
        creative_ids: known.creatives.map(({ creative_id }) => creative_id),
      })),
    }
  },
  get_media_buys: () => ({
    ...page,
    status_filter: [
      'active',
      'paused',
      'pending_creatives',
      'pending_start',
      'completed',
      'canceled',
    ],
    include_history: 1_000,
    include_webhook_activity: true,
    webhook_activity_limit: 200,
    include_snapshot: true,
  }),
  get_media_buy_delivery: (known) => ({
    media_buy_ids: known.buys.map(({ id }) => id),
    time_granularity: 'hourly',
    include_package_daily_breakdown: true,
    ...page,
  }),
  get_reporting_status: (known) => ({
    media_buy_ids: known.buys.map(({ id }) => id),
    view: 'periods',
    ...page,
  }),
  get_creative_delivery: (known) => ({ media_buy_ids: known.buys.map(({ id }) => id), ...page }),
  provide_performance_feedback: (known, random) => ({
    idempotency_key: key(random),
    media_buy_id: known.buys[0]?.id,
    measurement_period: { start: '2026-01-01T00:00:00Z', end: '2026-01-31T00:00:00Z' },
    performance_index: random(),
    evidence: { notes: words(100) },
  }),
  report_usage: (known, random) => ({
    idempotency_key: key(random),
    reporting_period: { start: '2026-01-01T00:00:00Z', end: '2026-01-31T00:00:00Z' },
    usage: Array.from({ length: 1_000 }, () => ({
      account: ACCOUNT,
      media_buy_id: known.buys[0]?.id,
      vendor_cost: 1,
      currency: 'USD',
    })),
  }),
  list_products: () => ({ ...NEWEST, max_results: 100 }),
  request_proposals: (_, random) => ({
    ...NEWEST,
    idempotency_key: key(random),
    brief: words(30),
    brand: ACCOUNT.brand,
  }),
  refine_proposals: (_, random) => ({
    ...NEWEST,
    idempotency_key: key(random),
    refinements: Array.from({ length: 25 }, (_one, n) => ({
      proposal_id: `none-${n}`,
      action: 'revise',
      ask: 'drop video and 60% to display',
    })),
  }),
  decline_proposals: (_, random) => ({
    ...NEWEST,
    idempotency_key: key(random),
    declines: Array.from({ length: 25 }, (_one, n) => ({
      proposal_id: `none-${n}`,
      reason: 'price',
    })),
  }),
  buy_products: (known, random) => ({
    ...NEWEST,
    idempotency_key: key(random),
    account: ACCOUNT,
    feed_version: known.feed,
    start_time: 'asap',
    end_time: '2099-01-01T00:00:00Z',
    purchases: buy(known.products).packages.map(({ product_id, pricing_option_id, budget }) => ({
      product_id,
      pricing_option_id,
      budget,
    })),
  }),
  accept_proposal: (_, random) => ({
    ...NEWEST,
    idempotency_key: key(random),
    account: ACCOUNT,
    proposal_id: 'none',
    proposal_terms_digest: `sha256:${'A'.repeat(43)}`,
  }),
  control_media_buy: (known, random) => ({
    ...NEWEST,
    idempotency_key: key(random),
    account: ACCOUNT,
    media_buy_id: known.buys[0]?.id,
    revision: 1,
    packages: known.buys[0]?.packages?.map((package_id) => ({ package_id, paused: true })),
  }),
  list_accounts: () => page,
  sync_accounts: () => ({ accounts: Array.from({ length: 100 }, (_, n) => account(n)) }),
  list_tasks: () => ({ ...page, include_history: true }),
  get_task_status: (known) => ({
    task_id: known.taskId,
    include_history: true,
    include_result: true,
  }),
  cancel_task: (_, random) => ({ task_id: `none-${random()}` }),
  provide_task_input: (known) => ({
    task_id: known.taskId,
    input: Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`member_${n}`, n])),
  }),
  simulate_task: () => ({ duration_seconds: 0, steps: 10 }),
  get_agent_capabilities: () => ({ context: { filler: 'x'.repeat(200_000) } }),
  get_proto_capabilities: () => ({ proto_version: '3.2' }),
  call_proto_agent: (known) => ({
    agent_url: known.otherAgentUrl,
    task: 'get_signals',
    params: { signal_spec: 'people who travel by train' },
  }),
}

function key(random) {
  return Array.from({ length: 3 }, () => Math.floor(random() * 1e12)).join('-')
}
