// `get_agent_capabilities`: what this agent can do, derived from the table of tasks and the settings
// (spec 4.5). A task that is not in the table, or not for this caller to know of, is not claimed.

import { defined } from '../lib/defined.ts'
import type { Identifiers } from '../protocol/identifiers.ts'
import {
  getAgentCapabilitiesRequest,
  getAgentCapabilitiesResponse,
} from '../protocol/schemas/get-agent-capabilities.ts'
import { type AnyTask, type Caller, defineTask, type TaskArea } from '../protocol/task.ts'
import { SERVED_MAJORS, SERVED_RELEASES } from '../protocol/versions.ts'
import { IDEMPOTENCY_TTL_SECONDS } from './idempotency.ts'

export interface CapabilitiesOptions {
  identifiers: Identifiers
  /** The other tasks of the table, asked when the first caller wants to know. */
  tasks: () => readonly AnyTask[]
  /** What the creative agent can do beside its tasks. Default nothing. */
  creative?: Readonly<Record<string, unknown>> | undefined
  /** The version of this program. */
  buildVersion: string
  /** How long general impairments of media buys wait to be told together. Default 300. */
  impairmentWindowSeconds?: number | undefined
  /** Whether build_creative makes videos. Default never. */
  makesVideos?: () => Promise<boolean>
}

/** How the protocol names the areas that have tasks of their own. */
const PROTOCOLS: Partial<Record<TaskArea, string>> = {
  creative: 'creative',
  signals: 'signals',
  'media-buy': 'media_buy',
}

export function getAgentCapabilities(options: CapabilitiesOptions): AnyTask {
  return defineTask({
    name: 'get_agent_capabilities',
    aliases: [options.identifiers.capabilitiesTask],
    summary: 'What this agent can do: protocols, versions, tasks and features',
    area: 'protocol',
    access: 'public',
    changes: false,
    request: getAgentCapabilitiesRequest,
    response: getAgentCapabilitiesResponse,
    handle: async ({ protocols }, { principal }) => {
      const video_generation = (await options.makesVideos?.()) ?? false
      return capabilitiesOf(options, { protocols, principal, video_generation })
    },
  })
}

interface Asked {
  protocols: readonly string[] | undefined
  principal: Caller | undefined
  video_generation: boolean
}

function capabilitiesOf(
  {
    identifiers,
    tasks,
    creative,
    buildVersion,
    impairmentWindowSeconds = 300,
  }: CapabilitiesOptions,
  { protocols, principal, video_generation }: Asked,
) {
  const served = tasks().filter(
    (task) => isWanted(PROTOCOLS[task.area], protocols) && (task.isKnownTo?.(principal) ?? true),
  )
  const names = new Set(served.map(({ name }) => name))
  const areas = new Set(served.map(({ area }) => area))
  return {
    [identifiers.name]: {
      major_versions: [...SERVED_MAJORS],
      supported_versions: [...SERVED_RELEASES],
      build_version: buildVersion,
      idempotency: { supported: true, replay_ttl_seconds: IDEMPOTENCY_TTL_SECONDS },
    },
    supported_protocols: [...areas].flatMap((area) => PROTOCOLS[area] ?? []),
    tasks: [...names],
    ...defined({
      creative: areas.has('creative')
        ? {
            supports_generation: names.has('build_creative'),
            supports_transformation: names.has('build_creative'),
            has_creative_library: names.has('sync_creatives'),
            ...creative,
            features: { video_generation: video_generation && names.has('build_creative') },
          }
        : undefined,
      signals: areas.has('signals')
        ? { features: { activation: names.has('activate_signal') } }
        : undefined,
      media_buy: areas.has('media-buy')
        ? {
            features: {
              inline_creative_management: names.has('create_media_buy'),
              seller_optimized_budget: false,
              budget_capping: false,
            },
            propagation_surfaces: ['snapshot', 'webhook'],
            // spec 6.3: at most the five minutes that buyers expect.
            impairment_coalescence: {
              ...{ general_seconds: impairmentWindowSeconds, fraud_seconds: 0, safety_seconds: 0 },
            },
          }
        : undefined,
    }),
    specialisms: [],
  }
}

/** What belongs to no protocol of its own is always told. */
function isWanted(protocol: string | undefined, protocols: readonly string[] | undefined): boolean {
  return protocol === undefined || protocols === undefined || protocols.includes(protocol)
}
