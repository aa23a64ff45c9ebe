// The operations of the console on media buys.

import {
  buy,
  buyActivity,
  buyParams,
  buyReports,
  buyReportsQuery,
  buysPage,
  buysQuery,
  impairmentParams,
  pacing,
  raiseBody,
} from './buys.ts'
import { noBody } from './common.ts'
import type { ConsoleRoute } from './route.ts'

export const BUY_ROUTES = {
  listBuys: {
    method: 'GET',
    path: '/console/api/buys',
    role: 'viewer',
    query: buysQuery,
    response: buysPage,
  },
  getBuy: {
    method: 'GET',
    path: '/console/api/buys/:media_buy_id',
    role: 'viewer',
    params: buyParams,
    response: buy,
  },
  getBuyPacing: {
    method: 'GET',
    path: '/console/api/buys/:media_buy_id/pacing',
    role: 'viewer',
    params: buyParams,
    response: pacing,
  },
  getBuyReports: {
    method: 'GET',
    path: '/console/api/buys/:media_buy_id/reports',
    role: 'viewer',
    params: buyParams,
    query: buyReportsQuery,
    response: buyReports,
  },
  getBuyActivity: {
    method: 'GET',
    path: '/console/api/buys/:media_buy_id/activity',
    role: 'viewer',
    params: buyParams,
    response: buyActivity,
  },
  raiseImpairment: {
    method: 'POST',
    path: '/console/api/buys/:media_buy_id/impairments',
    role: 'operator',
    params: buyParams,
    body: raiseBody,
    response: buy,
  },
  clearImpairment: {
    method: 'POST',
    path: '/console/api/buys/:media_buy_id/impairments/:impairment_id/clear',
    role: 'operator',
    params: impairmentParams,
    body: noBody,
    response: buy,
  },
} as const satisfies Readonly<Record<string, ConsoleRoute>>
