// A caller that signs its requests: with a key on file, or with one that its agent on this machine publishes as
// the protocol asks, by its capabilities, its brand.json and its key set.

import { addRequestKey, type NewRequestKey } from '../../src/agent/request-keys.ts'
import { createRequestSigner, type RequestSignerOptions } from '../../src/client/sign-request.ts'
import type { KeyPair } from '../../src/signing/keys.ts'
import type { Jwk } from '../../src/signing/ports.ts'
import { type Answer, call, type TestApp } from './app.ts'
import { BRAND, keyPair, type SellerSite, sellerSite } from './seller-site.ts'

export const requestKey = (kid: string): KeyPair => keyPair(kid, 'request-signing')

export interface CallerSite extends SellerSite {
  /** What its agent says of itself, over MCP. */
  declare(capabilities: Record<string, unknown>): void
}

/** An agent that publishes these keys for its requests. */
export async function callerSite(keys: readonly Jwk[]): Promise<CallerSite> {
  const site = await sellerSite()
  const declare = (capabilities: Record<string, unknown>) =>
    site.serve('/mcp', { jsonrpc: '2.0', id: 1, result: { structuredContent: capabilities } })
  site.publish(keys)
  declare({ identity: identityOf(site) })
  return { ...site, declare }
}

export function identityOf({ origin }: SellerSite) {
  return {
    brand_json_url: `${origin}${BRAND}`,
    key_origins: { request_signing: new URL(origin).host },
  }
}

/** Puts it on file for a new principal. */
export async function callerWith(
  { storage, named }: TestApp,
  given: NewRequestKey,
  name = 'Signer',
): Promise<{ principal_id: string; key: string; key_id: string }> {
  const principal = await named(name)
  const added = await addRequestKey(
    { ...storage, keyUse: 'proto_use' },
    principal.principal_id,
    given,
  )
  if (!added.ok) throw new Error(added.message)
  return { ...principal, key_id: added.record.key_id }
}

export interface SignedCall {
  method?: string
  /** Sent as JSON; a string as it is. */
  body?: unknown
  /** A bearer key beside the signature. */
  key?: string
  /** Changes what goes out, once it is signed. */
  change?: (sent: { headers: Record<string, string>; body: string | undefined }) => void
}

/** One call over HTTP as it is signed, unless it is changed after that. */
export async function signedCall(
  pair: KeyPair,
  url: string,
  { method, body, key, change }: SignedCall = {},
  rules: Partial<RequestSignerOptions> = {},
): Promise<Answer> {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  const sent = await signedMessage(pair, url, { method, body: text }, rules)
  change?.(sent)
  const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` }
  return call(url, {
    ...(method ? { method } : {}),
    ...(sent.body === undefined ? {} : { body: sent.body }),
    headers: { ...sent.headers, ...authorization },
  })
}

export async function signedMessage(
  { privateJwk }: KeyPair,
  url: string,
  { method, body }: { method?: string | undefined; body: string | undefined },
  rules: Partial<RequestSignerOptions> = {},
): Promise<{ headers: Record<string, string>; body: string | undefined }> {
  const type: Record<string, string> =
    body === undefined ? {} : { 'content-type': 'application/json' }
  const added = await createRequestSigner({ key: privateJwk, ...rules })({
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    url,
    headers: type,
    ...(body === undefined ? {} : { body: Buffer.from(body) }),
  })
  return { headers: { ...type, ...added }, body }
}

/** What an answer says was wrong with the signature: in its body and its header, which must agree. */
export function codeIn({ status, headers, body }: Answer): string {
  const { errors } = (body.errors ? body : (body.error as { data: typeof body }).data) as {
    errors: { details?: { signature_error?: string } }[]
  }
  const code = errors[0]?.details?.signature_error
  const reported = headers.get('www-authenticate')
  if (reported !== `Signature error="${code}"`)
    throw new Error(`${status}: ${reported} is not ${code}`)
  return `${status} ${code}`
}
