// The routes about other agents: querying, calling, following, and the doctor.

import {
  agentsAnswer,
  askAgentBody,
  askAnswer,
  callAnswer,
  callBody,
  cancelCallBody,
  followBody,
} from './agents.ts'
import { noBody } from './common.ts'
import { examinationDetails, examinationParams, examinations, examineBody } from './doctor.ts'
import type { ConsoleRoute } from './route.ts'

export const AGENT_ROUTES = {
  getAgents: {
    method: 'GET',
    path: '/console/api/agents',
    role: 'viewer',
    response: agentsAnswer,
  },
  askAgent: {
    method: 'POST',
    path: '/console/api/agents/ask',
    role: 'operator',
    body: askAgentBody,
    response: askAnswer,
  },
  callAgent: {
    method: 'POST',
    path: '/console/api/agents/call',
    role: 'operator',
    body: callBody,
    response: callAnswer,
  },
  followAgentTask: {
    method: 'POST',
    path: '/console/api/agents/follow',
    role: 'operator',
    body: followBody,
    response: callAnswer,
  },
  cancelAgentTask: {
    method: 'POST',
    path: '/console/api/agents/cancel',
    role: 'operator',
    body: cancelCallBody,
    response: callAnswer,
  },
  listExaminations: {
    method: 'GET',
    path: '/console/api/doctor',
    role: 'viewer',
    response: examinations,
  },
  examine: {
    method: 'POST',
    path: '/console/api/doctor',
    role: 'operator',
    body: examineBody,
    response: examinationDetails,
  },
  getExamination: {
    method: 'GET',
    path: '/console/api/doctor/:run_id',
    role: 'viewer',
    params: examinationParams,
    response: examinationDetails,
  },
  stopExamination: {
    method: 'POST',
    path: '/console/api/doctor/:run_id/cancel',
    role: 'operator',
    params: examinationParams,
    body: noBody,
    response: examinationDetails,
  },
} as const satisfies Readonly<Record<string, ConsoleRoute>>
