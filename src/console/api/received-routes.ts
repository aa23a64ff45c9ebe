// The routes of received messages.

import { noBody } from './common.ts'
import { receivedMessage, receivedPage, receivedParams, receivedQuery } from './received.ts'
import type { ConsoleRoute } from './route.ts'

export const RECEIVED_ROUTES = {
  listReceived: {
    method: 'GET',
    path: '/console/api/received',
    role: 'viewer',
    query: receivedQuery,
    response: receivedPage,
  },
  getReceived: {
    method: 'GET',
    path: '/console/api/received/:message_id',
    role: 'viewer',
    params: receivedParams,
    response: receivedMessage,
  },
  applyReceived: {
    method: 'POST',
    path: '/console/api/received/:message_id/apply',
    role: 'operator',
    params: receivedParams,
    body: noBody,
    response: receivedMessage,
  },
  dropReceived: {
    method: 'POST',
    path: '/console/api/received/:message_id/drop',
    role: 'operator',
    params: receivedParams,
    body: noBody,
    response: receivedMessage,
  },
} as const satisfies Readonly<Record<string, ConsoleRoute>>
