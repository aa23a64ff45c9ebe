// Registers and removes the keys that a principal signs its requests with (spec 5).

import { addRequestKey, type NewRequestKey, removeRequestKey } from '../agent/request-keys.ts'
import { joining } from '../lib/transaction.ts'
import { tryJson } from '../lib/try-json.ts'
import { isObject } from '../protocol/schemas/checks.ts'
import type { Jwk } from '../signing/ports.ts'
import type { AddRequestKeyBody } from './api/principals.ts'
import { act } from './audit.ts'
import type { Handlers } from './handlers.ts'
import type { PrincipalViewPorts } from './principal-ports.ts'
import { notFound, Refused } from './refusal.ts'
import { showPrincipal } from './serialize-principal.ts'

export function requestKeyHandlers(
  ports: PrincipalViewPorts,
): Handlers<'addRequestKey' | 'removeRequestKey'> {
  return {
    addRequestKey: async ({ visitor, params: { principal_id: target }, body }) => {
      const wanted = wantedKey(body)
      const detail = ({ key_id }: { key_id: string }) => key_id
      const action = { visitor, action: 'principals.add_request_key', target, detail }
      await act(ports, action, async (tx) => {
        const added = await addRequestKey({ ...ports, transact: joining(tx) }, target, wanted)
        if (!added.ok) throw new Refused(409, 'conflict', added.message)
        return added.record
      })
      return showPrincipal(ports, visitor, target)
    },
    removeRequestKey: async ({ visitor, params: { principal_id: target, key_id } }) => {
      const action = { visitor, action: 'principals.remove_request_key', target, detail: key_id }
      await act(ports, action, async (tx) => {
        const own = await ports.requestKeys.list(target)
        const isOwn = own.some((one) => one.key_id === key_id)
        const within = { ...ports, transact: joining(tx) }
        if (!isOwn || !(await removeRequestKey(within, key_id))) {
          throw notFound(`key ${key_id} of this principal`)
        }
      })
      return showPrincipal(ports, visitor, target)
    },
  }
}

function wantedKey(body: AddRequestKeyBody): NewRequestKey {
  if ('jwks_url' in body) return { jwksUrl: body.jwks_url }
  if ('agent_url' in body) return { agentUrl: body.agent_url }
  const jwk = tryJson(body.jwk)
  if (isObject(jwk)) return { jwk: jwk as Jwk }
  const right = 'a key is a JSON object with kty, crv, x and kid: a public JWK'
  throw new Refused(400, 'invalid_request', right)
}
