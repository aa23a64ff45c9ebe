// Every task with its schemas and with calls that are right, in both generations.

import type { z } from 'zod'
import * as accounts from '../../../src/protocol/schemas/accounts.ts'
import * as activateSignal from '../../../src/protocol/schemas/activate-signal.ts'
import * as buildCreative from '../../../src/protocol/schemas/build-creative.ts'
import * as callAgent from '../../../src/protocol/schemas/call-agent.ts'
import * as capabilities from '../../../src/protocol/schemas/get-agent-capabilities.ts'
import * as getSignals from '../../../src/protocol/schemas/get-signals.ts'
import * as listCreativeFormats from '../../../src/protocol/schemas/list-creative-formats.ts'
import * as listCreatives from '../../../src/protocol/schemas/list-creatives.ts'
import * as mediaBuys from '../../../src/protocol/schemas/media-buys.ts'
import * as previewCreative from '../../../src/protocol/schemas/preview-creative.ts'
import * as syncCreatives from '../../../src/protocol/schemas/sync-creatives.ts'
import * as tasks from '../../../src/protocol/schemas/tasks.ts'
import * as validateInput from '../../../src/protocol/schemas/validate-input.ts'

export type Json = Record<string, unknown>

export interface EveryTask {
  request: z.ZodType
  response: z.ZodType<object>
  /** Requests that are right: first as the specification shows them. */
  calls: Json[]
  /** A response that is right. */
  answer: Json
}

export const formatId = { agent_url: 'https://creative.example.com', id: 'display_300x250_image' }
export const time = '2026-01-31T12:00:00Z'
export const key = 'key-0123456789abcdef'
export const platform = { type: 'platform', platform: 'the-trade-desk', account: 'agency-123' }
export const agent = { type: 'agent', agent_url: 'https://seller.example.com' }

export const manifest = {
  format_id: formatId,
  assets: {
    banner: { asset_type: 'image', url: 'https://cdn.example.com/a.png', width: 300, height: 250 },
    headline: { asset_type: 'text', content: 'Hello' },
    click: { asset_type: 'url', url: 'https://example.com/?c={CLICK_URL}' },
  },
}
export const generative = {
  format_id: formatId,
  assets: {
    promoted_offerings: {
      brand_manifest: {
        url: 'https://brand.example.com',
        name: 'Brand',
        colors: { primary: '#FF0000', secondary: '#0000ff' },
      },
      inline_offerings: [{ name: 'Shoes', description: 'They run by themselves' }],
    },
  },
}

const render = {
  render_id: 'r1',
  output_format: 'url',
  preview_url: 'https://a.example.com/previews/1',
  role: 'primary',
  dimensions: { width: 300, height: 250 },
}
const preview = {
  preview_id: 'p1',
  preview_url: render.preview_url,
  input: { name: 'Default' },
  renders: [render],
}
const live = {
  ...platform,
  is_live: true,
  activation_key: { type: 'segment_id', segment_id: 'ttd-1' },
  deployed_at: time,
}
const signal = {
  signal_agent_segment_id: 'seg_1',
  name: 'Runners',
  description: 'People who run',
  signal_type: 'marketplace',
  data_provider: 'Acme Data',
  coverage_percentage: 12.5,
  deployments: [live, { ...agent, is_live: false, estimated_activation_duration_minutes: 60 }],
  pricing: { cpm: 3.5, currency: 'USD' },
  pricing_options: [{ pricing_option_id: 'o1', model: 'cpm', cpm: 3.5, currency: 'USD' }],
  signal_id: { source: 'catalog', data_provider_domain: 'acme.example', id: 'runners' },
  ext: { match_reason: 'name' },
}
const format = {
  format_id: formatId,
  name: 'Medium rectangle',
  type: 'display',
  renders: [{ role: 'primary', dimensions: { width: 300, height: 250 } }],
  assets_required: [
    {
      item_type: 'individual',
      asset_id: 'banner',
      asset_type: 'image',
      required: true,
      requirements: { formats: ['png'], max_file_size_kb: 200 },
    },
  ],
  assets: [
    {
      item_type: 'repeatable_group',
      asset_group_id: 'cards',
      required: false,
      min_count: 0,
      max_count: 10,
      assets: [{ asset_id: 'image', asset_type: 'image' }],
    },
  ],
}
const taskSummary = {
  task_id: 't1',
  task_type: 'activate_signal',
  protocol: 'signals',
  domain: 'signals',
  status: 'working',
  created_at: time,
  updated_at: time,
  has_webhook: false,
}
const taskRecord = { ...taskSummary, progress: { percentage: 50 } }
export const row = {
  media_buy_id: 'mb1',
  currency: 'USD',
  status: 'active',
  totals: { impressions: 100, spend: 1.5, clicks: 2 },
  by_package: [{ package_id: 'pk1', spend: 1.5 }],
}
export const activity = {
  idempotency_key: key,
  fired_at: time,
  completed_at: null,
  notification_type: 'scheduled',
  attempt: 1,
  status: 'pending',
  url: 'https://buyer.example.com/hooks',
  http_status_code: null,
}
const buy = { media_buy_id: 'mb1', revision: 1, confirmed_at: null }
const account = { brand: { domain: 'acme.example' }, operator: 'agency.example' }
const summary = { total_matching: 0, returned: 0 }
const page = { has_more: false }

export const EVERY_TASK: Record<string, EveryTask> = {
  list_creative_formats: {
    request: listCreativeFormats.listCreativeFormatsRequest,
    response: listCreativeFormats.listCreativeFormatsResponse,
    calls: [
      { type: 'display', asset_types: ['image', 'html'], max_width: 970, name_search: 'rect' },
      { format_ids: [formatId], is_responsive: false, pagination: { max_results: 20 } },
      {},
    ],
    answer: { formats: [format], creative_agents: [{ agent_url: 'https://b.example.com' }] },
  },
  build_creative: {
    request: buildCreative.buildCreativeRequest,
    response: buildCreative.buildCreativeResponse,
    calls: [
      { message: 'A banner', creative_manifest: generative, target_format_id: formatId },
      {
        target_format_ids: [formatId, { ...formatId, id: 'template', width: 300, height: 250 }],
        brand: { domain: 'acme.example' },
        include_preview: true,
        idempotency_key: key,
      },
    ],
    answer: { creative_manifest: manifest, expires_at: time },
  },
  preview_creative: {
    request: previewCreative.previewCreativeRequest,
    response: previewCreative.previewCreativeResponse,
    calls: [
      {
        request_type: 'single',
        format_id: formatId,
        creative_manifest: manifest,
        inputs: [{ name: 'Mobile', macros: { DEVICE_TYPE: 'mobile' } }],
        output_format: 'html',
      },
      {
        request_type: 'batch',
        requests: [{ format_id: formatId, creative_manifest: manifest }, { nonsense: true }],
      },
      { request_type: 'single', creative_manifest: manifest, quality: 'draft' },
      { request_type: 'variant', variant_id: 'v1' },
    ],
    answer: { response_type: 'single', previews: [preview], expires_at: time },
  },
  validate_input: {
    request: validateInput.validateInputRequest,
    response: validateInput.validateInputResponse,
    calls: [{ manifest, targets: [{ kind: 'canonical', id: 'image' }] }, { manifest }],
    answer: {
      results: [
        {
          target: { kind: 'canonical', id: 'image' },
          ok: false,
          result_kind: 'validated_fail',
          violations: [{ rule: 'max_file_size_kb', field: '/assets/banner', expected: 200 }],
        },
      ],
    },
  },
  get_signals: {
    request: getSignals.getSignalsRequest,
    response: getSignals.getSignalsResponse,
    calls: [
      {
        signal_spec: 'People who run marathons',
        deliver_to: { deployments: [platform, agent], countries: ['US', 'DE'] },
        filters: { catalog_types: ['marketplace'], max_cpm: 5, min_coverage_percentage: 10 },
        max_results: 5,
      },
      {
        signal_refs: [
          { scope: 'data_provider', data_provider_domain: 'a.example', signal_id: 's' },
        ],
        destinations: [agent],
        countries: ['us'],
        pagination: { max_results: 50, cursor: 'c' },
      },
      { signal_spec: 'x', deliver_to: { platforms: 'all', countries: [] } },
      { discovery_mode: 'wholesale' },
    ],
    answer: { signals: [signal], pagination: { has_more: true, cursor: 'c', total_count: 9 } },
  },
  activate_signal: {
    request: activateSignal.activateSignalRequest,
    response: activateSignal.activateSignalResponse,
    calls: [
      { signal_agent_segment_id: 'seg_1', deployments: [platform] },
      {
        signal_agent_segment_id: 'seg_1',
        destinations: [agent],
        action: 'deactivate',
        idempotency_key: key,
      },
    ],
    answer: { deployments: [live] },
  },
  get_agent_capabilities: {
    request: capabilities.getAgentCapabilitiesRequest,
    response: capabilities.getAgentCapabilitiesResponse,
    calls: [{}, { protocols: ['creative'] }],
    answer: { supported_protocols: ['creative'], proto: { major_versions: [3] } },
  },
  list_tasks: {
    request: tasks.listTasksRequest,
    response: tasks.listTasksResponse,
    calls: [{}, { filters: { status: ['working'], task_types: ['build_creative'] } }],
    answer: {
      query_summary: summary,
      tasks: [taskSummary],
      pagination: page,
    },
  },
  get_task_status: {
    request: tasks.getTaskStatusRequest,
    response: tasks.getTaskStatusResponse,
    calls: [{ task_id: 't1', include_result: true }],
    answer: taskRecord,
  },
  cancel_task: {
    request: tasks.cancelTaskRequest,
    response: tasks.cancelTaskResponse,
    calls: [{ task_id: 't1', reason: 'no longer wanted' }],
    answer: { ...taskRecord, status: 'canceled' },
  },
  provide_task_input: {
    request: tasks.provideTaskInputRequest,
    response: tasks.provideTaskInputResponse,
    calls: [{ task_id: 't1', input: { color: 'red' }, approved: true }],
    answer: taskRecord,
  },
  sync_creatives: {
    request: syncCreatives.syncCreativesRequest,
    response: syncCreatives.syncCreativesResponse,
    calls: [
      { creatives: [{ creative_id: 'c1', creative_manifest: manifest }] },
      {
        creatives: [{ creative_id: 'c1', name: 'C', ...manifest }],
        assignments: [{ creative_id: 'c1', package_id: 'pk1', weight: 50 }],
        account: { account_id: 'a1' },
        idempotency_key: key,
      },
    ],
    answer: { creatives: [{ creative_id: 'c1', action: 'created', status: 'approved' }] },
  },
  list_creatives: {
    request: listCreatives.listCreativesRequest,
    response: listCreatives.listCreativesResponse,
    calls: [{}, { filters: { statuses: ['approved'], format_ids: [formatId] } }],
    answer: {
      query_summary: summary,
      pagination: page,
      creatives: [
        {
          creative_id: 'c1',
          name: 'C',
          format_id: formatId,
          status: 'approved',
          created_date: time,
          updated_date: time,
          assets: manifest.assets,
        },
      ],
    },
  },
  create_media_buy: {
    request: mediaBuys.createMediaBuyRequest,
    response: mediaBuys.createMediaBuyResponse,
    calls: [
      {
        packages: [{ product_id: 'pr1', budget: 100, pricing_option_id: 'o1' }],
        start_time: 'asap',
        end_time: time,
        reporting_webhook: { url: 'https://buyer.example.com/r', reporting_frequency: 'daily' },
      },
      {
        account: { brand: { domain: 'acme.example' }, operator: 'agency.example' },
        brand: { domain: 'acme.example' },
        proposal_id: 'p1',
        total_budget: { amount: 10, currency: 'USD' },
        start_time: time,
        end_time: time,
        idempotency_key: key,
      },
    ],
    answer: { ...buy, media_buy_status: 'pending_start', packages: [{ package_id: 'pk1' }] },
  },
  update_media_buy: {
    request: mediaBuys.updateMediaBuyRequest,
    response: mediaBuys.updateMediaBuyResponse,
    calls: [
      { media_buy_id: 'mb1', paused: true },
      { media_buy_id: 'mb1', canceled: true },
    ],
    answer: { media_buy_id: 'mb1', revision: 2, affected_packages: [] },
  },
  get_media_buys: {
    request: mediaBuys.getMediaBuysRequest,
    response: mediaBuys.getMediaBuysResponse,
    calls: [
      { media_buy_ids: ['mb1'], include_webhook_activity: true },
      { status_filter: 'active' },
    ],
    answer: {
      media_buys: [
        {
          ...buy,
          status: 'active',
          currency: 'USD',
          total_budget: 100,
          packages: [{ package_id: 'pk1' }],
          health: 'impaired',
          impairments: [
            {
              impairment_id: 'i1',
              resource_type: 'creative',
              resource_id: 'c1',
              package_ids: ['pk1'],
              transition: { to: 'suspended' },
              reason_code: 'policy_violation',
              observed_at: time,
            },
          ],
          webhook_activity: [activity],
        },
      ],
    },
  },
  get_media_buy_delivery: {
    request: mediaBuys.getMediaBuyDeliveryRequest,
    response: mediaBuys.getMediaBuyDeliveryResponse,
    calls: [{ media_buy_ids: ['mb1'], start_date: '2026-01-01', time_granularity: 'daily' }],
    answer: {
      reporting_period: { start: time, end: time },
      currency: 'USD',
      media_buy_deliveries: [row],
      aggregated_totals: { impressions: 100, spend: 1.5, media_buy_count: 1 },
    },
  },
  sync_accounts: {
    request: accounts.syncAccountsRequest,
    response: accounts.syncAccountsResponse,
    calls: [{ accounts: [{ ...account, billing: 'operator', payment_terms: 'net_30' }] }],
    answer: { accounts: [{ ...account, account_id: 'a1', action: 'created', status: 'active' }] },
  },
  call_proto_agent: {
    request: callAgent.callAgentRequest,
    response: callAgent.callAgentResponse,
    calls: [
      { agent_url: agent.agent_url, task: 'get_signals', params: { a: 1 }, wait: true },
      { agent_url: agent.agent_url, task: 'list_tasks', auth_token: 'tok_0123456789' },
    ],
    answer: {
      agent_url: agent.agent_url,
      task: 'get_signals',
      transport: 'mcp',
      notice: 'Not ours.',
      answer: { status: 'submitted', task_id: 't1', data: { status: 'submitted' } },
      next: {
        message: 'Ask.',
        task: 'get_task_status',
        params: { task_id: 't1' },
        after_seconds: 5,
      },
    },
  },
  list_accounts: {
    request: accounts.listAccountsRequest,
    response: accounts.listAccountsResponse,
    calls: [{}, { status: 'active' }],
    answer: { accounts: [{ account_id: 'a1', name: 'Acme', status: 'active' }], pagination: page },
  },
}
