// One JSON-RPC message to an agent that may be an MCP server, for its verification.

import { defined } from '../lib/defined.ts'
import type { EgressResult } from '../lib/safe-fetch/safe-fetch.ts'
import type { VerificationRun } from './verification.ts'

export interface McpCall {
  method: string
  params: Record<string, unknown>
  headers?: Record<string, string>
}

export const MAX_ANSWER_BYTES = 256 * 1024

export function callMcp(
  url: string,
  { fetch, timeoutMs, signal }: Pick<VerificationRun, 'fetch' | 'timeoutMs' | 'signal'>,
  { method, params, headers = {} }: McpCall,
): Promise<EgressResult> {
  return fetch({
    url,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    maxBytes: MAX_ANSWER_BYTES,
    totalTimeoutMs: timeoutMs(),
    ...defined({ signal }),
  })
}
