// The routes of a buyer's page. None of them takes a principal's name: the link determines whose data is returned.

import { done } from './common.ts'
import { deliveriesPage, delivery, deliveryParams } from './deliveries.ts'
import { endpointsPage } from './endpoints.ts'
import {
  linkDeliveriesQuery,
  linkEndpointsQuery,
  linkReportsPage,
  linkReportsQuery,
  openedLink,
  openLinkBody,
} from './links.ts'
import type { ConsoleRoute } from './route.ts'

export const LINK_ROUTES = {
  openLink: {
    method: 'POST',
    path: '/console/api/link/session',
    role: 'link',
    body: openLinkBody,
    response: openedLink,
  },
  getLink: {
    method: 'GET',
    path: '/console/api/link/session',
    role: 'link',
    response: openedLink,
  },
  closeLink: {
    method: 'DELETE',
    path: '/console/api/link/session',
    role: 'link',
    response: done,
  },
  listLinkDeliveries: {
    method: 'GET',
    path: '/console/api/link/deliveries',
    role: 'link',
    query: linkDeliveriesQuery,
    response: deliveriesPage,
  },
  getLinkDelivery: {
    method: 'GET',
    path: '/console/api/link/deliveries/:delivery_id',
    role: 'link',
    params: deliveryParams,
    response: delivery,
  },
  listLinkEndpoints: {
    method: 'GET',
    path: '/console/api/link/endpoints',
    role: 'link',
    query: linkEndpointsQuery,
    response: endpointsPage,
  },
  listLinkReports: {
    method: 'GET',
    path: '/console/api/link/reports',
    role: 'link',
    query: linkReportsQuery,
    response: linkReportsPage,
  },
} as const satisfies Readonly<Record<string, ConsoleRoute>>
