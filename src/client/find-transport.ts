// Finds the transport that an agent answers on (spec 4.2): from the caller's option, from the form of the address, or
// else by probing, with requests that change nothing. The caller stores the result.

import { defined } from '../lib/defined.ts'
import { isUrl } from '../lib/is-url.ts'
import { trimEnd } from '../lib/trim-end.ts'
import { A2A_PATH, MCP_PATH } from '../protocol/agent-url.ts'
import type { Transport } from '../protocol/task.ts'
import { createA2aClient } from '../transports/a2a/client.ts'
import type { CallFailure, ClientOptions, TaskClient, TaskList } from '../transports/client.ts'
import { createHttpClient } from '../transports/http/client.ts'
import { createMcpClient } from '../transports/mcp/client.ts'

export interface FoundTransport {
  ok: true
  transport: Transport
  client: TaskClient
}

const HTTP_PATH = '/v3'
const CREATE: Readonly<Record<Transport, (options: ClientOptions) => TaskClient>> = {
  mcp: createMcpClient,
  a2a: createA2aClient,
  http: createHttpClient,
}

export async function findTransport(
  options: ClientOptions,
  { transport, signal }: { transport?: Transport | undefined; signal?: AbortSignal | undefined },
): Promise<FoundTransport | CallFailure> {
  if (!isWebUrl(options.url)) return unsupported('agentUrl must be an http(s) URL')
  // Without a path it is the address of the agent, and rarely that of its MCP endpoint.
  if (transport === 'mcp' && isOrigin(options.url)) return probe(options, { transport, signal })
  const known = transport ?? transportByAddress(options.url)
  if (known) return { ok: true, transport: known, client: CREATE[known](options) }
  return probe(options, { signal })
}

function isOrigin(url: string): boolean {
  const { pathname, search } = new URL(url)
  return pathname === '/' && search === ''
}

function isWebUrl(url: string): boolean {
  return isUrl(url) && /^https?:$/.test(new URL(url).protocol)
}

/** The transport that an address indicates; undefined when it could be any. */
function transportByAddress(url: string): Transport | undefined {
  const path = trimEnd(new URL(url).pathname, '/')
  if (path.endsWith(MCP_PATH)) return 'mcp'
  if (path.endsWith(A2A_PATH) || /\/agent(?:-card)?\.json$/.test(path)) return 'a2a'
  return path.endsWith(HTTP_PATH) ? 'http' : undefined
}

/** MCP first, since the address is often the MCP endpoint itself and its tools have schemas. */
async function probe(
  options: ClientOptions,
  { transport: only, signal }: { transport?: Transport; signal: AbortSignal | undefined },
): Promise<FoundTransport | CallFailure> {
  const base = trimEnd(options.url, '/')
  const ways: { transport: Transport; url: string }[] = [
    { transport: 'mcp', url: `${base}${MCP_PATH}` },
    { transport: 'mcp', url: options.url },
    { transport: 'a2a', url: options.url },
    { transport: 'http', url: options.url },
  ]
  let refused: CallFailure | undefined
  for (const { transport, url } of ways.filter((way) => !only || way.transport === only)) {
    const client = CREATE[transport]({ ...options, url })
    const listed = await client.listTasks(defined({ signal }))
    if (isThere(listed)) return { ok: true, transport, client }
    // No agent answers at this address over any transport, or no further requests may be sent.
    if (!listed.ok && isFinal(listed)) return listed
    if (!listed.ok && listed.httpStatus === 401) refused ??= listed
  }
  const how = 'give the address of its endpoint, or name its transport'
  return (
    refused ??
    unsupported(
      `no agent responds over ${only?.toUpperCase() ?? 'MCP, A2A or HTTP'} at this address: ${how}`,
    )
  )
}

function isThere(listed: TaskList): boolean {
  return listed.ok && listed.tasks.length > 0
}

function isFinal({ kind }: CallFailure): boolean {
  return kind === 'unreachable' || kind === 'timeout' || kind === 'cancelled'
}

function unsupported(message: string): CallFailure {
  return { ok: false, kind: 'unsupported', message }
}
