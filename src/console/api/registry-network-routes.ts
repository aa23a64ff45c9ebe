// The operations of the console on publishers, their networks, and what waits for a moderator.

import { noBody } from './common.ts'
import {
  agentPage,
  agentQuery,
  crawlPage,
  crawlQuery,
  networkPage,
  networkQuery,
  publisherDetails,
  publisherParams,
  reviewBody,
  reviewPage,
} from './registry-network.ts'
import type { ConsoleRoute } from './route.ts'

export const NETWORK_ROUTES = {
  showNetwork: {
    method: 'GET',
    path: '/console/api/registry/network',
    role: 'viewer',
    query: networkQuery,
    response: networkPage,
  },
  listCrawled: {
    method: 'GET',
    path: '/console/api/registry/crawl',
    role: 'viewer',
    query: crawlQuery,
    response: crawlPage,
  },
  showPublisher: {
    method: 'GET',
    path: '/console/api/registry/publishers/:domain',
    role: 'viewer',
    params: publisherParams,
    response: publisherDetails,
  },
  crawlPublisher: {
    method: 'POST',
    path: '/console/api/registry/publishers/:domain/crawl',
    role: 'operator',
    params: publisherParams,
    body: noBody,
    response: publisherDetails,
  },
  showRegistryAgent: {
    method: 'GET',
    path: '/console/api/registry/agent',
    role: 'viewer',
    query: agentQuery,
    response: agentPage,
  },
  listReviews: {
    method: 'GET',
    path: '/console/api/registry/reviews',
    role: 'operator',
    response: reviewPage,
  },
  decideReview: {
    method: 'POST',
    path: '/console/api/registry/reviews/decide',
    role: 'operator',
    body: reviewBody,
    response: reviewPage,
  },
} as const satisfies Readonly<Record<string, ConsoleRoute>>
