// `get_agent_capabilities`: what this agent can do, derived from the table of tasks and the settings (spec 4.5). A
// task that is not in the table, or that this caller may not see, is not claimed.

import { defined } from '../lib/defined.ts'
import type { Portfolio } from '../media-buys/portfolio.ts'
import type { Identifiers } from '../protocol/identifiers.ts'
import type { ReleaseTable, Version } from '../protocol/releases/release-table.ts'
import { hasFeature, RELEASES } from '../protocol/releases/releases.ts'
import {
  getAgentCapabilitiesRequest,
  getAgentCapabilitiesResponse,
} from '../protocol/schemas/get-agent-capabilities.ts'
import { type AnyTask, type Caller, defineTask, type TaskArea } from '../protocol/task.ts'
import { constantCost } from '../protocol/task-cost.ts'
import {
  accountBlock,
  blockTasks,
  creativeBlock,
  type DeclaredSignals,
  mediaBuyBlock,
  NOT_OFFERED,
  signalsBlock,
  specialismsOf,
} from './capability-blocks.ts'
import { IDEMPOTENCY_TTL_SECONDS } from './idempotency.ts'
import {
  type DeclaredSigning,
  identityBlock,
  requestSigningBlock,
  type WebhookSigning,
  webhookSigningBlock,
} from './signing-blocks.ts'

export interface CapabilitiesOptions {
  identifiers: Identifiers
  /** The other tasks of the table, read when the first caller requests them. */
  tasks: () => readonly AnyTask[]
  /** What the creative agent can do besides its tasks. Default nothing. */
  creative?: Readonly<Record<string, unknown>> | undefined
  /** The part of it that only callers of later releases know. Default nothing. */
  creativeFormats?: (() => { supported_formats: unknown; preview: unknown }) | undefined
  /** The version of this program. */
  buildVersion: string
  /** How long general impairments of media buys wait to be reported together. Default 300. */
  impairmentWindowSeconds?: number | undefined
  /** Whether build_creative makes videos. Default never. */
  makesVideos?: () => Promise<boolean>
  /** The scenarios of a sandbox. Default: this is not a sandbox. */
  testing?: DeclaredScenarios | undefined
  /** How signed requests are verified, and where this operator's keys are. Default: they are not verified. */
  signing?: () => DeclaredSigning | undefined
  /** How webhooks are sent. Default: none are. */
  webhookSigning?: WebhookSigning | undefined
  /** The releases served. Default all. */
  releases?: ReleaseTable | undefined
  /** Whether get_signals answers callers without a key. Default true. */
  anonymousSignals?: boolean | undefined
  /** The data providers whose signals are offered, as public information. Omitted by default. */
  dataProviderDomains?: () => Promise<readonly string[] | undefined>
  /** The publishers whose inventory is sold, as public information. Omitted by default. */
  portfolio?: () => Promise<Portfolio | undefined>
}

interface DeclaredScenarios {
  all: readonly string[]
  /** Those that 3.0 has names for: its schema accepts no others. */
  ofFirstRelease: readonly string[]
}

/** The protocol's names for the areas that have their own tasks. */
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
    cost: constantCost(50, 'nothing: the same blocks for every caller'),
    handle: async ({ protocols }, { principal, version }) => {
      const video_generation = (await options.makesVideos?.()) ?? false
      const portfolio = await options.portfolio?.()
      const reported = withFormats(options, version)
      const signals = await declaredSignals(options, version)
      const requested = { protocols, principal, video_generation, portfolio, signals, version }
      return capabilitiesOf(reported, requested)
    },
  })
}

/** spec 4.5: later releases declare the formats, and who previews them. */
function withFormats(options: CapabilitiesOptions, version: Version): CapabilitiesOptions {
  const { creative, creativeFormats } = options
  const hasFormats = hasFeature(version, 'formats_in_capabilities')
  const hasRoutes = hasFeature(version, 'preview_in_capabilities')
  if (!creativeFormats || !(hasFormats || hasRoutes)) return options
  const { supported_formats, preview } = creativeFormats()
  const declared = {
    ...(hasFormats ? { supported_formats } : {}),
    ...(hasRoutes ? { preview } : {}),
  }
  return { ...options, creative: { ...creative, ...declared } }
}

async function declaredSignals(
  { anonymousSignals = true, dataProviderDomains }: CapabilitiesOptions,
  version: Version,
): Promise<DeclaredSignals> {
  const hasProviders = hasFeature(version, 'providers_of_signals')
  const domains = hasProviders ? await dataProviderDomains?.() : undefined
  const isReported = hasFeature(version, 'anonymous_discovery')
  return {
    ...(isReported ? { anonymous_discovery: anonymousSignals } : {}),
    ...defined({ data_provider_domains: domains }),
  }
}

interface Requested {
  protocols: readonly string[] | undefined
  principal: Caller | undefined
  video_generation: boolean
  portfolio: Portfolio | undefined
  signals: DeclaredSignals
  version: Version
}

function capabilitiesOf(options: CapabilitiesOptions, requested: Requested) {
  const { identifiers, tasks, buildVersion, releases = RELEASES } = options
  const { protocols, principal, version } = requested
  const known = tasks().filter(
    ({ isKnownTo, feature }) =>
      (isKnownTo?.(principal) ?? true) && (!feature || hasFeature(version, feature)),
  )
  const served = known.filter((task) => isWanted(PROTOCOLS[task.area], protocols))
  const of = blockTasks(served)
  const wanted = protocolsOf(served)
  const signing = options.signing?.()
  return {
    [identifiers.name]: {
      major_versions: [...releases.majors],
      supported_versions: [...releases.supported],
      build_version: releases.buildVersion(buildVersion),
      idempotency: { supported: true, replay_ttl_seconds: IDEMPOTENCY_TTL_SECONDS },
    },
    // spec 4.5: what is served is never reported as an empty list, whatever was requested.
    supported_protocols: wanted.length > 0 ? wanted : protocolsOf(known),
    tasks: [...of.names],
    ...defined({
      account: accountBlock(of, {
        isSandbox: options.testing !== undefined,
        hasNotifications: hasFeature(version, 'account_notifications'),
      }),
      creative: creativeBlock(of, options.creative, requested.video_generation),
      signals: signalsBlock(of, requested.signals),
      media_buy: mediaBuyBlock(of, {
        impairmentWindowSeconds: options.impairmentWindowSeconds ?? 300,
        portfolio: requested.portfolio,
      }),
      compliance_testing: testingBlock(options, version),
      request_signing:
        signing &&
        requestSigningBlock(signing, known, {
          onlyDocumented: hasFeature(version, 'documented_methods'),
        }),
      webhook_signing:
        options.webhookSigning && webhookSigningBlock(options.webhookSigning, identifiers),
      identity:
        signing && identityBlock(signing, { onlyHttps: hasFeature(version, 'https_identity') }),
    }),
    specialisms: specialismsOf(of),
    ext: { not_offered: [...NOT_OFFERED] },
  }
}

function testingBlock({ testing }: CapabilitiesOptions, version: Version) {
  const isFirst = hasFeature(version, 'first_scenarios')
  return testing && { scenarios: isFirst ? testing.ofFirstRelease : testing.all }
}

function protocolsOf(tasks: readonly AnyTask[]): string[] {
  const areas = new Set(tasks.map(({ area }) => area))
  return [...areas].flatMap((area) => PROTOCOLS[area] ?? [])
}

/** Whatever belongs to no particular protocol is always included. */
function isWanted(protocol: string | undefined, protocols: readonly string[] | undefined): boolean {
  return protocol === undefined || protocols === undefined || protocols.includes(protocol)
}
