// What carries a signal to a platform (spec 3.3). An operator writes one for each platform it works with;
// docs/writing-a-connector.md shows how, and examples/connectors/ has one.

import type { ActivationKey, DeploymentTarget } from '../../protocol/schemas/deployment.ts'
import type { CatalogueSignal } from '../catalogue.ts'

/**
 * Calls may be repeated: after a crash, a timeout or a failure the same call is made again with the same
 * `activation_id`, which was stored before the first one. A platform that knows it already answers as
 * it did, and does nothing twice. What a connector throws counts as a failure that may pass.
 */
export interface Connector {
  /** Begins to put the signal on the target. */
  activate(run: ActivationRun & ActivationDetails, abort: AbortSignal): Promise<ConnectorAnswer>
  /** How a run stands that was pending. Needed only where `activate` ever answers so. */
  poll?(run: ActivationRun, abort: AbortSignal): Promise<ConnectorAnswer>
  /** Takes the signal off again, live or not; what the platform does not know is off already. */
  deactivate(run: ActivationRun, abort: AbortSignal): Promise<Deactivated>
}

/** One activation of a signal on a target. */
export interface ActivationRun {
  activation_id: string
  signal_agent_segment_id: string
  principal_id: string
  target: DeploymentTarget
  /** When it began, in milliseconds since the Unix epoch. */
  started_at: number
  pricing_option_id?: string | undefined
  /** What the last pending answer brought; undefined before. */
  handle?: unknown
}

/** What a platform may want to know of it besides. */
export interface ActivationDetails {
  signal: Pick<CatalogueSignal, 'name' | 'description' | 'signal_type' | 'data_provider'>
  principal_name: string
}

/** How an activation stands on its platform. */
export type ConnectorAnswer =
  | { status: 'live'; key: ActivationKey }
  | {
      status: 'pending'
      /** Handed to `poll` and `deactivate`, as JSON can hold it. Default: none. */
      handle?: unknown
      /** Minutes from now until it should be live. Default: what the catalogue says. */
      etaMinutes?: number | undefined
      /** Pause before `poll`, in milliseconds. Default: a tenth of the time left, 5 s to 5 min. */
      pollAfterMs?: number | undefined
    }
  | ConnectorFailure

/** A platform refused or could not be reached. */
export interface ConnectorFailure {
  status: 'failed'
  /** For the caller: what was wrong, without secrets. */
  reason: string
  /** Whether the same call may succeed later. */
  retryable: boolean
}

/** What became of taking a signal off. */
export type Deactivated = { status: 'off' } | ConnectorFailure

/** The connectors of this server. */
export interface Connectors {
  /** The connector for a target, or the message for the caller that requested it. */
  find(target: DeploymentTarget): Connector | { missing: string }
}

export interface ConnectorOptions {
  /** By the platform's name. */
  platforms: Readonly<Record<string, Connector>>
  /** For targets of type `agent`. */
  agent: Connector
  /** Stands in for platforms without one. Default none. */
  fallback?: Connector | undefined
}

export function createConnectors({ platforms, agent, fallback }: ConnectorOptions): Connectors {
  const byName = new Map(Object.entries(platforms))
  return {
    find: (target) => {
      if (target.type === 'agent') return agent
      const found = byName.get(target.platform) ?? fallback
      if (found) return found
      const configured = [...byName.keys()].sort().join(', ')
      return {
        missing: `no connector for platform ${target.platform}; configured are ${configured}`,
      }
    },
  }
}
