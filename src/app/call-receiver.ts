// The receiver of one `adwire call --receive` (spec 4.4, 6.4): it accepts webhooks only from the agent that is
// called, for as long as the call lasts. Its data is in a temporary folder that is removed with it.

import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CallReceiver } from '../client/options.ts'
import { createSenderKeys } from '../key-discovery/sender-keys.ts'
import { refuseMalformed } from '../lib/refuse-malformed.ts'
import type { Egress } from '../lib/safe-fetch/safe-fetch.ts'
import { trimEnd } from '../lib/trim-end.ts'
import { agentUrlsAt } from '../protocol/agent-url.ts'
import { openReceiverStorage } from '../receiver/open-receiver-storage.ts'
import { nodeHandler } from '../webhooks/receiver/adapters/node.ts'
import { createReceiver, type Receiver } from '../webhooks/receiver/receiver.ts'

export interface CallReceiverOptions {
  /** The agent's address, or that of one of its transports. */
  agentUrl: string
  /** The URL that is passed to the agent. Port 0 in it is replaced by the actual port. */
  url: URL
  host: string
  /** 0 takes a free one. */
  port: number
  /** Fetches the agent's keys. */
  egress: Pick<Egress, 'fetch'>
  protocolName: string
  /** Called with one line when a webhook is not accepted. */
  onFault: (fault: string) => void
}

export interface OpenCallReceiver {
  ok: true
  receiver: CallReceiver
  close(): Promise<void>
}

/** Or why it cannot listen there. */
type Opened = OpenCallReceiver | { ok: false; reason: string }

const ROUTE = 'call'
const DRAIN_MS = 1_000

export async function openCallReceiver(options: CallReceiverOptions): Promise<Opened> {
  const dataDir = await mkdtemp(join(tmpdir(), 'adwire-call-'))
  const undo = [() => rm(dataDir, { recursive: true, force: true })]
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    const storage = await openReceiverStorage({ dataDir })
    undo.push(storage.close)
    const receiver = await wireReceiver(options, storage)
    undo.push(() => receiver.stop(DRAIN_MS))
    const url = new URL(options.url)
    const server = serverFor(receiver, url)
    const listening = await listen(server, options)
    if (!listening.ok) {
      await close()
      return listening
    }
    undo.push(() => closeServer(server))
    if (url.port === '0') url.port = String((server.address() as AddressInfo).port)
    receiver.start()
    return { ok: true, receiver: { urlFor: () => url.href, waitFor: receiver.waitFor }, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function wireReceiver(
  { agentUrl, egress, protocolName, onFault }: CallReceiverOptions,
  storage: Awaited<ReturnType<typeof openReceiverStorage>>,
): Promise<Receiver> {
  return createReceiver({
    ...storage,
    egress,
    protocolName,
    routes: [{ name: ROUTE, mode: 'rfc9421' }],
    sellers: [{ agentUrl: await signerUrlOf({ agentUrl, egress, onFault }) }],
    onReceived: ({ code, detail }) => {
      if (code === undefined) return
      onFault(`a webhook was refused: ${code}${detail === undefined ? '' : `, ${detail}`}`)
    },
    onFault: (error) => onFault(`a webhook could not be taken: ${messageOf(error)}`),
  })
}

/**
 * The name under which the agent's brand.json lists its keys: the URL that was called, the agent's own URL or that of
 * another of its transports. If none matches, the called URL is used, and webhooks are refused until keys are found
 * under it.
 */
async function signerUrlOf({
  agentUrl,
  egress,
  onFault,
}: Pick<CallReceiverOptions, 'agentUrl' | 'egress' | 'onFault'>): Promise<string> {
  const own = trimEnd(agentUrl, '/').replace(/\/(?:mcp|a2a|v3|\.well-known\/[\w-]+\.json)$/, '')
  const names = [...new Set([agentUrl, ...agentUrlsAt([own])])]
  const keys = createSenderKeys({ sellers: names.map((name) => ({ agentUrl: name })), egress })
  let reason = ''
  for (const name of names) {
    const found = await keys.lookUp(name)
    if (found.ok) return name
    reason ||= found.reason
  }
  onFault(`the agent publishes no webhook keys, so the status is polled: ${reason}`)
  return agentUrl
}

/** Even if a proxy changes the path, the signature covers the address that the agent was given. */
function serverFor(receiver: Receiver, url: URL): Server {
  const { maxBodyBytes } = receiver
  const server = createServer((request, response) => {
    const handle = nodeHandler(
      {
        maxBodyBytes,
        receive: (delivery) => receiver.receive({ ...delivery, url: url.href }),
      },
      { route: ROUTE, baseUrl: url.origin },
    )
    handle(request, response).catch(() => void response.destroy())
  })
  server.on('clientError', refuseMalformed)
  return server
}

async function listen(
  server: Server,
  { host, port }: CallReceiverOptions,
): Promise<{ ok: true } | { ok: false; reason: string }> {
  try {
    server.listen(port, host)
    await once(server, 'listening')
    return { ok: true }
  } catch (error) {
    return { ok: false, reason: listenFault(error, { host, port }) }
  }
}

/** Responses in progress are still sent; an open connection does not keep the program running. */
async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  const late = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  await closed
  clearTimeout(late)
}

function listenFault(error: unknown, { host, port }: { host: string; port: number }): string {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') return `port ${port} on ${host} is taken: choose another`
  if (code === 'EACCES') return `port ${port} needs more rights: choose one above 1023`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `${host} is not an address of this machine: set the port to listen on with --receive-port`
  }
  return `cannot listen on ${host}, port ${port}: ${messageOf(error)}`
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'no reason was given'
}
