// What the tasks of 3.2 answer, and what is answered to what buyers report, in schemas of our own: closed where the public
// ones are closed.

const TEXT = { type: 'string', minLength: 1 }
const RECOVERY = { enum: ['transient', 'correctable', 'terminal'] }
const without = (...members) => ({ not: { anyOf: members.map((one) => ({ required: [one] })) } })
const rows = (items) => ({ type: 'array', items })
const DIGEST = { type: 'string', pattern: '^sha256:[A-Za-z0-9_-]{43}$' }
const ERROR = {
  type: 'object',
  required: ['code', 'message', 'recovery'],
  properties: { recovery: RECOVERY },
}
const refused = (...members) => ({
  required: ['status', 'errors'],
  properties: { status: { const: 'failed' }, errors: { ...rows(ERROR), minItems: 1 } },
  ...without(...members),
})

const PRICING = {
  type: 'object',
  required: ['pricing_option_id', 'pricing_model', 'currency'],
  not: { required: ['fixed_price', 'floor_price'] },
  additionalProperties: false,
  properties: Object.fromEntries(
    [
      'pricing_option_id',
      'pricing_model',
      'currency',
      'fixed_price',
      'floor_price',
      'price_guidance',
      'min_spend_per_package',
      'parameters',
      'event_type',
    ].map((name) => [name, {}]),
  ),
}

const PRODUCT = {
  type: 'object',
  required: ['product_id', 'name'],
  additionalProperties: false,
  properties: {
    product_id: TEXT,
    name: TEXT,
    description: TEXT,
    publisher_properties: { type: 'array', minItems: 1 },
    channels: { type: 'array' },
    format_options: {
      ...rows({ required: ['format_kind', 'params'], ...without('v1_format_ref') }),
      minItems: 1,
    },
    delivery_type: { enum: ['guaranteed', 'non_guaranteed'] },
    pricing_options: { ...rows(PRICING), minItems: 1 },
    reporting_capabilities: { required: ['timezone', 'available_metrics'] },
    brief_relevance: TEXT,
    expires_at: TEXT,
    ext: { type: 'object' },
  },
}

const PURCHASE = {
  required: ['product_id', 'pricing_option_id', 'pricing', 'start_time', 'end_time'],
  properties: { pricing: PRICING },
  ...without('creatives', 'creative_assignments', 'catalogs'),
}

const proposal = (status) => ({
  type: 'object',
  required: [
    'proposal_id',
    'proposal_kind',
    'proposal_status',
    'name',
    'commercial_terms',
    'terms_digest',
  ],
  properties: {
    proposal_status: { const: status },
    terms_digest: DIGEST,
    commercial_terms: {
      required: ['brand', 'purchases', 'start_time', 'end_time'],
      properties: {
        purchases: { ...rows(PURCHASE), minItems: 1 },
        brand: { required: ['domain'] },
      },
    },
  },
})
const opened = (status) => ({ allOf: [proposal(status), { required: ['expires_at'] }] })

const ACTIONS = rows({
  type: 'object',
  required: ['task', 'action', 'mode'],
  properties: { task: { enum: ['control_media_buy', 'refine_proposals', 'sync_creatives'] } },
})

const COMMITMENT = {
  oneOf: [
    {
      required: [
        'status',
        'media_buy_id',
        'revision',
        'accepted_proposal',
        'purchase_bindings',
        'available_actions',
      ],
      properties: {
        status: { const: 'completed' },
        accepted_proposal: {
          allOf: [proposal('accepted'), { required: ['media_buy_id', 'accepted_at'] }],
        },
        purchase_bindings: {
          ...rows({ required: ['purchase_index', 'product_id', 'package_id'] }),
          minItems: 1,
        },
        available_actions: ACTIONS,
      },
      ...without('errors', 'packages'),
    },
    refused('media_buy_id'),
    { required: ['status', 'task_id'], ...without('media_buy_id') },
  ],
}

export const COMPACT_ANSWERS = {
  list_products: {
    oneOf: [
      {
        required: ['outcome', 'products', 'feed_version', 'cache_scope'],
        properties: { outcome: { const: 'listed' }, products: rows(PRODUCT) },
        ...without('status', 'proposals', 'pagination'),
      },
      {
        required: ['outcome', 'feed_version', 'cache_scope'],
        properties: { outcome: { const: 'unchanged' } },
        ...without('status', 'products'),
      },
      refused('outcome'),
    ],
  },
  request_proposals: {
    oneOf: [
      {
        required: ['outcome', 'proposals', 'products'],
        properties: {
          outcome: { const: 'proposed' },
          proposals: { ...rows(opened('draft')), minItems: 1 },
          products: { ...rows(PRODUCT), minItems: 1 },
        },
        ...without('reason', 'suggestions', 'task_id'),
      },
      {
        required: ['outcome', 'reason'],
        properties: { outcome: { const: 'rejected' } },
        ...without('proposals', 'products', 'task_id'),
      },
      refused('outcome'),
    ],
  },
  refine_proposals: {
    oneOf: [
      {
        required: ['results', 'products'],
        properties: {
          products: rows(PRODUCT),
          results: rows({
            required: ['source_proposal_id', 'outcome'],
            oneOf: [
              {
                required: ['proposals'],
                properties: {
                  outcome: { enum: ['revised', 'partial'] },
                  proposals: rows({
                    allOf: [opened('draft'), { required: ['parent_proposal_id'] }],
                  }),
                },
              },
              {
                required: ['proposal'],
                properties: {
                  outcome: { const: 'finalized' },
                  proposal: {
                    allOf: [opened('committed'), { required: ['parent_proposal_id'] }],
                  },
                },
              },
              {
                required: ['reason_code', 'reason'],
                properties: { outcome: { const: 'unable' } },
                ...without('proposal', 'proposals'),
              },
            ],
          }),
        },
        ...without('proposals', 'task_id'),
      },
      refused('results'),
    ],
  },
  decline_proposals: {
    oneOf: [
      {
        required: ['results'],
        properties: {
          results: rows({
            required: ['proposal_id', 'outcome'],
            oneOf: [
              { properties: { outcome: { const: 'declined' } }, ...without('reason') },
              { properties: { outcome: { const: 'unable' } }, required: ['reason'] },
            ],
          }),
        },
        ...without('status', 'task_id'),
      },
      refused('results'),
    ],
  },
  buy_products: COMMITMENT,
  accept_proposal: COMMITMENT,
  control_media_buy: {
    oneOf: [
      {
        required: ['status', 'media_buy_id', 'revision'],
        properties: { status: { const: 'completed' }, available_actions: ACTIONS },
        ...without('errors', 'packages', 'affected_packages'),
      },
      refused('media_buy_id'),
      { required: ['status', 'task_id'], ...without('media_buy_id') },
    ],
  },
  get_creative_delivery: {
    oneOf: [
      {
        required: ['reporting_period', 'currency', 'creatives'],
        properties: {
          creatives: rows({
            required: ['creative_id', 'variants'],
            properties: { variants: rows({ required: ['variant_id'] }) },
          }),
        },
      },
      refused('creatives'),
    ],
  },
  provide_performance_feedback: {
    oneOf: [
      {
        required: ['success', 'feedback_id', 'application_status'],
        properties: { success: { const: true } },
        ...without('errors', 'applied_at'),
      },
      refused('success', 'sandbox'),
    ],
  },
  report_usage: {
    oneOf: [
      { required: ['accepted'], properties: { accepted: { type: 'integer', minimum: 0 } } },
      refused('accepted'),
    ],
  },
}

/** Of these complete answers have no status. */
export const SILENT_TASKS = new Set(['list_products', 'decline_proposals'])
