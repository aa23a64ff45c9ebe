// Which revision of MCP a message uses, and whether it uses it correctly. Until 2025 a client starts with a
// handshake, and its messages do not name the revision; from 2026 on every request names its revision in `_meta` and
// repeats in headers what a proxy may need.

import { isObject } from '../../protocol/schemas/checks.ts'
import { RPC_INVALID_PARAMS, type RpcError } from '../rpc-error.ts'

/** Revisions with a handshake, the newest first. */
export const HANDSHAKE_REVISIONS = [
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
] as const
export const CURRENT_REVISION = '2026-07-28'

export const REVISION_META = 'io.modelcontextprotocol/protocolVersion'
export const CLIENT_INFO_META = 'io.modelcontextprotocol/clientInfo'
export const CLIENT_CAPABILITIES_META = 'io.modelcontextprotocol/clientCapabilities'
export const SERVER_INFO_META = 'io.modelcontextprotocol/serverInfo'

const HEADER_MISMATCH = -32_020
export const REVISION_UNSUPPORTED = -32_022
const BAD_REQUEST = -32_000

export interface McpHeaders {
  'mcp-protocol-version'?: string | undefined
  'mcp-method'?: string | undefined
  'mcp-name'?: string | undefined
}

export interface Message {
  kind: 'request' | 'notification'
  method: string
  params: Record<string, unknown> | undefined
}

export type Revision =
  | { ok: true; era: 'handshake' | 'current' }
  /** Refused with HTTP status 400. */
  | { ok: false; error: RpcError }

export function revisionOf(message: Message, headers: McpHeaders): Revision {
  const meta = metaOf(message.params)
  if (meta && Object.hasOwn(meta, REVISION_META)) return ofCurrent(message, meta, headers)
  const named = revisionNamedIn(headers)
  if (named !== undefined && named >= CURRENT_REVISION) return ofHeaderAlone(message, named)
  if (named !== undefined && !(HANDSHAKE_REVISIONS as readonly string[]).includes(named)) {
    return refuse(BAD_REQUEST, `Bad Request: Unsupported protocol version ${quoted(named)}`)
  }
  return { ok: true, era: 'handshake' }
}

function revisionNamedIn(headers: McpHeaders): string | undefined {
  return headers['mcp-protocol-version']?.trim()
}

/** True for a message that may not be in a batch: batches were removed before `_meta` was introduced. */
export function claimsRevision(params: unknown): boolean {
  const meta = metaOf(params)
  return meta !== undefined && Object.hasOwn(meta, REVISION_META)
}

function ofCurrent(message: Message, meta: Record<string, unknown>, headers: McpHeaders): Revision {
  const claimed = meta[REVISION_META]
  const named = revisionNamedIn(headers)
  const isRequest = message.kind === 'request'
  const fault = isRequest ? envelopeFault(meta) : undefined
  if (typeof claimed !== 'string' || fault) {
    return refuse(
      RPC_INVALID_PARAMS,
      `Invalid _meta: ${fault ?? `${REVISION_META} must be a string`}`,
    )
  }
  if (named !== undefined && named !== claimed) {
    return mismatch(`MCP-Protocol-Version is ${quoted(named)}, but _meta has ${quoted(claimed)}`)
  }
  const method = headers['mcp-method']?.trim()
  if (method !== undefined && method !== message.method) {
    return mismatch(`Mcp-Method is ${quoted(method)} and the method ${quoted(message.method)}`)
  }
  if (claimed !== CURRENT_REVISION) return unsupported(claimed)
  if (!isRequest) return { ok: true, era: 'current' }
  if (named === undefined) return mismatch('the MCP-Protocol-Version header is missing')
  if (method === undefined) return mismatch('the Mcp-Method header is missing')
  return nameFault(message, headers) ?? { ok: true, era: 'current' }
}

/** A header of the current revision with a body that does not carry it. */
function ofHeaderAlone({ kind, method }: Message, named: string): Revision {
  if (kind === 'notification') {
    return named === CURRENT_REVISION ? { ok: true, era: 'current' } : unsupported(named)
  }
  if (method === 'initialize') return mismatch('initialize belongs to revisions before 2026-07-28')
  return refuse(RPC_INVALID_PARAMS, `Invalid params: revision ${quoted(named)} needs a _meta`)
}

function envelopeFault(meta: Record<string, unknown>): string | undefined {
  if (typeof meta[REVISION_META] !== 'string') return `${REVISION_META} must be a string`
  if (!isObject(meta[CLIENT_CAPABILITIES_META])) {
    return `${CLIENT_CAPABILITIES_META} must be an object`
  }
  const info = meta[CLIENT_INFO_META]
  if (info === undefined) return undefined
  const isInfo = isObject(info) && typeof info.name === 'string' && typeof info.version === 'string'
  return isInfo ? undefined : `${CLIENT_INFO_META} must have a name and a version`
}

/** `Mcp-Name` repeats the tool of a call, in Base64 where it is not plain text. */
function nameFault({ method, params }: Message, headers: McpHeaders): Revision | undefined {
  if (method !== 'tools/call' || typeof params?.name !== 'string') return undefined
  const header = headers['mcp-name']?.trim()
  if (header === undefined) return mismatch('the Mcp-Name header is missing')
  const encoded = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(header)?.[1]
  const name = encoded === undefined ? header : Buffer.from(encoded, 'base64').toString('utf8')
  if (name === params.name) return undefined
  return mismatch(`Mcp-Name is ${quoted(name)} and the tool ${quoted(params.name)}`)
}

function metaOf(params: unknown): Record<string, unknown> | undefined {
  return isObject(params) && isObject(params._meta) ? params._meta : undefined
}

function unsupported(requested: string): Revision {
  return {
    ok: false,
    error: {
      code: REVISION_UNSUPPORTED,
      message: `Unsupported protocol version ${quoted(requested)}: use ${CURRENT_REVISION}`,
      data: { supported: [CURRENT_REVISION], requested },
    },
  }
}

function mismatch(what: string): Revision {
  return refuse(HEADER_MISMATCH, `Bad Request: the headers and the body disagree: ${what}`)
}

function refuse(code: number, message: string): Revision {
  return { ok: false, error: { code, message } }
}

/** A value that a caller sent, shortened for display. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 64 ? `${text.slice(0, 64)}…` : text)
}
