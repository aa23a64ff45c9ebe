// The operations of the console on the registry.

import { noBody } from './common.ts'
import {
  checkAnswer,
  checkBody,
  domainParams,
  feedPage,
  feedQuery,
  referenceParams,
  referencesPage,
  referencesQuery,
  registryDomain,
} from './registry.ts'
import type { ConsoleRoute } from './route.ts'

export const REGISTRY_ROUTES = {
  listReferences: {
    method: 'GET',
    path: '/console/api/registry/references',
    role: 'viewer',
    query: referencesQuery,
    response: referencesPage,
  },
  lookUpDomain: {
    method: 'GET',
    path: '/console/api/registry/domains/:domain',
    role: 'viewer',
    params: domainParams,
    response: registryDomain,
  },
  verifyReference: {
    method: 'POST',
    path: '/console/api/registry/references/:reference_id/verify',
    role: 'operator',
    params: referenceParams,
    body: noBody,
    response: registryDomain,
  },
  listFeed: {
    method: 'GET',
    path: '/console/api/registry/feed',
    role: 'viewer',
    query: feedQuery,
    response: feedPage,
  },
  checkManifest: {
    method: 'POST',
    path: '/console/api/registry/check',
    role: 'viewer',
    body: checkBody,
    response: checkAnswer,
  },
} as const satisfies Readonly<Record<string, ConsoleRoute>>
