// Ids for items without their own: an endpoint is an owner and a URL, and its id combines both.

import { cursorOf, readCursor } from '../protocol/cursor.ts'
import type { OwnedEndpoint } from '../webhooks/sender/store.ts'
import { notFound } from './refusal.ts'

const KIND = 'endpoint'

export function endpointIdOf({ owner, endpoint }: OwnedEndpoint): string {
  return cursorOf(KIND, [owner, endpoint])
}

/** Throws a Refused when it is none. */
export function endpointOf(endpointId: string): OwnedEndpoint {
  const place = readCursor(KIND, endpointId, ['text', 'text'])
  if (!place) throw notFound('such endpoint')
  const [owner, endpoint] = place
  return { owner, endpoint }
}
