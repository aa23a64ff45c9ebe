// The capabilities that another agent declares, requested without a key and over whatever transport it answers on
// (spec 4.5): for looking up the keys of a caller.

import { withTimeout } from '../lib/with-timeout.ts'
import type { Identifiers } from '../protocol/identifiers.ts'
import { createA2aClient } from './a2a/client.ts'
import type { ClientFetch, TaskClient } from './client.ts'
import { createHttpClient } from './http/client.ts'
import { createMcpClient } from './mcp/client.ts'

export interface ReadCapabilitiesOptions {
  fetch: ClientFetch
  identifiers: Pick<Identifiers, 'capabilitiesTask'>
  /** For all attempts together, in milliseconds. Default 10 000. */
  timeoutMs?: number
}

export type CapabilitiesRead =
  | { ok: true; capabilities: Record<string, unknown> }
  | { ok: false; reason: string }

/** The first transport that answers, by the name of the protocol and then by that of the specification. */
export async function readCapabilities(
  agentUrl: string,
  { fetch, identifiers, timeoutMs = 10_000 }: ReadCapabilitiesOptions,
): Promise<CapabilitiesRead> {
  const gone = new AbortController()
  const read = tryEach(clientsFor(agentUrl, fetch), identifiers, gone.signal)
  const answer = await withTimeout(timeoutMs, read)
  gone.abort()
  if (answer !== 'late') return answer
  return { ok: false, reason: `there was no answer within ${timeoutMs} ms` }
}

function clientsFor(url: string, fetch: ClientFetch): TaskClient[] {
  const [mcp, a2a] = [createMcpClient({ url, fetch }), createA2aClient({ url, fetch })]
  return new URL(url).pathname.endsWith('/a2a')
    ? [a2a, mcp]
    : [mcp, createHttpClient({ url, fetch }), a2a]
}

async function tryEach(
  clients: readonly TaskClient[],
  { capabilitiesTask }: ReadCapabilitiesOptions['identifiers'],
  signal: AbortSignal,
): Promise<CapabilitiesRead> {
  let reason = 'the agent answered nothing'
  for (const client of clients) {
    for (const task of [capabilitiesTask, 'get_agent_capabilities']) {
      const result = await client.call(task, {}, { signal })
      if (result.ok) return { ok: true, capabilities: result.body }
      reason = result.message
      // If an agent cannot be reached, there is no need to retry with another name.
      if (result.httpStatus === undefined) break
    }
  }
  return { ok: false, reason }
}
