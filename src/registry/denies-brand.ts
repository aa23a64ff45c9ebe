// Whether an agent itself reports that it does not know the id of a reference. Brand agents have a task for that; if
// an agent does not support it, or does not respond, that proves nothing.

import { defined } from '../lib/defined.ts'
import { type AgentAnswer, asObject, isOk, jsonRpcOf, listOf, objectAt } from './agent-answer.ts'
import { callMcp } from './call-mcp.ts'
import type { ReferenceToVerify, VerificationRun } from './verification.ts'

const TASK = 'get_brand_identity'
const UNKNOWN: ReadonlySet<unknown> = new Set([
  'brand_not_found',
  'BRAND_NOT_FOUND',
  'REFERENCE_NOT_FOUND',
])

/** `initialized` is the agent's response to `initialize`. */
export async function deniesBrand(
  reference: ReferenceToVerify,
  initialized: AgentAnswer,
  run: VerificationRun,
): Promise<boolean> {
  const { agent_url, agent_id, manifest_type } = reference
  const result = objectAt(jsonRpcOf(initialized), 'result')
  const hasTools = objectAt(objectAt(result, 'capabilities'), 'tools') !== undefined
  if (manifest_type !== 'brand.json' || !hasTools || run.timeoutMs() === 0) return false

  const answer = await callMcp(agent_url as string, run, {
    method: 'tools/call',
    params: { name: TASK, arguments: { brand_id: agent_id } },
    headers: sessionHeaders(initialized, result?.protocolVersion),
  })
  if (!answer.ok || !isOk(answer.status)) return false
  const reported = objectAt(jsonRpcOf(answer), 'result')
  const content = objectAt(reported, 'structuredContent')
  if (reported?.isError === true) {
    return listOf(content?.errors).some((error) => UNKNOWN.has(asObject(error)?.code))
  }
  return typeof content?.brand_id === 'string' && content.brand_id !== agent_id
}

/** Headers that a server with sessions requires on every later request. */
function sessionHeaders(
  { headers }: AgentAnswer,
  protocolVersion: unknown,
): Record<string, string> {
  const session = headers['mcp-session-id']
  return {
    ...defined({
      'mcp-protocol-version':
        typeof protocolVersion === 'string' && /^[\w.-]{1,40}$/.test(protocolVersion)
          ? protocolVersion
          : undefined,
      'mcp-session-id':
        session !== undefined && /^[\x21-\x7e]{1,200}$/.test(session) ? session : undefined,
    }),
  }
}
