// The signals that a request names by signal_ids or signal_refs (spec 2.6): which segments they are, and a warning
// for each that does not exist or that this caller may not see.

import { agentUrlsAt, isOwnAgentUrl } from '../protocol/agent-url.ts'
import { type TaskError, taskError } from '../protocol/errors.ts'
import { suggestNear } from '../protocol/near-ids.ts'
import type { GetSignalsRequest } from '../protocol/schemas/get-signals.ts'
import type { CallContext } from '../protocol/task.ts'
import { maySee } from './access.ts'
import type { CatalogueSignal } from './catalogue.ts'
import { nearSignals } from './near-signals.ts'
import { type NamedSignal, readSignalId, readSignalRef } from './signal-names.ts'
import type { SignalStore } from './store.ts'

export interface LookUpPorts {
  signals: Pick<SignalStore, 'get' | 'ids'>
  publicUrl: () => string
}

/** Names for which similar ones are searched: a request may have a hundred that do not exist. */
const MOST_COMPARED = 3

export async function lookUpNames(
  { signal_ids = [], signal_refs = [] }: GetSignalsRequest,
  { principal, calledOn }: Pick<CallContext, 'principal' | 'calledOn'>,
  { signals, publicUrl }: LookUpPorts,
): Promise<{ ids: string[]; errors: TaskError[] }> {
  const requested = [
    ...signal_ids.map((name, n) => ({ field: `/signal_ids/${n}`, ...readSignalId(name) })),
    ...signal_refs.map((name, n) => ({ field: `/signal_refs/${n}`, ...readSignalRef(name) })),
  ]
  const stored = await signals.get(requested.map((one) => one.signal_agent_segment_id))
  const own = agentUrlsAt([publicUrl(), calledOn])
  const isOurs = (url: string) => isOwnAgentUrl(url, own)
  const isThere = (one: NamedSignal) => {
    const signal = stored.get(one.signal_agent_segment_id)?.signal
    return signal !== undefined && isMeant(signal, one, isOurs) && maySee(signal, principal)
  }
  const ids = requested.filter(isThere).map((one) => one.signal_agent_segment_id)
  const errors: TaskError[] = []
  for (const [index, one] of requested.filter((name) => !isThere(name)).entries()) {
    const { field, signal_agent_segment_id: id } = one
    const near = index < MOST_COMPARED ? await nearSignals(signals, id, principal) : []
    const suggestion = suggestNear(near, 'Use a signal_ref or signal_id returned by get_signals.')
    const message = `${field}: no signal with this id`
    errors.push(taskError('REFERENCE_NOT_FOUND', message, { field, suggestion }))
  }
  return { ids: [...new Set(ids)], errors }
}

function isMeant(
  signal: CatalogueSignal,
  { data_provider_domain, agent_url }: NamedSignal,
  isOurs: (url: string) => boolean,
): boolean {
  if (data_provider_domain !== undefined) {
    return signal.data_provider_domain === data_provider_domain
  }
  return agent_url === undefined || isOurs(agent_url)
}
