// Calls tasks of another agent over plain HTTP: `POST /v3/{task}` (spec 4.2).

import { defined } from '../../lib/defined.ts'
import { trimEnd } from '../../lib/trim-end.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import { type ClientOptions, exchange, type ListedTask, type TaskClient } from '../client.ts'
import { objectIn, resultOf, unreadable } from '../client-answer.ts'

/** `url` is the server's address, with or without `/v3`. */
export function createHttpClient(options: ClientOptions): TaskClient {
  const base = trimEnd(options.url, '/').replace(/\/v3$/, '')
  return {
    listTasks: async ({ signal } = {}) => {
      const sent = await exchange(options, {
        url: `${base}/openapi.json`,
        method: 'GET',
        headers: {},
        ...defined({ signal }),
      })
      if (!sent.ok) return sent
      const paths = objectIn(sent.response)?.paths
      if (sent.response.status !== 200 || !isObject(paths)) return unreadable(sent.response)
      return { ok: true, tasks: Object.entries(paths).flatMap(taskAt) }
    },
    call: async (task, request, { signal } = {}) => {
      const sent = await exchange(options, {
        url: `${base}/v3/${encodeURIComponent(task)}`,
        method: 'POST',
        headers: {},
        body: JSON.stringify(request),
        ...defined({ signal }),
      })
      if (!sent.ok) return sent
      const { status } = sent.response
      const body = objectIn(sent.response)
      if (!body) return unreadable(sent.response)
      return resultOf(body, { isError: status < 200 || status > 299, response: sent.response })
    },
  }
}

function taskAt([path, methods]: [string, unknown]): ListedTask[] {
  const name = /^\/v3\/([a-z0-9_]+)$/.exec(path)?.[1]
  const post = isObject(methods) ? methods.post : undefined
  if (name === undefined || !isObject(post)) return []
  const { summary } = post
  const inputSchema = bodySchema(post.requestBody)
  const description = typeof summary === 'string' ? summary : undefined
  return [{ name, ...defined({ description, inputSchema }) }]
}

function bodySchema(body: unknown): Record<string, unknown> | undefined {
  const content = isObject(body) && isObject(body.content) ? body.content : {}
  const json = content['application/json']
  const schema = isObject(json) ? json.schema : undefined
  return isObject(schema) ? schema : undefined
}
