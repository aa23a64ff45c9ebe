// Every authorization as JSON lines. The cursor of the change feed is read before the first row, so that a client
// that continues from there misses nothing.

import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type {
  AuthorizationStore,
  ReadAuthorization,
} from '../../../registry/authorizations/store.ts'
import { type Refusal, refuse } from '../../../registry/refusal.ts'
import type { FeedStore } from '../../../registry/store.ts'

const ROWS_AT_ONCE = 200

/** Rows that one page of the snapshot may have. */
const MOST_ROWS = 10_000

interface SnapshotPorts {
  authorizations: AuthorizationStore
  feed: Pick<FeedStore, 'lastId'>
}

/** Undefined for everything at once. */
export type SnapshotPart = { after: string; limit: number } | undefined

/** `limit` and `after`, for clients that read it in pages. */
export function parseSnapshot(
  query: Readonly<Record<string, string | string[] | undefined>>,
): { ok: true; part: SnapshotPart } | Refusal {
  const { after = '', limit } = query
  if (Array.isArray(after) || Array.isArray(limit)) {
    return refuse(400, 'after and limit may be given once')
  }
  if (limit === undefined) {
    return after === '' ? { ok: true, part: undefined } : refuse(400, 'after needs a limit')
  }
  const count = Number(limit)
  if (!Number.isInteger(count) || count < 1 || count > MOST_ROWS) {
    return refuse(400, `limit must be a whole number from 1 to ${MOST_ROWS}`)
  }
  return { ok: true, part: { after, limit: count } }
}

export async function sendSnapshot(
  { authorizations, feed }: SnapshotPorts,
  reply: FastifyReply,
  part?: SnapshotPart,
): Promise<FastifyReply> {
  const cursor = await feed.lastId()
  if (cursor !== null) reply.header('x-sync-cursor', cursor)
  reply.header('cache-control', 'no-store').type('application/x-ndjson; charset=utf-8')
  if (part === undefined) return reply.send(Readable.from(pages(authorizations)))
  const rows = await authorizations.all(part)
  const last = rows.length === part.limit ? rows.at(-1) : undefined
  if (last) reply.header('x-next-after', last.id)
  return reply.send(linesOf(rows))
}

/** A claim made only by a manager is not an authorization. */
function linesOf(rows: readonly ReadAuthorization[]): string {
  const live = rows.filter(({ status }) => status === 'live')
  return live.map((row) => `${JSON.stringify(snapshotRow(row))}\n`).join('')
}

async function* pages(authorizations: AuthorizationStore): AsyncGenerator<string> {
  for (let after = ''; ; ) {
    const rows = await authorizations.all({ after, limit: ROWS_AT_ONCE })
    const last = rows.at(-1)
    if (!last) return
    const lines = linesOf(rows)
    if (lines !== '') yield lines
    after = last.id
  }
}

export function snapshotRow(row: ReadAuthorization) {
  const { terms } = row
  return {
    id: row.id,
    agent_url: row.agent_url,
    agent_url_canonical: row.agent_url,
    property_rid: null,
    property_id_slug: null,
    publisher_domain: row.publisher_domain,
    authorization_type: row.authorization_type,
    authorized_for: terms.authorized_for,
    property_ids: row.property_ids,
    countries: terms.countries,
    placement_ids: terms.placement_ids,
    placement_tags: terms.placement_tags,
    collections: terms.collections,
    delegation_type: terms.delegation_type,
    exclusive: terms.exclusive,
    effective_from: terms.effective_from,
    effective_until: terms.effective_until,
    signing_keys: terms.signing_keys,
    discovery_method: row.discovery_method,
    manager_domain: row.manager_domain,
    evidence: 'adagents_json',
    disputed: false,
    created_by: null,
    expires_at: terms.effective_until,
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
    override_applied: false,
    override_reason: null,
  }
}
