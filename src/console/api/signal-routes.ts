// The operations on signals. A file is imported over a separate route, since it is not JSON: see `signal-imports.ts`.

import type { ConsoleRoute } from './route.ts'
import {
  activateAnswer,
  activateBody,
  grantsAnswer,
  grantsParams,
  signalChoices,
  signalDetails,
  signalParams,
  signalQuery,
  signalsPage,
  signalsQuery,
} from './signals.ts'

export const SIGNAL_ROUTES = {
  listSignals: {
    method: 'GET',
    path: '/console/api/signals',
    role: 'viewer',
    query: signalsQuery,
    response: signalsPage,
  },
  getSignalChoices: {
    method: 'GET',
    path: '/console/api/signal-choices',
    role: 'viewer',
    response: signalChoices,
  },
  listSignalAccounts: {
    method: 'GET',
    path: '/console/api/signal-accounts/:principal_id',
    role: 'viewer',
    params: grantsParams,
    response: grantsAnswer,
  },
  getSignal: {
    method: 'GET',
    path: '/console/api/signals/:signal_id',
    role: 'viewer',
    params: signalParams,
    query: signalQuery,
    response: signalDetails,
  },
  activateSignal: {
    method: 'POST',
    path: '/console/api/signals/:signal_id/activate',
    role: 'operator',
    params: signalParams,
    body: activateBody,
    response: activateAnswer,
  },
} as const satisfies Readonly<Record<string, ConsoleRoute>>
