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

/** `own` is a media buy of the caller, for members that only count inside one. */
export function idProbes(own: { buy: string; package: string }): IdProbe[] {
  return [
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
