// Principals: who may call, with which keys, and what each owns.

import { z } from 'zod'
import { SCOPES } from '../../agent/principals.ts'
import { counted, ownId, pageOf, pageQuery, textFilter, time } from './common.ts'
import { linkItem } from './links.ts'

const MAX_NAME = 200

const principalItem = z.strictObject({
  principal_id: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  /** Made by a start with --demo. */
  is_demo: z.boolean(),
  created_at: time,
  revoked_at: time.optional(),
  /** Keys that would be accepted. */
  good_keys: z.number(),
  /** When any of its keys was last used. */
  last_used_at: time.optional(),
})
export type PrincipalItem = z.infer<typeof principalItem>

export const principalsQuery = z.strictObject({
  ...pageQuery,
  /** A part of the name in any case, an id, or the first characters of a key. */
  q: textFilter.optional(),
  scope: z.enum(SCOPES).optional(),
  state: z.enum(['good', 'revoked']).optional(),
})
export type PrincipalsQuery = z.infer<typeof principalsQuery>

export const principalsPage = pageOf(principalItem)
export type PrincipalsPage = z.infer<typeof principalsPage>

const apiKey = z.strictObject({
  key_id: z.string(),
  /** The first characters, to recognise the key by. */
  hint: z.string(),
  state: z.enum(['good', 'expired', 'revoked']),
  created_at: time,
  last_used_at: time.optional(),
  expires_at: time.optional(),
  revoked_at: time.optional(),
  /** The key of the session that asks. */
  is_session: z.boolean(),
})
export type ApiKey = z.infer<typeof apiKey>

const requestKey = z.strictObject({
  key_id: z.string(),
  kind: z.enum(['jwk', 'jwks_url', 'agent_url']),
  /** The key's own id, or the address. */
  key: z.string(),
  /** The keys that an address is pinned to. */
  pin: z.array(z.string()),
  created_at: time,
})

export const principalDetails = z.strictObject({
  ...principalItem.shape,
  /** Whether it is who asks. */
  is_self: z.boolean(),
  /** The newest first. */
  api_keys: z.array(apiKey),
  /** What it signs its requests with. */
  request_keys: z.array(requestKey),
  /** On platforms that it may use. */
  accounts: z.array(z.strictObject({ platform: z.string(), account: z.string() })),
  /** How much of each quota it uses; `limit` is missing if there is none. */
  usage: z.array(
    z.strictObject({ quota: z.string(), used: z.number(), limit: z.number().optional() }),
  ),
  /** What continues after it is revoked. */
  under_way: z.strictObject({
    open_tasks: counted,
    waiting_webhooks: counted,
    media_buys: counted,
  }),
  /** The newest first; at most 50. */
  links: z.array(linkItem),
})
export type PrincipalDetails = z.infer<typeof principalDetails>

export const principalParams = z.strictObject({ principal_id: ownId })

export const createPrincipalBody = z.strictObject({
  name: z.string().min(1).max(MAX_NAME),
  scopes: z.array(z.enum(SCOPES)).min(1).max(SCOPES.length),
})

/** The key is returned only this once: only its hash is stored. */
export const createdPrincipal = z.strictObject({ principal_id: z.string(), key: z.string() })

export const revokePrincipalBody = z.strictObject({
  /** Its name, as a person typed it. */
  confirm: z.string().max(MAX_NAME),
})

export const makeApiKeyBody = z.strictObject({
  /** Default: it does not expire. */
  expires_in_days: z.number().int().min(1).max(3_650).optional(),
})

export const madeApiKey = z.strictObject({ key_id: z.string(), key: z.string() })

export const ofKeyParams = z.strictObject({
  ...principalParams.shape,
  key_id: ownId,
})

const MAX_JWK_CHARS = 8_192

/** A public key as JSON, or an address. */
export const addRequestKeyBody = z.union([
  z.strictObject({ jwk: z.string().min(2).max(MAX_JWK_CHARS) }),
  z.strictObject({ jwks_url: z.string().min(1).max(2_048) }),
  z.strictObject({ agent_url: z.string().min(1).max(2_048) }),
])
export type AddRequestKeyBody = z.infer<typeof addRequestKeyBody>

export const ofLinkParams = z.strictObject({
  ...principalParams.shape,
  link_id: ownId,
})
