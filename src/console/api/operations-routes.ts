// The routes for an operator's actions on one endpoint, and for messages to a buyer.

import { noBody } from './common.ts'
import { endpointDetails, endpointParams } from './endpoints.ts'
import {
  limitsBody,
  recoveries,
  recovery,
  recoveryBody,
  recoveryCount,
  recoveryCountQuery,
  recoveryParams,
} from './operations.ts'
import type { ConsoleRoute } from './route.ts'
import { approvalItem, askApprovalBody, taskParams } from './tasks.ts'

export const OPERATIONS_ROUTES = {
  listRecoveries: {
    method: 'GET',
    path: '/console/api/endpoints/:endpoint_id/recoveries',
    role: 'viewer',
    params: endpointParams,
    response: recoveries,
  },
  countRecovery: {
    method: 'GET',
    path: '/console/api/endpoints/:endpoint_id/recoveries/count',
    role: 'viewer',
    params: endpointParams,
    query: recoveryCountQuery,
    response: recoveryCount,
  },
  startRecovery: {
    method: 'POST',
    path: '/console/api/endpoints/:endpoint_id/recoveries',
    role: 'operator',
    params: endpointParams,
    body: recoveryBody,
    response: recovery,
  },
  cancelRecovery: {
    method: 'POST',
    path: '/console/api/recoveries/:recovery_id/cancel',
    role: 'operator',
    params: recoveryParams,
    body: noBody,
    response: recovery,
  },
  setEndpointLimits: {
    method: 'POST',
    path: '/console/api/endpoints/:endpoint_id/limits',
    role: 'operator',
    params: endpointParams,
    body: limitsBody,
    response: endpointDetails,
  },
  askApproval: {
    method: 'POST',
    path: '/console/api/approvals/:task_id/ask',
    role: 'approver',
    params: taskParams,
    body: askApprovalBody,
    response: approvalItem,
  },
} as const satisfies Readonly<Record<string, ConsoleRoute>>
