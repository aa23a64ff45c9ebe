// Resending what was lost at an endpoint since a given time: counted first, then started, watched and cancelled.

import { defined } from '../lib/defined.ts'
import type { Recovery, RecoveryRequest, RecoveryStore } from '../webhooks/sender/recovery-store.ts'
import type { OwnedEndpoint } from '../webhooks/sender/store.ts'
import type { RecoveryItem } from './api/operations.ts'
import { type ActionPorts, act } from './audit.ts'
import { iso, isoOf } from './format-values.ts'
import type { Handlers } from './handlers.ts'
import { endpointIdOf, endpointOf } from './ids.ts'
import type { ConsoleQueries } from './queries.ts'
import { notFound, Refused } from './refusal.ts'

export interface RecoveryPorts extends ActionPorts {
  queries: Pick<ConsoleQueries, 'endpointChannels'>
  recoveries: RecoveryStore
}

type RecoveryRoute = 'listRecoveries' | 'countRecovery' | 'startRecovery' | 'cancelRecovery'

const DISPLAYED = 10

export function recoveryHandlers(ports: RecoveryPorts): Handlers<RecoveryRoute> {
  const { recoveries } = ports
  return {
    listRecoveries: async ({ params }) => ({
      items: (await recoveries.list(endpointOf(params.endpoint_id), DISPLAYED)).map(itemOf),
    }),
    countRecovery: async ({ params, query }) => {
      const selection = { ...endpointOf(params.endpoint_id), ...preferenceOf(query) }
      const { found, isAll } = await recoveries.count(selection)
      return { count: isAll ? found : { at_least: found } }
    },
    startRecovery: async ({ visitor, params, body }) => {
      const of = endpointOf(params.endpoint_id)
      const selection = { ...of, ...preferenceOf(body) }
      const detail = `${body.which === 'all' ? 'all' : 'what failed'} since ${iso(selection.since)}`
      const action = { visitor, action: 'endpoints.recover', target: targetOf(of), detail }
      const requested_by = visitor.principal.name
      return act(ports, action, async (tx) => {
        if (!(await ports.queries.endpointChannels(of, 1)).length) {
          throw notFound('registration that leads to this endpoint')
        }
        const begun = await recoveries.begin(tx, { ...selection, requested_by })
        if (begun) return itemOf(begun)
        const why = 'a recovery of this endpoint is in progress: wait until it ends, or cancel it'
        throw new Refused(409, 'conflict', why)
      })
    },
    cancelRecovery: async ({ visitor, params: { recovery_id: id } }) => {
      const found = await recoveries.get(id)
      if (!found) throw notFound(`recovery ${id}`)
      const action = {
        visitor,
        action: 'endpoints.recover_cancel',
        target: targetOf(found),
        detail: `recovery ${id}`,
      }
      await act(ports, action, async (tx) => {
        if (await recoveries.cancel(tx, id)) return
        throw new Refused(409, 'conflict', 'it has ended already')
      })
      return itemOf((await recoveries.get(id)) ?? found)
    },
  }
}

function preferenceOf({ since, which }: { since: string; which: RecoveryRequest['which'] }) {
  return { since: Date.parse(since), which }
}

function targetOf({ owner, endpoint }: OwnedEndpoint): string {
  return `${endpoint} of ${owner}`
}

function itemOf(recovery: Recovery): RecoveryItem {
  const { recovery_id, which, state, total, sent, passed_over, requested_by, ended_at } = recovery
  return {
    recovery_id,
    which,
    state,
    total,
    sent,
    passed_over,
    requested_by,
    endpoint_id: endpointIdOf(recovery),
    since: iso(recovery.since),
    created_at: iso(recovery.created_at),
    ...defined({ ended_at: isoOf(ended_at) }),
    may: { cancel: ended_at === undefined },
  }
}
