// Calls of a task over HTTP, MCP and A2A, which must all come to the same.

import { expect } from 'vitest'
import { createEgress } from '../../src/lib/safe-fetch/safe-fetch.ts'
import { createA2aClient } from '../../src/transports/a2a/client.ts'
import { type CallResult, throughEgress } from '../../src/transports/client.ts'
import { createHttpClient } from '../../src/transports/http/client.ts'
import { createMcpClient } from '../../src/transports/mcp/client.ts'

const TRANSPORTS = [
  { transport: 'HTTP', create: createHttpClient, path: '' },
  { transport: 'MCP', create: createMcpClient, path: '/mcp' },
  { transport: 'A2A', create: createA2aClient, path: '' },
] as const

/** Makes the same call over each transport in turn; the one result, without what HTTP made of it. */
export async function onEveryTransport(
  url: string,
  task: string,
  request: Record<string, unknown>,
  key?: string,
  /** Members of the body that contain the time of the answer. */
  timed: readonly string[] = [],
): Promise<CallResult> {
  const egress = createEgress({ allow: ['127.0.0.0/8'], allowHttp: true })
  const fetch = throughEgress(egress)
  const results: CallResult[] = []
  for (const { create, path } of TRANSPORTS) {
    const client = create({ url: `${url}${path}`, fetch, ...(key === undefined ? {} : { key }) })
    const result = await client.call(task, request)
    if (result.ok) results.push(result)
    else {
      const { httpStatus: _httpStatus, ...rest } = result
      results.push(rest)
    }
  }
  await egress.close()
  for (const { body } of results) {
    for (const member of timed) if (body) Reflect.deleteProperty(body, member)
  }
  const [first, ...others] = results
  for (const other of others) expect(other).toEqual(first)
  return first as CallResult
}
