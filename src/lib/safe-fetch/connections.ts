// Manages the sockets of requests, for the egress guard: they are kept alive per owner, origin and pinned address, so
// that a reused socket leads to an address that was checked for this very request, and no request waits for sockets
// held by another owner's requests.

import { isIP, Socket } from 'node:net'
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls'
import type { buildConnector, Dispatcher, Pool } from 'undici'

export interface Connections {
  /** Resolves once `to` may be called: what sends requests is loaded when the first one is sent. */
  load(): Promise<void>
  /** The dispatcher for a checked address; null once closed. Use it immediately: it may be evicted. */
  to(url: URL, address: string, owner: string): Dispatcher | null
  /**
   * Lets current requests finish, then closes all sockets, including those still being connected for cancelled
   * requests. `finished` resolves when the current requests have ended.
   */
  close(finished?: Promise<unknown>): Promise<void>
}

export interface ConnectionsOptions {
  connectTimeoutMs: number
  /** Certificates (PEM) trusted in addition to the built-in ones. */
  ca: string | undefined
}

/** A connection that was never established; not a byte of the request left the server. */
export class ConnectError extends Error {
  readonly failure: 'connect_failed' | 'connect_timeout' | 'tls_failed'

  constructor(failure: ConnectError['failure'], cause: Error) {
    super(failure, { cause })
    this.failure = failure
  }
}

let undici: typeof import('undici') | undefined

export function createConnections(options: ConnectionsOptions): Connections {
  const pools = new Map<string, Pool>()
  const connecting = new Set<Socket>()
  const connect = buildPinnedConnector(options, connecting)
  let isClosed = false

  return {
    async load() {
      undici ??= await import('undici')
    },
    to(url, address, owner) {
      if (isClosed) return null
      const key = `${url.origin} ${address} ${owner}`
      const pool =
        pools.get(key) ?? createPool(url, (target, done) => connect(address, target, done))
      // A Map keeps insertion order, so the first entry is the least recently used.
      pools.delete(key)
      pools.set(key, pool)
      if (pools.size > MAX_POOLS) evictOldest(pools)
      return pool
    },
    async close(finished) {
      isClosed = true
      const closing = [...pools.values()].map((pool) => pool.close())
      pools.clear()
      await finished
      for (const socket of connecting) socket.destroy(new Error('the egress is closed'))
      await Promise.all(closing)
    },
  }
}

/** Response headers larger than this, in bytes, end the exchange. */
export const MAX_HEADER_BYTES = 32_768

const MAX_POOLS = 1_024
/** More than any caller has in progress at once: a request that waited here would look like a slow host. */
const MAX_SOCKETS_PER_POOL = 1_024
const IDLE_MS = 4_000
const IDLE_MAX_MS = 30_000

function createPool(url: URL, connect: buildConnector.connector): Pool {
  return new (loaded().Pool)(url.origin, {
    connect,
    connections: MAX_SOCKETS_PER_POOL,
    // One request per socket at a time: undici only re-sends pipelined requests.
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MAX_MS,
    // The deadline of the whole request covers headers and body.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}

function loaded(): typeof import('undici') {
  if (!undici) throw new Error('undici is loaded before the first connection')
  return undici
}

function evictOldest(pools: Map<string, Pool>): void {
  for (const [key, pool] of pools) {
    pools.delete(key)
    // A graceful close: current requests on the evicted pool still finish.
    void pool.close()
    return
  }
}

type PinnedConnector = (
  address: string,
  target: buildConnector.Options,
  done: buildConnector.Callback,
) => void

/** `connecting` contains the sockets that are not connected yet. */
function buildPinnedConnector(
  { ca, connectTimeoutMs }: ConnectionsOptions,
  connecting: Set<Socket>,
): PinnedConnector {
  const build = (secureContext: SecureContext) =>
    loaded().buildConnector({
      timeout: connectTimeoutMs,
      secureContext,
      // Set explicitly, so that no environment variable can turn verification off.
      rejectUnauthorized: true,
      // A resumed session skips the check of the certificate's name.
      maxCachedSessions: 0,
    })
  // One context for all, since reading the root certificates is slow; it is created on the first connection. The
  // operator's own certificates are read immediately, so that invalid ones are reported at startup.
  const own = ca === undefined ? undefined : createSecureContext({ ca: [...rootCertificates, ca] })
  let connect: buildConnector.connector | undefined

  return (address, target, done) => {
    // For a literal address the socket layer uses no resolver, so the checked address cannot change.
    const pinned: buildConnector.Options = { ...target, hostname: address }
    // SNI has no trailing dot (RFC 6066 §3), and a literal address has no SNI.
    if (isIP(target.hostname) === 0) pinned.servername = target.hostname.replace(/\.$/, '')
    connect ??= build(own ?? createSecureContext())
    // The declared type does not include it, but it returns the socket that it connects.
    const begun: unknown = connect(pinned, (error, socket) => {
      connecting.delete(begun as Socket)
      if (error) done(toConnectError(error, target.protocol), null)
      else done(null, socket)
    })
    if (begun instanceof Socket) connecting.add(begun)
  }
}

function toConnectError(error: NodeJS.ErrnoException, protocol: string): ConnectError {
  if (error.code === 'UND_ERR_CONNECT_TIMEOUT') return new ConnectError('connect_timeout', error)
  const isTcp = error.syscall === 'connect' || error.code === 'ECONNRESET' || error.code === 'EPIPE'
  const isTls = protocol === 'https:' && !isTcp
  return new ConnectError(isTls ? 'tls_failed' : 'connect_failed', error)
}
