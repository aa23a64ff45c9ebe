// What 3.1 and 3.2 ask of an answer beyond 3.0, in schemas of our own: no package carries the public ones of those
// releases yet.

import { COMPACT_ANSWERS } from './compact-shapes.mjs'

const TEXT = { type: 'string', minLength: 1 }
const RECOVERY = { enum: ['transient', 'correctable', 'terminal'] }
/** No pointer: `packages[0].budget`. */
const PATH = { type: 'string', pattern: '^[^/]' }

const ERROR = {
  type: 'object',
  required: ['code', 'message', 'recovery'],
  properties: {
    code: { type: 'string', minLength: 1, maxLength: 64 },
    message: TEXT,
    recovery: RECOVERY,
    field: PATH,
    retry_after: { type: 'integer', minimum: 1, maximum: 3600 },
    issues: {
      type: 'array',
      items: {
        type: 'object',
        required: ['pointer', 'message', 'keyword'],
        properties: { pointer: { type: 'string', pattern: '^(/|$)' } },
      },
    },
  },
}

const without = (...members) => ({ not: { anyOf: members.map((one) => ({ required: [one] })) } })
const rows = (items) => ({ type: 'array', items })
const submitted = (...members) => ({
  required: ['status', 'task_id'],
  properties: { status: { const: 'submitted' }, message: { type: 'string', maxLength: 2000 } },
  ...without(...members),
})
/** Work that nobody decides on, which the call did not wait for. */
const working = (...members) => ({
  required: ['status', 'task_id'],
  properties: { status: { const: 'working' } },
  ...without(...members),
})
const refused = (...members) => ({
  required: ['errors'],
  properties: { errors: { ...rows(ERROR), minItems: 1 }, status: { const: 'failed' } },
  ...without(...members),
})

const BUY_STATES = ['pending_creatives', 'pending_start', 'active', 'paused', 'completed']
const BUY_STATUS = { enum: [...BUY_STATES, 'rejected', 'canceled'] }
const ROW_ERRORS = { errors: rows(ERROR) }
const PREVIEW = {
  type: 'object',
  required: ['preview_id', 'renders', 'input'],
  properties: {
    renders: { type: 'array', minItems: 1 },
    input: { type: 'object', required: ['name'] },
  },
}
const PREVIEWS = { ...rows(PREVIEW), minItems: 1 }
/** A manifest, or a row of the library, has one name for its format and never two. */
const ONE_FORMAT = {
  oneOf: [
    { required: ['format_id'], ...without('format_kind') },
    { required: ['format_kind'], ...without('format_id') },
  ],
}
const MANIFEST = { type: 'object', required: ['assets'], ...ONE_FORMAT }
const VIOLATIONS = rows({
  type: 'object',
  required: ['rule', 'field'],
  properties: { rule: TEXT, field: { type: 'string', pattern: '^([^/]|$)' } },
})

const CACHED = { cache_scope: { enum: ['public', 'account'] } }

const METHODS = rows({
  type: 'string',
  pattern: '/',
  not: { const: 'tools/call' },
})

/** Task by task, what an answer of 3.1 or 3.2 is. */
export const ANSWERS = {
  ...COMPACT_ANSWERS,
  get_adcp_capabilities: {
    oneOf: [
      {
        required: ['adcp', 'supported_protocols'],
        properties: {
          adcp: { required: ['major_versions', 'supported_versions', 'idempotency'] },
          request_signing: {
            required: ['supported', 'covers_content_digest'],
            properties: {
              covers_content_digest: { const: 'required' },
              protocol_methods_required_for: METHODS,
              protocol_methods_warn_for: METHODS,
              protocol_methods_supported_for: METHODS,
            },
          },
          webhook_signing: {
            required: [
              'supported',
              'profile',
              'algorithms',
              'legacy_hmac_fallback',
              'delivery_retry_horizon_seconds',
            ],
          },
          identity: { properties: { brand_json_url: { type: 'string', pattern: '^https://' } } },
          creative: {
            properties: {
              preview: { required: ['routes'], properties: { routes: { minItems: 1 } } },
              supported_formats: rows({
                required: ['capability_id', 'format', 'operations'],
                properties: { capability_id: { pattern: '^[a-zA-Z0-9_-]+$' } },
              }),
            },
          },
        },
      },
      refused('adcp'),
    ],
  },
  get_signals: {
    oneOf: [
      {
        required: ['signals', 'cache_scope'],
        properties: {
          ...CACHED,
          signals: rows({
            required: [
              'signal_agent_segment_id',
              'name',
              'description',
              'signal_type',
              'deployments',
            ],
            anyOf: [{ required: ['signal_ref'] }, { required: ['signal_id'] }],
          }),
        },
        ...without('unchanged'),
      },
      {
        required: ['unchanged', 'wholesale_feed_version', 'cache_scope'],
        properties: { ...CACHED, unchanged: { const: true } },
        ...without('signals'),
      },
      refused('signals'),
    ],
  },
  activate_signal: {
    oneOf: [{ required: ['deployments'], ...without('errors') }, refused('deployments', 'sandbox')],
  },
  get_products: {
    oneOf: [
      { required: ['products', 'cache_scope'], properties: CACHED, ...without('reason') },
      { required: ['status', 'reason'], properties: { status: { const: 'rejected' } } },
      submitted('products'),
      refused('products'),
    ],
  },
  create_media_buy: {
    oneOf: [
      {
        required: ['media_buy_id', 'confirmed_at', 'revision', 'packages', 'media_buy_status'],
        properties: { status: { const: 'completed' }, media_buy_status: BUY_STATUS },
        ...without('errors'),
      },
      submitted('media_buy_id', 'packages'),
      working('media_buy_id', 'packages'),
      refused('media_buy_id', 'packages', 'sandbox'),
    ],
  },
  update_media_buy: {
    oneOf: [
      {
        required: ['media_buy_id', 'revision'],
        properties: { status: { const: 'completed' }, media_buy_status: BUY_STATUS },
        ...without('errors'),
      },
      submitted('media_buy_id'),
      working('media_buy_id'),
      refused('media_buy_id', 'affected_packages', 'sandbox'),
    ],
  },
  get_media_buys: {
    properties: {
      media_buys: rows({
        required: [
          'media_buy_id',
          'status',
          'currency',
          'total_budget',
          'confirmed_at',
          'revision',
          'packages',
        ],
      }),
    },
  },
  get_media_buy_delivery: {
    if: { required: ['aggregated_totals'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['currency'] },
    properties: {
      media_buy_deliveries: rows({
        required: ['media_buy_id', 'currency'],
        properties: { by_package: rows({ required: ['package_id', 'spend'] }) },
      }),
    },
  },
  sync_accounts: {
    oneOf: [
      {
        required: ['accounts'],
        properties: {
          accounts: rows({
            required: ['brand', 'operator', 'action', 'status'],
            properties: {
              ...ROW_ERRORS,
              action: { enum: ['created', 'updated', 'unchanged', 'failed'] },
            },
          }),
        },
        ...without('errors'),
      },
      refused('accounts', 'dry_run'),
    ],
  },
  sync_creatives: {
    oneOf: [
      {
        required: ['creatives'],
        properties: {
          creatives: rows({
            required: ['creative_id', 'action'],
            properties: ROW_ERRORS,
            if: { properties: { action: { enum: ['failed', 'deleted'] } } },
            // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
            then: without('status'),
          }),
        },
        ...without('errors', 'task_id'),
      },
      submitted('creatives'),
      refused('creatives', 'dry_run', 'sandbox', 'task_id'),
    ],
  },
  list_creatives: {
    properties: {
      creatives: rows({
        required: ['creative_id', 'name', 'status', 'created_date', 'updated_date'],
        ...ONE_FORMAT,
      }),
    },
  },
  build_creative: {
    oneOf: [
      { required: ['creative_manifest'], properties: { creative_manifest: MANIFEST } },
      {
        required: ['creative_manifests'],
        properties: { creative_manifests: { ...rows(MANIFEST), minItems: 1 } },
      },
      { required: ['creatives'] },
      { required: ['mode', 'estimate'], properties: { mode: { const: 'estimate' } } },
      submitted('creative_manifest', 'creative_manifests'),
      working('creative_manifest', 'creative_manifests'),
      refused('creative_manifest', 'creative_manifests'),
    ],
  },
  preview_creative: {
    oneOf: [
      {
        required: ['response_type', 'previews'],
        properties: { response_type: { const: 'single' }, previews: PREVIEWS },
      },
      {
        required: ['response_type', 'results'],
        properties: {
          response_type: { const: 'batch' },
          results: rows({
            required: ['success', 'creative_id'],
            oneOf: [
              {
                required: ['response'],
                properties: {
                  success: { const: true },
                  response: { required: ['previews'], properties: { previews: PREVIEWS } },
                },
              },
              { required: ['errors'], properties: { success: { const: false }, ...ROW_ERRORS } },
            ],
          }),
        },
      },
      refused('previews'),
    ],
  },
  validate_input: {
    oneOf: [
      {
        required: ['results'],
        properties: {
          results: rows({
            required: ['target', 'result_kind'],
            properties: { violations: VIOLATIONS },
            if: { properties: { result_kind: { enum: ['validated_pass'] } } },
            // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
            then: without('violations'),
          }),
        },
      },
      refused('results'),
    ],
  },
  get_task_status: {
    required: ['status'],
    anyOf: [
      { required: ['task_id', 'task_type', 'protocol', 'created_at', 'updated_at'] },
      refused('task_id'),
    ],
  },
}

/** What every answer of these releases has, whatever the task. */
export function envelopeOf(release, { hasStatus = true } = {}) {
  return {
    type: 'object',
    required: [...(hasStatus ? ['status'] : []), 'adcp_version'],
    properties: { status: TEXT, adcp_version: { const: release }, adcp_error: ERROR },
    ...without('task_status', 'response_status'),
  }
}

export const WEBHOOK = {
  type: 'object',
  required: ['idempotency_key', 'operation_id', 'task_id', 'task_type', 'status', 'timestamp'],
  properties: {
    idempotency_key: { type: 'string', pattern: '^[A-Za-z0-9_.:-]{16,255}$' },
    timestamp: { type: 'string', format: 'date-time' },
    result: { type: 'object' },
  },
}

/** Of 3.2 alone: older callers know none of it. */
export const NEWEST_MEMBERS = [
  'format_kind',
  'format_options',
  'supported_formats',
  'capability_id',
  'available_actions',
  'seller_managed',
]
