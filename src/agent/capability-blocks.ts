// What the capabilities declare for each area (spec 4.5): derived from the tasks that the caller can see, so that no
// missing task is claimed.

import { ACCOUNT_EVENTS } from '../media-buys/account-webhooks.ts'
import { REFINED_DIMENSIONS } from '../media-buys/offers/refined-dimensions.ts'
import type { Portfolio } from '../media-buys/portfolio.ts'
import { PRICING_MODELS } from '../protocol/schemas/product.ts'
import type { AnyTask, TaskArea } from '../protocol/task.ts'

/** The tasks that a block is about. */
export interface BlockTasks {
  names: ReadonlySet<string>
  areas: ReadonlySet<TaskArea>
}

export function blockTasks(tasks: readonly AnyTask[]): BlockTasks {
  return {
    names: new Set(tasks.map(({ name }) => name)),
    areas: new Set(tasks.map(({ area }) => area)),
  }
}

interface AccountFlags {
  /** Whether the server is a sandbox. Default false. */
  isSandbox?: boolean
  /** Whether the release has notifications of accounts. Default false. */
  hasNotifications?: boolean
}

export function accountBlock(
  { names }: BlockTasks,
  { isSandbox = false, hasNotifications = false }: AccountFlags,
) {
  if (!names.has('sync_accounts')) return undefined
  return {
    supported_billing: ['operator', 'agent', 'advertiser'],
    require_operator_auth: false,
    required_for_products: false,
    sandbox: isSandbox,
    ...(hasNotifications
      ? {
          notifications: {
            supported: true,
            registration_task: 'sync_accounts',
            read_task: 'list_accounts',
            event_types: [...ACCOUNT_EVENTS],
          },
        }
      : {}),
  }
}

export function creativeBlock(
  { names, areas }: BlockTasks,
  more: Readonly<Record<string, unknown>> | undefined,
  video_generation: boolean,
) {
  if (!areas.has('creative')) return undefined
  return {
    supports_compliance: false,
    supports_generation: names.has('build_creative'),
    supports_transformation: names.has('build_creative'),
    has_creative_library: names.has('sync_creatives'),
    ...more,
    features: { video_generation: video_generation && names.has('build_creative') },
  }
}

/** What the capabilities declare about the signal agent besides its tasks. */
export interface DeclaredSignals {
  /** Omitted: the caller's release does not have it. */
  anonymous_discovery?: boolean
  data_provider_domains?: readonly string[]
}

export function signalsBlock({ names, areas }: BlockTasks, declared: DeclaredSignals) {
  if (!areas.has('signals')) return undefined
  return {
    discovery_modes: ['brief', 'wholesale'],
    ...declared,
    features: { catalog_signals: true, activation: names.has('activate_signal') },
  }
}

export function mediaBuyBlock(
  { names, areas }: BlockTasks,
  {
    impairmentWindowSeconds,
    portfolio,
  }: { impairmentWindowSeconds: number; portfolio: Portfolio | undefined },
) {
  if (!areas.has('media-buy')) return undefined
  return {
    supported_pricing_models: [...PRICING_MODELS],
    buying_modes: ['brief', 'wholesale', 'refine'],
    reporting_delivery_methods: ['webhook'],
    creative_approval_mode: 'auto_approve',
    supports_proposals: names.has('get_products') && names.has('create_media_buy'),
    ...lifecycleOf(names),
    governance_aware: false,
    features: {
      inline_creative_management: names.has('create_media_buy'),
      property_list_filtering: false,
      catalog_management: false,
      seller_optimized_budget: false,
      budget_capping: false,
    },
    propagation_surfaces: ['snapshot', 'webhook'],
    // spec 6.3: at most the five minutes that buyers expect.
    impairment_coalescence: {
      general_seconds: impairmentWindowSeconds,
      fraud_seconds: 0,
      safety_seconds: 0,
    },
    ...(portfolio && { portfolio }),
  }
}

/** The tasks of 3.2, for callers that have them. */
const LIFECYCLE_TOOLS = [
  'list_products',
  'request_proposals',
  'refine_proposals',
  'decline_proposals',
  'buy_products',
  'accept_proposal',
  'control_media_buy',
] as const

function lifecycleOf(names: ReadonlySet<string>) {
  const lifecycle_tools = LIFECYCLE_TOOLS.filter((name) => names.has(name))
  if (lifecycle_tools.length === 0) return {}
  return {
    lifecycle_tools,
    ...(names.has('refine_proposals')
      ? { proposal_refinement: { supported_dimensions: [...REFINED_DIMENSIONS] } }
      : {}),
    ...(names.has('provide_performance_feedback')
      ? { performance_feedback: { reports_application_status: true } }
      : {}),
  }
}

/** Parts of the protocol that other servers provide: this one serves none of them. */
export const NOT_OFFERED = [
  'audiences',
  'catalogs',
  'event_sources',
  'governance_plans',
  'wholesale_feeds',
] as const

/** Which tasks each conformance profile requires. */
const SPECIALISMS: readonly (readonly [string, readonly string[]])[] = [
  ['creative-template', ['list_creative_formats', 'preview_creative', 'build_creative']],
  ['creative-generative', ['build_creative']],
  ['signal-marketplace', ['get_signals', 'activate_signal']],
  ['signal-owned', ['get_signals', 'activate_signal']],
  ['sales-non-guaranteed', ['get_products', 'create_media_buy', 'update_media_buy']],
  ['sales-guaranteed', ['get_products', 'create_media_buy', 'update_media_buy']],
]

export function specialismsOf({ names }: BlockTasks): string[] {
  return SPECIALISMS.filter(([, needed]) => needed.every((name) => names.has(name))).map(
    ([specialism]) => specialism,
  )
}
