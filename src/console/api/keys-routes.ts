// The routes of the operator's own keys.

import { kidParams, newKeyBody, revokeKeyBody, rotateBody, signingKeys } from './keys.ts'
import type { ConsoleRoute } from './route.ts'

export const KEY_ROUTES = {
  listSigningKeys: {
    method: 'GET',
    path: '/console/api/keys',
    role: 'viewer',
    response: signingKeys,
  },
  publishSigningKey: {
    method: 'POST',
    path: '/console/api/keys',
    role: 'admin',
    body: newKeyBody,
    response: signingKeys,
  },
  rotateSigningKey: {
    method: 'POST',
    path: '/console/api/keys/rotate',
    role: 'admin',
    body: rotateBody,
    response: signingKeys,
  },
  revokeSigningKey: {
    method: 'POST',
    path: '/console/api/keys/:kid/revoke',
    role: 'admin',
    params: kidParams,
    body: revokeKeyBody,
    response: signingKeys,
  },
} as const satisfies Readonly<Record<string, ConsoleRoute>>
