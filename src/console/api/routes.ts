// Every operation of the console's API, defined once for both sides: the server derives its routes from this table,
// and the app the types of its calls.

import { AGENT_ROUTES } from './agents-routes.ts'
import { auditPage, auditQuery } from './audit.ts'
import { BUY_ROUTES } from './buy-routes.ts'
import { done, noBody } from './common.ts'
import { deliveriesPage, deliveriesQuery, delivery, deliveryParams } from './deliveries.ts'
import {
  endpointDetails,
  endpointParams,
  endpointsPage,
  endpointsQuery,
  testEventAnswer,
} from './endpoints.ts'
import { KEY_ROUTES } from './keys-routes.ts'
import { LINK_ROUTES } from './link-routes.ts'
import { OPERATIONS_ROUTES } from './operations-routes.ts'
import { overview, overviewQuery } from './overview.ts'
import { PRINCIPAL_ROUTES } from './principals-routes.ts'
import { RECEIVED_ROUTES } from './received-routes.ts'
import { NETWORK_ROUTES } from './registry-network-routes.ts'
import { REGISTRY_ROUTES } from './registry-routes.ts'
import type { ConsoleRoute } from './route.ts'
import { session, signInBody } from './session.ts'
import { SESSION_ROUTES } from './session-routes.ts'
import { SIGNAL_ROUTES } from './signal-routes.ts'
import { STUDIO_ROUTES } from './studio-routes.ts'
import {
  approvalItem,
  approvalsPage,
  approvalsQuery,
  cancelTaskBody,
  decideBody,
  task,
  taskParams,
  tasksPage,
  tasksQuery,
} from './tasks.ts'
import { verifyAnswer, verifyBody } from './verify.ts'

/** The stream of `events.ts`, which is not JSON and therefore not in the table. */
export const EVENTS_PATH = '/console/api/events'

export const CONSOLE_ROUTES = {
  ...OPERATIONS_ROUTES,
  ...RECEIVED_ROUTES,
  ...NETWORK_ROUTES,
  signIn: {
    method: 'POST',
    path: '/console/api/session',
    role: 'anyone',
    body: signInBody,
    response: session,
  },
  getSession: { method: 'GET', path: '/console/api/session', role: 'viewer', response: session },
  signOut: {
    method: 'DELETE',
    path: '/console/api/session',
    role: 'viewer',
    response: done,
  },
  getOverview: {
    method: 'GET',
    path: '/console/api/overview',
    role: 'viewer',
    query: overviewQuery,
    response: overview,
  },
  listDeliveries: {
    method: 'GET',
    path: '/console/api/deliveries',
    role: 'viewer',
    query: deliveriesQuery,
    response: deliveriesPage,
  },
  getDelivery: {
    method: 'GET',
    path: '/console/api/deliveries/:delivery_id',
    role: 'viewer',
    params: deliveryParams,
    response: delivery,
  },
  retryDelivery: {
    method: 'POST',
    path: '/console/api/deliveries/:delivery_id/retry',
    role: 'operator',
    params: deliveryParams,
    body: noBody,
    response: delivery,
  },
  cancelDelivery: {
    method: 'POST',
    path: '/console/api/deliveries/:delivery_id/cancel',
    role: 'operator',
    params: deliveryParams,
    body: noBody,
    response: delivery,
  },
  listEndpoints: {
    method: 'GET',
    path: '/console/api/endpoints',
    role: 'viewer',
    query: endpointsQuery,
    response: endpointsPage,
  },
  getEndpoint: {
    method: 'GET',
    path: '/console/api/endpoints/:endpoint_id',
    role: 'viewer',
    params: endpointParams,
    response: endpointDetails,
  },
  pauseEndpoint: {
    method: 'POST',
    path: '/console/api/endpoints/:endpoint_id/pause',
    role: 'operator',
    params: endpointParams,
    body: noBody,
    response: endpointDetails,
  },
  resumeEndpoint: {
    method: 'POST',
    path: '/console/api/endpoints/:endpoint_id/resume',
    role: 'operator',
    params: endpointParams,
    body: noBody,
    response: endpointDetails,
  },
  testEndpoint: {
    method: 'POST',
    path: '/console/api/endpoints/:endpoint_id/test',
    role: 'operator',
    params: endpointParams,
    body: noBody,
    response: testEventAnswer,
  },
  listTasks: {
    method: 'GET',
    path: '/console/api/tasks',
    role: 'viewer',
    query: tasksQuery,
    response: tasksPage,
  },
  getTask: {
    method: 'GET',
    path: '/console/api/tasks/:task_id',
    role: 'viewer',
    params: taskParams,
    response: task,
  },
  cancelTask: {
    method: 'POST',
    path: '/console/api/tasks/:task_id/cancel',
    role: 'operator',
    params: taskParams,
    body: cancelTaskBody,
    response: task,
  },
  listApprovals: {
    method: 'GET',
    path: '/console/api/approvals',
    role: 'viewer',
    query: approvalsQuery,
    response: approvalsPage,
  },
  decideApproval: {
    method: 'POST',
    path: '/console/api/approvals/:task_id',
    role: 'approver',
    params: taskParams,
    body: decideBody,
    response: approvalItem,
  },
  verifyWebhook: {
    method: 'POST',
    path: '/console/api/verify',
    role: 'viewer',
    body: verifyBody,
    response: verifyAnswer,
  },
  ...SIGNAL_ROUTES,
  listAudit: {
    method: 'GET',
    path: '/console/api/audit',
    role: 'viewer',
    query: auditQuery,
    response: auditPage,
  },
  ...STUDIO_ROUTES,
  ...AGENT_ROUTES,
  ...BUY_ROUTES,
  ...REGISTRY_ROUTES,
  ...KEY_ROUTES,
  ...PRINCIPAL_ROUTES,
  ...SESSION_ROUTES,
  ...LINK_ROUTES,
} as const satisfies Readonly<Record<string, ConsoleRoute>>

export type ConsoleRoutes = typeof CONSOLE_ROUTES
export type RouteName = keyof ConsoleRoutes
