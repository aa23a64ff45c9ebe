// Principals: listed, created, given keys and links, and revoked, by the rules of `adwire principals`. A key and a
// link are returned only when they are created. Operators cannot lock themselves out: an operator keeps the key they
// are signed in with, so at least one operator can always sign in.

import {
  createPrincipal,
  type Principal,
  principalKeys,
  revokePrincipal,
} from '../agent/principals.ts'
import { isGood } from '../lib/api-keys.ts'
import { defined } from '../lib/defined.ts'
import { joining, type Transaction } from '../lib/transaction.ts'
import { cursorOf, readCursor } from '../protocol/cursor.ts'
import type { PrincipalsPage, PrincipalsQuery } from './api/principals.ts'
import { act } from './audit.ts'
import type { Handlers } from './handlers.ts'
import type { PrincipalViewPorts } from './principal-ports.ts'
import { badCursor, notFound, Refused } from './refusal.ts'
import { requestKeyHandlers } from './request-keys.ts'
import { principalItemOf, showPrincipal } from './serialize-principal.ts'
import type { Visitor } from './sessions.ts'

type PrincipalRoute =
  | 'listPrincipals'
  | 'createPrincipal'
  | 'getPrincipal'
  | 'revokePrincipal'
  | 'makeApiKey'
  | 'revokeApiKey'
  | 'addRequestKey'
  | 'removeRequestKey'
  | 'makeLink'
  | 'revokeLink'

export function principalHandlers(ports: PrincipalViewPorts): Handlers<PrincipalRoute> {
  const { links } = ports
  return {
    listPrincipals: ({ query }) => listPrincipals(ports, query),
    getPrincipal: ({ visitor, params }) => showPrincipal(ports, visitor, params.principal_id),
    createPrincipal: async ({ visitor, body: { name, scopes } }) => {
      const detail = ({ principal }: Created) => `${principal.principal_id}: ${scopes.join(', ')}`
      const action = { visitor, action: 'principals.create', target: name, detail }
      const made = await act(ports, action, async (tx) => {
        const within = { principals: ports.principals, transact: joining(tx) }
        return accepted(await createPrincipal(within, { name, scopes }))
      })
      return { principal_id: made.principal.principal_id, key: made.key }
    },
    revokePrincipal: async ({ visitor, params: { principal_id: target }, body: { confirm } }) => {
      await act(ports, { visitor, action: 'principals.revoke', target }, async (tx) => {
        const { principal } = await held(ports, tx, { visitor, target })
        if (target === visitor.principal.principal_id) throw conflict(OWN_PRINCIPAL)
        if (principal.revoked_at !== null) throw conflict('the principal is already revoked')
        if (confirm !== principal.name) {
          throw conflict('type the exact name of the principal: nothing was changed')
        }
        const within = { principals: ports.principals, transact: joining(tx) }
        await revokePrincipal(within, target)
      })
      return showPrincipal(ports, visitor, target)
    },
    makeApiKey: async ({
      visitor,
      params: { principal_id: target },
      body: { expires_in_days },
    }) => {
      const detail = ({ record }: { record: { key_id: string; hint: string } }) =>
        `${record.key_id} (${record.hint}…)`
      const action = { visitor, action: 'principals.make_key', target, detail }
      const { key, record } = await act(ports, action, async (tx) => {
        await held(ports, tx, { visitor, target })
        const keys = principalKeys({ ...ports, transact: joining(tx) })
        const expiresInMs = expires_in_days === undefined ? undefined : expires_in_days * DAY_MS
        return accepted(await keys.add(target, { expiresInMs }))
      })
      return { key_id: record.key_id, key }
    },
    revokeApiKey: async ({ visitor, params: { principal_id: target, key_id } }) => {
      const action = { visitor, action: 'principals.revoke_key', target, detail: key_id }
      await act(ports, action, (tx) => revokeKey(ports, tx, { visitor, target, key_id }))
      return showPrincipal(ports, visitor, target)
    },
    ...requestKeyHandlers(ports),
    makeLink: ({ visitor, params, body }) =>
      links.make(visitor.principal, { ...params, ...body, made_by: 'console' }),
    revokeLink: async ({ visitor, params }) => {
      await links.revoke(visitor.principal, params)
      return showPrincipal(ports, visitor, params.principal_id)
    },
  }
}

type Created = { principal: Principal }

const DAY_MS = 86_400_000
const OWN_PRINCIPAL =
  'this is the principal that you are signed in with, and revoking it would lock you out: sign in as another operator first'
const OWN_KEY =
  'this is the key that you are signed in with, and revoking it would lock you out: sign in with another key first'

interface TargetedBy {
  visitor: Visitor
  /** The id of the principal that is changed. */
  target: string
}

async function revokeKey(
  ports: PrincipalViewPorts,
  tx: Transaction,
  { visitor, target, key_id }: TargetedBy & { key_id: string },
): Promise<void> {
  const { apiKeys } = ports
  const { ownKeyId } = await held(ports, tx, { visitor, target })
  const key = (await apiKeys.lock(tx, { kind: 'principal', owner_id: target })).find(
    (one) => one.key_id === key_id,
  )
  if (!key) throw notFound(`key ${key_id} of this principal`)
  if (key_id === ownKeyId) throw conflict(OWN_KEY)
  if (!isGood(key, await tx.now())) throw conflict('the key has ended already')
  await apiKeys.revoke(tx, 'principal', key_id)
}

/**
 * Locks the principal and the operator who acts on it. Throws a Refused when one does not exist, or when the operator
 * was revoked meanwhile: if two operators revoke each other, one remains.
 */
async function held(
  { principals, apiKeys, principalQueries }: PrincipalViewPorts,
  tx: Transaction,
  { visitor, target }: TargetedBy,
): Promise<{ principal: Principal; ownKeyId: string | undefined }> {
  const { principal_id: self } = visitor.principal
  const found = new Map<string, Principal | undefined>()
  // In a fixed order, to avoid deadlocks.
  for (const id of [...new Set([self, target])].sort()) found.set(id, await principals.lock(tx, id))
  const ownKeyId = await principalQueries.sessionKeyId(visitor.sessionHash)
  const keys = await apiKeys.lock(tx, { kind: 'principal', owner_id: self })
  const ownKey = keys.find(({ key_id }) => key_id === ownKeyId)
  const isSignedIn = visitor.isPerson
    ? found.get(self)?.revoked_at === null
    : ownKey !== undefined && isGood(ownKey, await tx.now())
  if (!isSignedIn) {
    throw conflict('your own access was revoked in the meantime: nothing was changed')
  }
  const principal = found.get(target)
  if (!principal) throw notFound(`principal ${target}`)
  return { principal, ownKeyId }
}

const LIST = 'console.principals'

async function listPrincipals(
  { principalQueries: queries, clock }: PrincipalViewPorts,
  { cursor, limit, q: sought, scope, state }: PrincipalsQuery,
): Promise<PrincipalsPage> {
  const place = cursor === undefined ? undefined : readCursor(LIST, cursor, ['integer', 'text'])
  if (cursor !== undefined && !place) throw badCursor()
  const after = place && { created_at: place[0], principal_id: place[1] }
  const isRevoked = state === undefined ? undefined : state === 'revoked'
  const { rows, hasMore } = await queries.list({ sought, scope, isRevoked, after, limit })
  const ids = rows.map(({ principal_id }) => principal_id)
  const summaries = await queries.keySummaries(ids, clock.now())
  const last = rows.at(-1)
  return {
    items: rows.map((row) => principalItemOf(row, summaries.get(row.principal_id))),
    ...defined({
      next_cursor:
        hasMore && last
          ? cursorOf(LIST, [Date.parse(last.created_at), last.principal_id])
          : undefined,
    }),
  }
}

function accepted<T extends { ok: true }>(result: T | { ok: false; message: string }): T {
  if (!result.ok) throw conflict(result.message)
  return result
}

function conflict(message: string): Refused {
  return new Refused(409, 'conflict', message)
}
