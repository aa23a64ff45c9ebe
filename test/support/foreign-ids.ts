// Every member of a request that names something stored, by task: how to call the task with an id in that place.
// `idMembers` finds these members in the schemas, so that a new one is not forgotten.

import { randomUUID } from 'node:crypto'
import type { TaskTable } from '../../src/agent/task-table.ts'
import { toJsonSchema } from '../../src/protocol/schemas/json-schema.ts'
import { DAY_MS } from './media-buys.ts'

type Json = Record<string, unknown>

/** What a principal owns, or may use while others may not. */
export interface Owned {
  task: string
  buy: string
  package: string
  creative: string
  account: string
  proposal: string
  feedback: string
  product: string
  signal: string
}

export interface IdProbe {
  task: string
  /** The place in the request, as `idMembers` writes it. */
  member: string
  names: keyof Owned
  request(id: string): Json
}

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
const key = () => `foreign-ids-${randomUUID()}`
const PICTURE = { url: 'https://cdn.example/banner.png', width: 300, height: 250 }
const formatId = { agent_url: 'https://ads.example', id: 'display_300x250_image' }
const assets = {
  banner_image: { asset_type: 'image', ...PICTURE },
  click_url: { asset_type: 'url', url: 'https://acme.example/' },
}
const manifest = { format_id: formatId, assets }
const sold = { budget: 1_000, pricing_option_id: 'cpm_usd' }
const flight = () => ({ start_time: inDays(1), end_time: inDays(5) })

/** A valid purchase of one package. */
export const purchase = (over: Json = {}, terms: Json = {}): Json => ({
  idempotency_key: key(),
  ...flight(),
  packages: [{ product_id: 'homepage', ...sold, ...terms }],
  ...over,
})

export const syncedCreative = (creative_id: string) => ({
  creative_id,
  name: 'Banner',
  format_id: formatId,
  assets,
})

const build = (over: Json) => ({
  idempotency_key: key(),
  message: 'A banner for running shoes',
  target_format_id: formatId,
  ...over,
})
const preview = (over: Json) => ({
  request_type: 'single',
  format_id: formatId,
  creative_manifest: manifest,
  ...over,
})
const update = (over: Json) => ({ idempotency_key: key(), ...over })
const refine = (over: Json) => ({ buying_mode: 'refine', refine: [over] })

const probe = (
  task: string,
  member: string,
  names: keyof Owned,
  request: (id: string) => Json,
): IdProbe => ({ task, member, names, request })

const newest = { proto_version: '3.2' }
const DIGEST = `sha256:${'A'.repeat(43)}`
const brand = { domain: 'bob.example' }
const period = { start: '2026-01-01T00:00:00Z', end: '2026-01-31T00:00:00Z' }
const bobs = { account: { brand, operator: 'bob.example' } }

const offer = (product_id: string, feed_version: string) => ({
  ...newest,
  ...bobs,
  idempotency_key: key(),
  feed_version,
  ...flight(),
  purchases: [{ product_id, ...sold }],
})
const accept = (proposal_id: string) => ({
  ...newest,
  ...bobs,
  idempotency_key: key(),
  proposal_id,
  proposal_terms_digest: DIGEST,
})
const control = (over: Json) => ({
  ...newest,
  ...bobs,
  idempotency_key: key(),
  revision: 1,
  ...over,
})
const feedback = (over: Json) => ({
  idempotency_key: key(),
  measurement_period: period,
  performance_index: 1,
  ...over,
})
const usage = (over: Json) => ({
  idempotency_key: key(),
  reporting_period: period,
  usage: [{ ...bobs, vendor_cost: 1, currency: 'USD', ...over }],
})
const revised = (proposal_id: string) => ({
  ...newest,
  idempotency_key: key(),
  refinements: [{ proposal_id, action: 'revise', ask: 'drop video' }],
})
const declined = (proposal_id: string) => ({
  ...newest,
  idempotency_key: key(),
  declines: [{ proposal_id, reason: 'price' }],
})
const requested = (over: Json) => ({
  ...newest,
  idempotency_key: key(),
  brief: 'banners',
  brand,
  ...over,
})

/** Of the tasks of 3.2, and of what buyers report. */
function newerProbes(own: { buy: string; package: string; feed?: string }): IdProbe[] {
  return [
    probe('list_products', 'criteria.product_ids', 'product', (id) => ({
      ...newest,
      criteria: { product_ids: [id] },
    })),
    probe('request_proposals', 'criteria.product_ids', 'product', (id) =>
      requested({ criteria: { product_ids: [id] } }),
    ),
    probe('refine_proposals', 'refinements[].proposal_id', 'proposal', revised),
    probe('decline_proposals', 'declines[].proposal_id', 'proposal', declined),
    probe('buy_products', 'purchases[].product_id', 'product', (id) => offer(id, own.feed ?? '')),
    probe('accept_proposal', 'proposal_id', 'proposal', accept),
    probe('control_media_buy', 'media_buy_id', 'buy', (id) =>
      control({ media_buy_id: id, paused: true }),
    ),
    probe('control_media_buy', 'packages[].package_id', 'package', (id) =>
      control({ media_buy_id: own.buy, packages: [{ package_id: id, paused: true }] }),
    ),
    probe('get_creative_delivery', 'media_buy_ids', 'buy', (id) => ({ media_buy_ids: [id] })),
    probe('get_creative_delivery', 'creative_ids', 'creative', (id) => ({ creative_ids: [id] })),
    probe('provide_performance_feedback', 'media_buy_id', 'buy', (id) =>
      feedback({ media_buy_id: id }),
    ),
    probe('provide_performance_feedback', 'package_id', 'package', (id) =>
      feedback({ media_buy_id: own.buy, package_id: id }),
    ),
    probe('provide_performance_feedback', 'creative_id', 'creative', (id) =>
      feedback({ media_buy_id: own.buy, creative_id: id }),
    ),
    probe('provide_performance_feedback', 'supersedes_feedback_id', 'feedback', (id) =>
      feedback({ media_buy_id: own.buy, supersedes_feedback_id: id }),
    ),
    probe('report_usage', 'usage[].account.account_id', 'account', (id) =>
      usage({ account: { account_id: id }, media_buy_id: own.buy }),
    ),
    probe('report_usage', 'usage[].media_buy_id', 'buy', (id) => usage({ media_buy_id: id })),
    probe('report_usage', 'usage[].creative_id', 'creative', (id) => usage({ creative_id: id })),
    probe('report_usage', 'usage[].signal_agent_segment_id', 'signal', (id) =>
      usage({ signal_agent_segment_id: id }),
    ),
  ]
}

/** `own` is a media buy of the caller, for members that only count inside one, and the offers as they are. */
export function idProbes(own: { buy: string; package: string; feed?: string }): IdProbe[] {
  return [
    ...newerProbes(own),
    probe('build_creative', 'creative_id', 'creative', (id) => build({ creative_id: id })),
    probe('build_creative', 'media_buy_id', 'buy', (id) =>
      build({ creative_id: 'none', media_buy_id: id }),
    ),
    probe('build_creative', 'package_id', 'package', (id) =>
      build({ creative_id: 'none', package_id: id }),
    ),
    probe('preview_creative', 'creative_id', 'creative', (id) => preview({ creative_id: id })),
    probe('preview_creative', 'requests[].creative_id', 'creative', (id) => ({
      request_type: 'batch',
      requests: [{ creative_manifest: manifest, creative_id: id }],
    })),
    probe('preview_creative', 'template_id', 'creative', (id) => preview({ template_id: id })),
    probe('preview_creative', 'requests[].template_id', 'creative', (id) => ({
      request_type: 'batch',
      requests: [{ creative_manifest: manifest, template_id: id }],
    })),
    probe('preview_creative', 'variant_id', 'creative', (id) => ({
      request_type: 'variant',
      variant_id: id,
    })),
    probe('validate_input', 'product_ids', 'product', (id) => ({ manifest, product_ids: [id] })),
    probe('sync_creatives', 'creatives[].creative_id', 'creative', (id) => ({
      idempotency_key: key(),
      dry_run: true,
      creatives: [syncedCreative(id)],
    })),
    probe('sync_creatives', 'creative_ids', 'creative', (id) => ({
      idempotency_key: key(),
      dry_run: true,
      creatives: [syncedCreative('bobs')],
      creative_ids: [id],
    })),
    probe('sync_creatives', 'assignments[].creative_id', 'creative', (id) => ({
      idempotency_key: key(),
      creatives: [syncedCreative('bobs')],
      assignments: [{ creative_id: id, package_id: own.package }],
    })),
    probe('sync_creatives', 'assignments[].package_id', 'package', (id) => ({
      idempotency_key: key(),
      creatives: [syncedCreative('bobs')],
      assignments: [{ creative_id: 'bobs', package_id: id }],
    })),
    probe('list_creatives', 'filters.creative_ids', 'creative', (id) => ({
      filters: { creative_ids: [id] },
    })),
    probe('list_creatives', 'filters.media_buy_ids', 'buy', (id) => ({
      filters: { media_buy_ids: [id] },
    })),
    probe('get_signals', 'signal_ids', 'signal', (id) => ({
      signal_ids: [{ source: 'agent', agent_url: 'https://ads.example', id }],
    })),
    probe('get_signals', 'signal_refs[].signal_id', 'signal', (id) => ({
      signal_refs: [
        { scope: 'signal_source', signal_source_url: 'https://ads.example', signal_id: id },
      ],
    })),
    probe('activate_signal', 'signal_agent_segment_id', 'signal', (id) => ({
      idempotency_key: key(),
      signal_agent_segment_id: id,
      deployments: [{ type: 'platform', platform: 'sandbox' }],
    })),
    probe('get_products', 'refine[].product_id', 'product', (id) =>
      refine({ scope: 'product', product_id: id, action: 'include' }),
    ),
    probe('get_products', 'refine[].proposal_id', 'proposal', (id) =>
      refine({ scope: 'proposal', proposal_id: id, action: 'finalize' }),
    ),
    probe('create_media_buy', 'proposal_id', 'proposal', (id) => ({
      idempotency_key: key(),
      proposal_id: id,
      total_budget: { amount: 5_000, currency: 'USD' },
      ...flight(),
    })),
    probe('create_media_buy', 'packages[].product_id', 'product', (id) =>
      purchase({}, { product_id: id }),
    ),
    probe('create_media_buy', 'packages[].creative_ids', 'creative', (id) =>
      purchase({}, { creative_ids: [id] }),
    ),
    probe('create_media_buy', 'packages[].creative_assignments[].creative_id', 'creative', (id) =>
      purchase({}, { creative_assignments: [{ creative_id: id }] }),
    ),
    probe('update_media_buy', 'media_buy_id', 'buy', (id) =>
      update({ media_buy_id: id, paused: true }),
    ),
    probe('update_media_buy', 'packages[].package_id', 'package', (id) =>
      update({ media_buy_id: own.buy, packages: [{ package_id: id, paused: true }] }),
    ),
    probe('update_media_buy', 'packages[].creative_ids', 'creative', (id) =>
      update({
        media_buy_id: own.buy,
        packages: [{ package_id: own.package, creative_ids: [id] }],
      }),
    ),
    probe('update_media_buy', 'packages[].creative_assignments[].creative_id', 'creative', (id) =>
      update({
        media_buy_id: own.buy,
        packages: [{ package_id: own.package, creative_assignments: [{ creative_id: id }] }],
      }),
    ),
    probe('update_media_buy', 'new_packages[].product_id', 'product', (id) =>
      update({ media_buy_id: own.buy, new_packages: [{ product_id: id, ...sold }] }),
    ),
    probe('update_media_buy', 'new_packages[].creative_ids', 'creative', (id) =>
      update({
        media_buy_id: own.buy,
        new_packages: [{ product_id: 'homepage', ...sold, creative_ids: [id] }],
      }),
    ),
    probe(
      'update_media_buy',
      'new_packages[].creative_assignments[].creative_id',
      'creative',
      (id) =>
        update({
          media_buy_id: own.buy,
          new_packages: [
            { product_id: 'homepage', ...sold, creative_assignments: [{ creative_id: id }] },
          ],
        }),
    ),
    ...['get_media_buys', 'get_media_buy_delivery', 'get_reporting_status'].map((task) =>
      probe(task, 'media_buy_ids', 'buy', (id) => ({ media_buy_ids: [id] })),
    ),
    probe('list_tasks', 'filters.task_ids', 'task', (id) => ({ filters: { task_ids: [id] } })),
    probe('get_task_status', 'task_id', 'task', (id) => ({ task_id: id, include_history: true })),
    probe('cancel_task', 'task_id', 'task', (id) => ({
      idempotency_key: key(),
      task_id: id,
    })),
    probe('provide_task_input', 'task_id', 'task', (id) => ({
      idempotency_key: key(),
      task_id: id,
      approved: true,
    })),
  ]
}

/** A valid request of each task, to which an account can be added. */
export const VALID_REQUESTS: Readonly<Record<string, () => Json>> = {
  list_creative_formats: () => ({}),
  build_creative: () => build({ mode: 'estimate' }),
  preview_creative: () => preview({}),
  validate_input: () => ({ manifest }),
  sync_creatives: () => ({ idempotency_key: key(), creatives: [syncedCreative('bobs')] }),
  list_creatives: () => ({}),
  get_signals: () => ({ signal_spec: 'electric' }),
  activate_signal: () => ({
    idempotency_key: key(),
    signal_agent_segment_id: 'none',
    deployments: [{ type: 'platform', platform: 'sandbox' }],
  }),
  get_products: () => ({ buying_mode: 'wholesale' }),
  create_media_buy: () => purchase({ dry_run: true }),
  update_media_buy: () => update({ media_buy_id: 'none', paused: true }),
  get_media_buys: () => ({}),
  get_media_buy_delivery: () => ({}),
  get_reporting_status: () => ({}),
  list_products: () => ({ ...newest }),
  request_proposals: () => requested({}),
  refine_proposals: () => revised('none'),
  decline_proposals: () => declined('none'),
  buy_products: () => ({ ...offer('none', 'none'), brand, account: undefined }),
  accept_proposal: () => accept('none'),
  control_media_buy: () => control({ media_buy_id: 'none', paused: true }),
  get_creative_delivery: () => ({ creative_ids: ['none'] }),
  provide_performance_feedback: () => feedback({ media_buy_id: 'none' }),
  report_usage: () => usage({ media_buy_id: 'none' }),
  list_accounts: () => ({}),
  sync_accounts: () => ({
    idempotency_key: key(),
    dry_run: true,
    accounts: [{ brand: { domain: 'bob.example' }, operator: 'bob.example' }],
  }),
  list_tasks: () => ({}),
  get_task_status: () => ({ task_id: 'none' }),
  cancel_task: () => ({ idempotency_key: key(), task_id: 'none' }),
  provide_task_input: () => ({ idempotency_key: key(), task_id: 'none', approved: true }),
  get_agent_capabilities: () => ({}),
}

interface Schema {
  $ref?: string
  items?: Schema
  properties?: Record<string, Schema>
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

/** Members of the task's request whose name ends as that of an id does, such as `packages[].product_id`. */
export function idMembers({ task }: TaskTable['entries'][number]): string[] {
  const root = toJsonSchema(task.request) as Schema
  const found = new Set<string>()
  const walk = (given: Schema | undefined, path: string, depth: number): void => {
    if (given === undefined || depth > 12) return
    const schema = given.$ref === undefined ? given : (resolve(root, given.$ref) ?? {})
    for (const one of [schema.anyOf, schema.oneOf, schema.allOf].flat()) walk(one, path, depth + 1)
    walk(schema.items, `${path}[]`, depth + 1)
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      const at = path === '' ? name : `${path}.${name}`
      if (/(?:_ids?|cursor)$/.test(name)) found.add(at)
      walk(member, at, depth + 1)
    }
  }
  walk(root, '', 0)
  return [...found]
}

function resolve(root: Schema, ref: string): Schema | undefined {
  return ref
    .split('/')
    .slice(1)
    .reduce<unknown>((at, name) => (at as Json | undefined)?.[name], root) as Schema | undefined
}
