// The sandbox of a server started with --sandbox, which other parts are built with: what its test controller
// simulates, seeds and records. Undefined on every other server.

import type { Egress } from '../../lib/safe-fetch/safe-fetch.ts'
import { loadBuiltIn } from '../../sandbox/load-built-in.ts'
import {
  createSeededFormats,
  FORMATS_TOPIC,
  type SeededFormats,
} from '../../sandbox/seeded-formats.ts'
import {
  createSimulatedDelivery,
  type SimulatedDelivery,
} from '../../sandbox/simulated-delivery.ts'
import { refuseRealPrincipals } from '../../sandbox/tenants.ts'
import { createTraffic, type Traffic } from '../../sandbox/upstream-traffic.ts'
import type { ActivationRun, Connector } from '../../signals/connectors/connector.ts'
import { createHttpConnector } from '../../signals/connectors/http.ts'
import type { Config } from '../config.ts'
import type { Storage } from '../open-storage.ts'
import { platformUrl } from './platform-routes.ts'

export interface Sandbox {
  formats: SeededFormats
  traffic: Traffic
  simulated: SimulatedDelivery
  /** Stands in for every platform. */
  platforms: Connector
}

interface Wanted {
  config: Pick<Config, 'sandbox'>
  storage: Storage
  egress: Pick<Egress, 'fetch'>
  onFault: (error: unknown) => void
}

/** Throws on a database that is not a sandbox's. `listening` returns the URL of this server, once it listens. */
export async function openSandbox(
  { config, storage, egress, onFault }: Wanted,
  listening: () => string,
): Promise<Sandbox | undefined> {
  if (!config.sandbox) return undefined
  await refuseRealPrincipals(storage)
  await loadBuiltIn(storage)
  const { transact, onWake, sandboxNotes: notes } = storage
  const formats = createSeededFormats({ notes })
  await formats.refresh()
  onWake(FORMATS_TOPIC, () => void formats.refresh().catch(onFault))
  const traffic = createTraffic({ transact, notes })
  const recorded = traffic.recording(egress)
  const platformOf = ({ target }: ActivationRun) =>
    createHttpConnector({
      url: platformUrl(listening(), target.type === 'platform' ? target.platform : 'agent'),
      egress: recorded,
    })
  return {
    formats,
    traffic,
    simulated: createSimulatedDelivery({ notes }),
    platforms: {
      activate: (run, abort) => platformOf(run).activate(run, abort),
      deactivate: (run, abort) => platformOf(run).deactivate(run, abort),
    },
  }
}
