// The sender of a delivery, by the scheme that its route is registered for (spec 5). It is the signer's agents[] URL
// or the binding of the credential, never a value from the payload.

import type { SenderKeys } from '../../key-discovery/sender-keys.ts'
import { defined } from '../../lib/defined.ts'
import type { Identifiers } from '../../protocol/identifiers.ts'
import type { HttpMessage } from '../../signing/ports.ts'
import { verifyBearer } from '../schemes/bearer.ts'
import { verifyHmac } from '../schemes/hmac.ts'
import { checkMode } from '../schemes/mode.ts'
import { verifyWebhook, type WebhookVerifyOptions } from '../schemes/rfc9421.ts'
import type { BearerRoute, HmacRoute, Route, SignedRoute } from './routes.ts'

type Authenticated =
  | { ok: true; sender: string }
  /** `detail` is for the operator's log; a peer receives only the code. */
  | { ok: false; code: string; detail: string }

export interface AuthenticateOptions
  extends Pick<
    WebhookVerifyOptions,
    'checkRevocation' | 'replay' | 'checkSignature' | 'acceptRequestKeys'
  > {
  names: Pick<Identifiers, 'webhookTag' | 'keyUse' | 'signatureHeader' | 'timestampHeader'>
  keys: Pick<SenderKeys, 'find'>
}

/** Uses up the nonce of an accepted delivery. Rejects if a port does. */
export async function authenticate(
  message: HttpMessage,
  route: Route,
  options: AuthenticateOptions & { nowMs: number },
): Promise<Authenticated> {
  const mode = checkMode(route.mode, message.headers, options.names)
  if (!mode.ok) return mode
  if (route.mode === 'rfc9421') return bySignature(message, route, options)

  const verdict =
    route.mode === 'Bearer'
      ? verifyBearer(message.headers, route.credentials)
      : verifyHmac(message, secretsOf(route), {
          names: options.names,
          now: Math.floor(options.nowMs / 1_000),
        })
  return verdict.ok ? { ok: true, sender: boundSender(route) } : verdict
}

async function bySignature(
  message: HttpMessage,
  { seller }: SignedRoute,
  { names, keys, nowMs, ...ports }: AuthenticateOptions & { nowMs: number },
): Promise<Authenticated> {
  const verdict = await verifyWebhook(message, names, {
    ...ports,
    now: Math.floor(nowMs / 1_000),
    findKey: (keyid) => keys.find(keyid, seller === undefined ? {} : { seller }),
  })
  return verdict.ok ? { ok: true, sender: verdict.signer } : verdict
}

function secretsOf({ secret, previous }: HmacRoute) {
  return { current: secret, ...defined({ previous }) }
}

function boundSender({ mode, name, sender }: HmacRoute | BearerRoute): string {
  return sender ?? `${mode === 'Bearer' ? 'bearer' : 'hmac'}:${name}`
}
