// Finds the wire that an agent answers on (spec 4.2): by what the caller says, by the shape of the address,
// else by asking, with requests that change nothing anywhere. What was found is remembered by who asks.

import { defined } from '../lib/defined.ts'
import { isUrl } from '../lib/is-url.ts'
import { trimEnd } from '../lib/trim-end.ts'
import { A2A_PATH, MCP_PATH } from '../protocol/agent-url.ts'
import type { Wire } from '../protocol/task.ts'
import { createA2aClient } from '../transports/a2a/client.ts'
import type { CallFailure, ClientOptions, TaskClient, TaskList } from '../transports/client.ts'
import { createHttpClient } from '../transports/http/client.ts'
import { createMcpClient } from '../transports/mcp/client.ts'

export interface FoundWire {
  ok: true
  wire: Wire
  client: TaskClient
}

const HTTP_PATH = '/v3'
const CREATE: Readonly<Record<Wire, (options: ClientOptions) => TaskClient>> = {
  mcp: createMcpClient,
  a2a: createA2aClient,
  http: createHttpClient,
}

export async function findWire(
  options: ClientOptions,
  { wire, signal }: { wire?: Wire | undefined; signal?: AbortSignal | undefined },
): Promise<FoundWire | CallFailure> {
  if (!isWebUrl(options.url)) return unsupported('agentUrl must be an http(s) URL')
  // Without a path it is the address of the agent, and seldom that of its MCP endpoint.
  if (wire === 'mcp' && isOrigin(options.url)) return probe(options, { wire, signal })
  const known = wire ?? wireByAddress(options.url)
  if (known) return { ok: true, wire: known, client: CREATE[known](options) }
  return probe(options, { signal })
}

function isOrigin(url: string): boolean {
  const { pathname, search } = new URL(url)
  return pathname === '/' && search === ''
}

function isWebUrl(url: string): boolean {
  return isUrl(url) && /^https?:$/.test(new URL(url).protocol)
}

/** What an address says of itself; undefined when it could be anything. */
function wireByAddress(url: string): Wire | undefined {
  const path = trimEnd(new URL(url).pathname, '/')
  if (path.endsWith(MCP_PATH)) return 'mcp'
  if (path.endsWith(A2A_PATH) || /\/agent(?:-card)?\.json$/.test(path)) return 'a2a'
  return path.endsWith(HTTP_PATH) ? 'http' : undefined
}

/** MCP first, where the address is often the endpoint itself and its tools have schemas. */
async function probe(
  options: ClientOptions,
  { wire: only, signal }: { wire?: Wire; signal: AbortSignal | undefined },
): Promise<FoundWire | CallFailure> {
  const base = trimEnd(options.url, '/')
  const ways: { wire: Wire; url: string }[] = [
    { wire: 'mcp', url: `${base}${MCP_PATH}` },
    { wire: 'mcp', url: options.url },
    { wire: 'a2a', url: options.url },
    { wire: 'http', url: options.url },
  ]
  let refused: CallFailure | undefined
  for (const { wire, url } of ways.filter((way) => !only || way.wire === only)) {
    const client = CREATE[wire]({ ...options, url })
    const listed = await client.listTasks(defined({ signal }))
    if (isThere(listed)) return { ok: true, wire, client }
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
