// A principal with everything that is known about it.

import type { Principal } from '../agent/principals.ts'
import type { RequestKeyRecord } from '../agent/request-keys.ts'
import { type ApiKeyRecord, isGood } from '../lib/api-keys.ts'
import { defined } from '../lib/defined.ts'
import type { ApiKey, PrincipalDetails, PrincipalItem } from './api/principals.ts'
import { iso, isoOf } from './format-values.ts'
import type { PrincipalViewPorts } from './principal-ports.ts'
import type { KeySummary } from './principal-queries.ts'
import { notFound } from './refusal.ts'
import type { Visitor } from './sessions.ts'

const LISTED_KEYS = 60

export async function showPrincipal(
  ports: PrincipalViewPorts,
  { principal: self, sessionHash }: Visitor,
  principalId: string,
): Promise<PrincipalDetails> {
  const { principals, principalQueries: queries, clock, quotaLimits } = ports
  const principal = await principals.get(principalId)
  if (!principal) throw notFound(`principal ${principalId}`)
  const now = clock.now()
  const keys = await ports.apiKeys.list({ kind: 'principal', owner_id: principalId })
  const sessionKeyId = await queries.sessionKeyId(sessionHash)
  const summary = (await queries.keySummaries([principalId], now)).get(principalId)
  const usage = await queries.usage(principalId, now)
  const limitOf = (limit: number) => (Number.isFinite(limit) ? limit : undefined)
  return {
    ...principalItemOf(principal, summary),
    is_self: self.principal_id === principalId,
    api_keys: keys
      .toReversed()
      .slice(0, LISTED_KEYS)
      .map((key) => serializeKey(key, { now, sessionKeyId })),
    request_keys: (await ports.requestKeys.list(principalId)).map(serializeRequestKey),
    accounts: (await ports.grants.of(principalId)).map(({ platform, account }) => ({
      platform,
      account,
    })),
    usage: usage.map(({ quota, used }) => ({
      quota,
      used,
      ...defined({ limit: limitOf(quotaLimits[quota]) }),
    })),
    under_way: await queries.underWay(principalId),
    links: await ports.links.list(principalId),
  }
}

export function principalItemOf(
  { principal_id, name, scopes, is_demo, created_at, revoked_at }: Principal,
  summary: KeySummary | undefined,
): PrincipalItem {
  return {
    principal_id,
    name,
    scopes,
    is_demo,
    created_at,
    good_keys: summary?.good ?? 0,
    ...defined({
      revoked_at: revoked_at ?? undefined,
      last_used_at: isoOf(summary?.last_used_at),
    }),
  }
}

function serializeKey(
  key: ApiKeyRecord,
  { now, sessionKeyId }: { now: number; sessionKeyId: string | undefined },
): ApiKey {
  const ended = key.revoked_at === undefined ? 'expired' : 'revoked'
  return {
    key_id: key.key_id,
    hint: key.hint,
    state: isGood(key, now) ? 'good' : ended,
    created_at: iso(key.created_at),
    is_session: key.key_id === sessionKeyId,
    ...defined({
      last_used_at: isoOf(key.last_used_at),
      expires_at: isoOf(key.expires_at),
      revoked_at: isoOf(key.revoked_at),
    }),
  }
}

function serializeRequestKey(record: RequestKeyRecord): PrincipalDetails['request_keys'][number] {
  const { key_id, kind, jwk, url, pin = [], created_at } = record
  return {
    key_id,
    kind,
    key: url ?? jwk?.kid ?? '',
    created_at: iso(created_at),
    pin: pin.map(({ kid }) => kid ?? ''),
  }
}
