// What the console needs from the signal agent: its search under the operator's own name, its task as a caller would
// call it, and imports of files.

import type { Principal } from '../agent/principals.ts'
import type { SignalImportPorts } from '../console/signal-import.ts'
import type { SignalPorts } from '../console/signals.ts'
import { authenticationOf } from '../signals/access.ts'
import { openSignalImports } from './open-signal-imports.ts'
import type { Parts } from './parts.ts'
import type { AgentArea } from './wire-agent.ts'
import type { SignalArea } from './wire-signals.ts'

export interface ConsoleSignalAreas {
  signals: Pick<SignalArea, 'find' | 'searchStatus' | 'agentAccess'>
  callTask: AgentArea['callTask']
}

/** All users of the console share one place in the queue of searches, and do not delay other callers. */
const CONSOLE_CALLER = { caller: 'console', hasKey: true }

type OwnPorts = Pick<
  SignalPorts,
  | 'find'
  | 'searchStatus'
  | 'countSignals'
  | 'signalQueries'
  | 'principals'
  | 'callActivate'
  | 'activationRefusal'
>

export function consoleSignals(parts: Parts, { signals, callTask }: ConsoleSignalAreas): OwnPorts {
  const { storage, lastCall } = parts
  const { find, searchStatus, agentAccess } = signals
  return {
    find: {
      ...find,
      search: { search: (query, abort) => find.search.search(query, abort, CONSOLE_CALLER) },
    },
    searchStatus,
    countSignals: storage.signals.count,
    signalQueries: storage.consoleSignals,
    principals: storage.principals,
    activationRefusal: (principal) => refusalOf(principal, agentAccess),
    callActivate: (principal, request, task_id) =>
      callTask({
        principal,
        task: 'activate_signal',
        arguments: request,
        signal: lastCall,
        task_id,
        isFollowed: true,
      }),
  }
}

function refusalOf(
  principal: Principal,
  agentAccess: SignalArea['agentAccess'],
): string | undefined {
  if (!principal.scopes.includes('tasks')) {
    return `${principal.name} lacks the scope tasks, so it cannot call tasks`
  }
  return authenticationOf(agentAccess).refusedTo?.(principal)?.message
}

export function consoleImports({ config, storage }: Parts): SignalImportPorts {
  const { transact, consoleAudit: audit } = storage
  return { transact, audit, run: openSignalImports({ config, storage }) }
}
