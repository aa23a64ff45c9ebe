// Endpoints in SQL: the URLs that registrations use, listed by stepping from one to the next along an index, since
// many registrations share each.

import type { ConsoleQueries, EndpointChannel, EndpointFilter } from '../../../console/queries.ts'
import { isStorable } from '../../../lib/storable-text.ts'
import type { Channel, OwnedEndpoint } from '../../../webhooks/sender/store.ts'
import type { Queryable } from '../../sql/database.ts'
import { type Nullable, withoutNulls } from '../../sql/nulls.ts'
import { CHANNEL_COLUMNS, type ChannelRow, channelOf } from '../outbox/channels.ts'
import { laneOf } from '../outbox/rows.ts'

/** Steps of one traversal: when searching for part of a URL, most of them find nothing. */
const MAX_STEPS = 2_000
/** Steps in one query of such a traversal. */
const STEPS_AT_ONCE = 500

export async function listEndpoints(
  read: Queryable,
  filter: EndpointFilter,
): ReturnType<ConsoleQueries['endpoints']> {
  if (filter.owner !== undefined && !isStorable(filter.owner)) return { rows: [], next: undefined }
  const isSought = ({ owner, endpoint }: OwnedEndpoint) =>
    (filter.owner === undefined || owner === filter.owner) &&
    (filter.contains === undefined || endpoint.includes(filter.contains))
  const isPicky = filter.contains !== undefined || filter.state !== undefined
  const count = isPicky ? STEPS_AT_ONCE : filter.limit + 1
  const next = filter.state ? troubled(read, filter.state) : registered(read, filter.owner)
  const rows: OwnedEndpoint[] = []
  let place = filter.after
  for (let steps = 0; steps < MAX_STEPS && rows.length <= filter.limit; steps += count) {
    const found = await next(place, count)
    rows.push(...found.filter(isSought))
    place = found.length < count ? undefined : found.at(-1)
    if (!place) break
  }
  if (rows.length <= filter.limit) return { rows, next: place }
  const page = rows.slice(0, filter.limit)
  return { rows: page, next: page.at(-1) }
}

type Next = (after: OwnedEndpoint | undefined, count: number) => Promise<OwnedEndpoint[]>

/** Steps from one endpoint to the next along the index, through one registration of each. */
function registered(read: Queryable, owner: string | undefined): Next {
  const only = owner === undefined ? '' : 'AND n.owner = $4'
  // The next endpoint of the same owner, or the first of the next owner. If the pair were compared as a row value,
  // SQLite would scan all rows of the owner.
  const first = (of: string, endpoint: string) => `coalesce(
    (SELECT n.channel_id FROM webhook_channels n
     WHERE n.owner = ${of} AND n.endpoint > ${endpoint} ${only} ORDER BY n.endpoint LIMIT 1),
    (SELECT n.channel_id FROM webhook_channels n
     WHERE n.owner > ${of} ${only} ORDER BY n.owner, n.endpoint LIMIT 1))`
  return (after, count) =>
    read.all<OwnedEndpoint>(
      `WITH RECURSIVE walk(channel_id, n) AS (
         SELECT ${first('$1', '$2')}, 1
         UNION ALL
         SELECT ${first('c.owner', 'c.endpoint')}, walk.n + 1
         FROM walk JOIN webhook_channels c ON c.channel_id = walk.channel_id
         WHERE walk.n < $3)
       SELECT c.owner, c.endpoint FROM walk
       JOIN webhook_channels c ON c.channel_id = walk.channel_id ORDER BY walk.n`,
      [after?.owner ?? '', after?.endpoint ?? '', count, ...(owner === undefined ? [] : [owner])],
    )
}

const TROUBLED = {
  open: 'AND opened_at IS NOT NULL',
  paused: 'AND paused_at IS NOT NULL',
  troubled: 'AND (failures > 0 OR opened_at IS NOT NULL OR paused_at IS NOT NULL)',
} as const

/** A lane is an owner, a space, and an endpoint; an endpoint contains no space. */
function troubled(read: Queryable, state: keyof typeof TROUBLED): Next {
  return async (after, count) => {
    const rows = await read.all<{ lane: string; owner: string }>(
      `SELECT lane, owner FROM webhook_circuits WHERE lane > $1 ${TROUBLED[state]}
       ORDER BY lane LIMIT $2`,
      [after ? laneOf(after) : '', count],
    )
    return rows.map(({ lane, owner }) => ({ owner, endpoint: lane.slice(owner.length + 1) }))
  }
}

export async function endpointChannels(
  read: Queryable,
  { owner, endpoint }: OwnedEndpoint,
  limit: number,
): Promise<EndpointChannel[]> {
  const rows = await read.all<Nullable<EndpointChannel>>(
    `SELECT channel_id, subject, form, scheme, operation_id, created_at, paused_at
     FROM webhook_channels WHERE owner = $1 AND endpoint = $2
     ORDER BY created_at DESC, channel_id LIMIT $3`,
    [owner, endpoint, limit],
  )
  return rows.map(withoutNulls<EndpointChannel>)
}

export async function liveChannel(
  read: Queryable,
  { owner, endpoint }: OwnedEndpoint,
  now: number,
): Promise<Channel | undefined> {
  const row = await read.get<ChannelRow>(
    `SELECT ${CHANNEL_COLUMNS} FROM (SELECT ${CHANNEL_COLUMNS} FROM webhook_channels
       WHERE owner = $1 AND endpoint = $2 ORDER BY created_at DESC LIMIT 1000) AS newest
     WHERE paused_at IS NULL AND (expires_at IS NULL OR expires_at > $3)
     ORDER BY created_at DESC, channel_id LIMIT 1`,
    [owner, endpoint, now],
  )
  return row && channelOf(row)
}
