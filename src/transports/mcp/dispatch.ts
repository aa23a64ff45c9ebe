// The server's response to one MCP message (spec 4.2). It keeps no session: every message is self-contained, so that
// any instance can answer the next one.

import type { Agent } from '../../agent/agent.ts'
import { instructionsFor } from '../../agent/task-guides.ts'
import type { TableEntry } from '../../agent/task-table.ts'
import { unknownTask } from '../../agent/unknown-task.ts'
import { defined } from '../../lib/defined.ts'
import { type SharedText, sharedText, type TextPiece } from '../../lib/shared-text.ts'
import type { Caller } from '../../protocol/task.ts'
import { type CallSource, lacksKey } from '../call-source.ts'
import {
  type RpcRequest,
  readRpcMessage,
  rpcError,
  rpcResult,
  rpcResultAround,
} from '../json-rpc.ts'
import { RPC_INVALID_PARAMS, RPC_INVALID_REQUEST, RPC_METHOD_NOT_FOUND } from '../rpc-error.ts'
import {
  CURRENT_REVISION,
  HANDSHAKE_REVISIONS,
  type McpHeaders,
  revisionOf,
  SERVER_INFO_META,
} from './revisions.ts'
import { createToolResults, type Tool, type ToolResults, toolOf } from './tools.ts'

export interface McpIdentity {
  /** What the server calls itself. */
  name: string
  version: string
  /** A few sentences for the model that will call the tools. Default: which tools are for which job. */
  instructions?: string
  /** Whether tools declare their output schemas. Default true. */
  outputSchemas?: boolean
}

export interface Dispatched {
  status: number
  /** The response; undefined if there is none: the message was a notification. */
  pieces: readonly TextPiece[] | undefined
}

export interface Incoming {
  message: unknown
  headers: McpHeaders
  source: CallSource
}

export type Dispatch = (incoming: Incoming) => Promise<Dispatched>

/** The supported methods of either era. */
export const MCP_METHODS = ['tools/call', 'tools/list', 'initialize', 'ping', 'server/discover']

type Era = 'handshake' | 'current'
type Answered = Dispatched & { pieces: readonly TextPiece[] }

/** In seconds: the tools change only with the program. */
const TOOLS_MAX_AGE_SECONDS = 300
const SHOWN_NAME_CHARS = 100

export function createDispatch(agent: Agent, identity: McpIdentity): Dispatch {
  const answers = preparedAnswers(agent, identity)
  const results = createToolResults()

  return async ({ message: body, headers, source }) => {
    const message = readRpcMessage(body)
    if (message.kind === 'response') return { status: 202, pieces: undefined }
    if (message.kind === 'invalid') {
      const { id, message: fault } = message
      return answered(400, rpcError(id, { code: RPC_INVALID_REQUEST, message: fault }))
    }
    const revision = revisionOf(message, headers)
    const id = message.kind === 'request' ? message.id : null
    if (!revision.ok) return answered(400, rpcError(id, revision.error))
    if (message.kind === 'notification') return { status: 202, pieces: undefined }

    const { era } = revision
    const { principal } = source.admitted
    if (message.method === 'tools/call') {
      return callTool({ agent, results, end: answers.end[era] }, message, source)
    }
    if (message.method === 'tools/list') {
      return await listTools(message, () => answers.tools(era, principal))
    }
    if (message.method === 'initialize' && era === 'handshake') {
      return answered(200, rpcResult(id, answers.initialize(message.params, principal)))
    }
    if (message.method === 'ping' && era === 'handshake') {
      return answered(200, rpcResult(id, '{}'))
    }
    if (message.method === 'server/discover' && era === 'current') {
      return answered(200, rpcResult(id, answers.discover(principal)))
    }
    return unknownMethod(message, era)
  }
}

function answered(status: number, text: string): Answered {
  return { status, pieces: [text] }
}

/** A tool result contains its body twice: as JSON, and as text. */
export const BODY_COPIES = 2

async function callTool(
  { agent, results, end }: { agent: Agent; results: ToolResults; end: string },
  { id, params }: RpcRequest,
  source: CallSource,
): Promise<Answered> {
  const name = params?.name
  if (typeof name !== 'string') {
    return invalidParams(id, 'params.name must be the name of a tool')
  }
  const answer = await agent.call({
    task: name,
    // Clients write null for no arguments.
    arguments: params?.arguments ?? {},
    transport: 'mcp',
    ...source,
    reserve: (bytes) => source.reserve?.(bytes * BODY_COPIES),
  })
  if (!answer) {
    const known = agent.tasks.knownTo(source.admitted.principal)
    return invalidParams(id, unknownTask(known, name, 'tool').message)
  }
  const result = `{${await results(name, answer)}${end}}`
  return answered(lacksKey(answer) ? 401 : 200, rpcResult(id, result))
}

async function listTools(
  { id, params }: RpcRequest,
  tools: () => Promise<SharedText>,
): Promise<Answered> {
  if (params?.cursor !== undefined) {
    return invalidParams(id, 'params.cursor is invalid: all tools are on one page')
  }
  const [head, tail] = rpcResultAround(id)
  return { status: 200, pieces: [head, await tools(), tail] }
}

function invalidParams(id: RpcRequest['id'], fault: string): Answered {
  const message = `Invalid params: ${fault}`
  return answered(200, rpcError(id, { code: RPC_INVALID_PARAMS, message }))
}

/** The current revision requires 404, so that a proxy sees it too. */
function unknownMethod({ id, method }: RpcRequest, era: Era): Answered {
  const returned = JSON.stringify(method.slice(0, SHOWN_NAME_CHARS))
  const error = {
    code: RPC_METHOD_NOT_FOUND,
    message: `Method not found: ${returned}; this server has tools/list and tools/call`,
  }
  return answered(era === 'current' ? 404 : 200, rpcError(id, error))
}

interface PreparedAnswers {
  initialize(params: Record<string, unknown> | undefined, principal: Caller | undefined): string
  discover(principal: Caller | undefined): string
  /** Those that the caller knows of. */
  tools(era: Era, principal: Caller | undefined): Promise<SharedText>
  /** The end of a tool result. */
  end: Record<Era, string>
}

/** Everything that is the same for many callers, made once. */
function preparedAnswers(agent: Agent, identity: McpIdentity): PreparedAnswers {
  const { name, version, outputSchemas = true } = identity
  const serverInfo = { name, version }
  const aboutFor = (principal: Caller | undefined) => ({
    capabilities: { tools: {} },
    ...defined({
      instructions: identity.instructions ?? instructionsFor(agent.tasks.knownTo(principal)),
    }),
  })
  const complete = { resultType: 'complete', _meta: { [SERVER_INFO_META]: serverInfo } }
  const isSame = agent.tasks.entries.every(({ task }) => task.isKnownTo === undefined)
  const ttlMs = TOOLS_MAX_AGE_SECONDS * 1_000
  const cached = { ttlMs, cacheScope: isSame ? 'public' : 'private' }
  const lists = new Map<string, Promise<SharedText>>()
  const list = async (era: Era, known: readonly TableEntry[]): Promise<SharedText> => {
    const tools: Tool[] = []
    for (const entry of known)
      tools.push(await toolOf(entry, { known, identifiers: agent.identifiers, outputSchemas }))
    return sharedText(
      JSON.stringify({ tools, ...(era === 'current' ? { ...cached, ...complete } : {}) }),
    )
  }

  return {
    initialize: (params, principal) => {
      const requested = HANDSHAKE_REVISIONS.find((revision) => revision === params?.protocolVersion)
      const protocolVersion = requested ?? HANDSHAKE_REVISIONS[0]
      return JSON.stringify({ protocolVersion, ...aboutFor(principal), serverInfo })
    },
    discover: (principal) =>
      JSON.stringify({
        supportedVersions: [CURRENT_REVISION],
        ...aboutFor(principal),
        ...cached,
        ...complete,
      }),
    tools: (era, principal) => {
      const known = agent.tasks.knownTo(principal)
      const key = `${era} ${known.map((entry) => entry.name).join(' ')}`
      const made = lists.get(key) ?? list(era, known)
      lists.set(key, made)
      made.catch(() => lists.delete(key))
      return made
    },
    end: { handshake: '', current: `,${JSON.stringify(complete).slice(1, -1)}` },
  }
}
