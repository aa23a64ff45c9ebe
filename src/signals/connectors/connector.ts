// Activates a signal on a platform (spec 3.3). An operator writes one connector for each platform it works with;
// docs/writing-a-connector.md shows how, and examples/connectors/ has one.

import type { ActivationKey, DeploymentTarget } from '../../protocol/schemas/deployment.ts'
import type { CatalogueSignal } from '../catalogue.ts'

/**
 * Calls may be repeated: after a crash, a timeout or a failure the same call is made again with the same
 * `activation_id`, which was stored before the first one. A platform that already has this id must repeat its
 * response and do nothing twice. An exception from a connector counts as a temporary failure.
 */
export interface Connector {
  /** Starts the activation of the signal on the target. */
  activate(run: ActivationRun & ActivationDetails, abort: AbortSignal): Promise<ConnectorAnswer>
  /** The status of a run that was pending. Needed only if `activate` ever returns pending. */
  poll?(run: ActivationRun, abort: AbortSignal): Promise<ConnectorAnswer>
  /** Removes the signal again, live or not; one that the platform does not have counts as removed. */
  deactivate(run: ActivationRun, abort: AbortSignal): Promise<Deactivated>
}

/** One activation of a signal on a target. */
export interface ActivationRun {
  activation_id: string
  signal_agent_segment_id: string
  principal_id: string
  target: DeploymentTarget
  /** When it started, in milliseconds since the Unix epoch. */
  started_at: number
  pricing_option_id?: string | undefined
  /** The handle from the last pending response; undefined before the first. */
  handle?: unknown
}

/** Further details that a platform may need. */
export interface ActivationDetails {
  signal: Pick<CatalogueSignal, 'name' | 'description' | 'signal_type' | 'data_provider'>
  principal_name: string
}

/** The status of an activation on its platform. */
export type ConnectorAnswer =
  | { status: 'live'; key: ActivationKey }
  | {
      status: 'pending'
      /** Passed to `poll` and `deactivate`; must be valid JSON. Default: none. */
      handle?: unknown
      /** Minutes from now until it is expected to be live. Default: the catalogue's value. */
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

/** The result of removing a signal. */
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
  /** Fallback for platforms without a connector. Default none. */
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
