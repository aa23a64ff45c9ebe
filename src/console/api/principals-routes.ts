// The routes of principals, their keys and their links.

import { noBody } from './common.ts'
import { madeLink, makeLinkBody } from './links.ts'
import {
  addRequestKeyBody,
  createdPrincipal,
  createPrincipalBody,
  madeApiKey,
  makeApiKeyBody,
  ofKeyParams,
  ofLinkParams,
  principalDetails,
  principalParams,
  principalsPage,
  principalsQuery,
  revokePrincipalBody,
} from './principals.ts'
import type { ConsoleRoute } from './route.ts'

export const PRINCIPAL_ROUTES = {
  listPrincipals: {
    method: 'GET',
    path: '/console/api/principals',
    role: 'viewer',
    query: principalsQuery,
    response: principalsPage,
  },
  createPrincipal: {
    method: 'POST',
    path: '/console/api/principals',
    role: 'admin',
    body: createPrincipalBody,
    response: createdPrincipal,
  },
  getPrincipal: {
    method: 'GET',
    path: '/console/api/principals/:principal_id',
    role: 'viewer',
    params: principalParams,
    response: principalDetails,
  },
  revokePrincipal: {
    method: 'POST',
    path: '/console/api/principals/:principal_id/revoke',
    role: 'admin',
    params: principalParams,
    body: revokePrincipalBody,
    response: principalDetails,
  },
  makeApiKey: {
    method: 'POST',
    path: '/console/api/principals/:principal_id/keys',
    role: 'admin',
    params: principalParams,
    body: makeApiKeyBody,
    response: madeApiKey,
  },
  revokeApiKey: {
    method: 'POST',
    path: '/console/api/principals/:principal_id/keys/:key_id/revoke',
    role: 'admin',
    params: ofKeyParams,
    body: noBody,
    response: principalDetails,
  },
  addRequestKey: {
    method: 'POST',
    path: '/console/api/principals/:principal_id/request-keys',
    role: 'admin',
    params: principalParams,
    body: addRequestKeyBody,
    response: principalDetails,
  },
  removeRequestKey: {
    method: 'POST',
    path: '/console/api/principals/:principal_id/request-keys/:key_id/remove',
    role: 'admin',
    params: ofKeyParams,
    body: noBody,
    response: principalDetails,
  },
  makeLink: {
    method: 'POST',
    path: '/console/api/principals/:principal_id/links',
    role: 'operator',
    params: principalParams,
    body: makeLinkBody,
    response: madeLink,
  },
  revokeLink: {
    method: 'POST',
    path: '/console/api/principals/:principal_id/links/:link_id/revoke',
    role: 'operator',
    params: ofLinkParams,
    body: noBody,
    response: principalDetails,
  },
} as const satisfies Readonly<Record<string, ConsoleRoute>>
