// Webhooks that were received: searched by any id that users have, each with its body and its outcome, and the
// actions on dead letters.

import { defined } from '../lib/defined.ts'
import { tryJsonObject } from '../lib/try-json.ts'
import { cursorOf, readCursor } from '../protocol/cursor.ts'
import type { InboxOperations, MessageSummary } from '../webhooks/receiver/store.ts'
import type { ReceivedItem, ReceivedMessage, ReceivedPage, ReceivedQuery } from './api/received.ts'
import { type ActionPorts, act } from './audit.ts'
import { iso, isoOf } from './format-values.ts'
import type { Handlers } from './handlers.ts'
import type { ReceivedFilter, ReceivedQueries, SerializedMessage } from './received-queries.ts'
import { badCursor, notFound, Refused } from './refusal.ts'

export interface ReceivedPorts extends ActionPorts {
  received: ReceivedQueries
  inboxOperations: Pick<InboxOperations, 'retry' | 'drop'>
}

type ReceivedRoute = 'listReceived' | 'getReceived' | 'applyReceived' | 'dropReceived'

const DROPPED = 'discarded by an operator'

export function receivedHandlers(ports: ReceivedPorts): Handlers<ReceivedRoute> {
  const { received, inboxOperations } = ports
  const show = async (id: number) => {
    const found = await received.show(id)
    if (!found) throw notFound(`message ${id}`)
    return serializeMessage(found)
  }
  const refuse = async (id: number, wanted: string) => {
    const { state } = await show(id)
    const why = state === 'leased' ? 'it is being applied now' : `it is ${state}`
    return new Refused(409, 'conflict', `message ${id} cannot be ${wanted}: ${why}`)
  }
  return {
    listReceived: ({ query }) => listReceived(received, query),
    getReceived: ({ params }) => show(params.message_id),
    applyReceived: async ({ visitor, params: { message_id: id } }) => {
      const action = { visitor, action: 'received.apply', target: String(id) }
      const copy = await act(ports, action, async (tx) => {
        const made = await inboxOperations.retry(tx, id)
        if (made === undefined) throw await refuse(id, 'applied again')
        return made
      })
      return show(copy)
    },
    dropReceived: async ({ visitor, params: { message_id: id } }) => {
      const action = { visitor, action: 'received.drop', target: String(id) }
      await act(ports, action, async (tx) => {
        if (await inboxOperations.drop(tx, id, DROPPED)) return
        throw await refuse(id, 'discarded')
      })
      return show(id)
    },
  }
}

const LIST = 'console.received'

async function listReceived(
  received: ReceivedQueries,
  query: ReceivedQuery,
): Promise<ReceivedPage> {
  const { cursor, limit, q, sender, task_id, operation_id, state, since } = query
  const place = cursor === undefined ? undefined : readCursor(LIST, cursor, ['integer', 'integer'])
  if (cursor !== undefined && !place) throw badCursor()
  const filter: ReceivedFilter = {
    sender,
    task_id,
    operation_id,
    state,
    limit: limit + 1,
    since: since === undefined ? undefined : Date.parse(since),
    after: place && { received_at: place[0], message_id: place[1] },
  }
  const lists = await Promise.all(withWord(filter, q).map(received.list))
  // Each list contains its own newest rows, so the newest of all are among them.
  const byId = new Map(lists.flat().map((row) => [row.message_id, row]))
  const found = [...byId.values()].sort(
    (a, b) => b.received_at - a.received_at || b.message_id - a.message_id,
  )
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  const isMore = found.length > limit && last !== undefined
  return {
    items: rows.map(itemOf),
    ...defined({
      next_cursor: isMore ? cursorOf(LIST, [last.received_at, last.message_id]) : undefined,
    }),
  }
}

/** A search text may be the number of a message, a sender, or any of the ids. */
function withWord(filter: ReceivedFilter, word: string | undefined): ReceivedFilter[] {
  if (word === undefined) return [filter]
  const id = /^#?(\d{1,15})$/.exec(word)?.[1]
  return [
    ...(id === undefined ? [] : [{ ...filter, message_id: Number(id) }]),
    ...(filter.task_id === undefined ? [{ ...filter, task_id: word }] : []),
    ...(filter.operation_id === undefined ? [{ ...filter, operation_id: word }] : []),
    ...(filter.sender === undefined ? [{ ...filter, sender: word }] : []),
    { ...filter, idempotency_key: word },
  ]
}

function itemOf(message: MessageSummary): ReceivedItem {
  const { message_id, sender, idempotency_key, route, family, state, attempts } = message
  const { task_id, operation_id, status, reason } = message
  return {
    message_id,
    sender,
    idempotency_key,
    route,
    family,
    state,
    attempts,
    received_at: iso(message.received_at),
    ...defined({ task_id, operation_id, status, reason }),
    ...defined({ event_at: isoOf(message.event_at), ended_at: isoOf(message.ended_at) }),
  }
}

const MAX_BODY_CHARS = 262_144

function serializeMessage(message: SerializedMessage): ReceivedMessage {
  const { body, digest, due_at, expires_at, state } = message
  const { text, has_token } = withoutToken(Buffer.from(body).toString('utf8'))
  return {
    ...itemOf(message),
    body: {
      text: text.slice(0, MAX_BODY_CHARS),
      bytes: body.byteLength,
      digest,
      has_token,
      is_cut: text.length > MAX_BODY_CHARS,
    },
    known_until: iso(expires_at),
    ...defined({ next_attempt_at: state === 'pending' ? iso(due_at) : undefined }),
    may: { apply: state === 'dead', drop: state === 'dead' || state === 'pending' },
  }
}

/** The token that a receiver registered is repeated in the envelope (spec 2.9): it is a secret. */
function withoutToken(text: string): { text: string; has_token: boolean } {
  const value = tryJsonObject(text)
  if (value?.token === undefined) return { text, has_token: false }
  return { text: JSON.stringify({ ...value, token: '<secret>' }), has_token: true }
}
