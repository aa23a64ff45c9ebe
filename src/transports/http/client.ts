// Calls tasks of another agent over plain HTTP: `POST /v3/{task}` (spec 4.2).

import { defined } from '../../lib/defined.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import {
  type ClientOptions,
  exchange,
  type ListedTask,
  objectIn,
  resultOf,
  type TaskClient,
  unreadable,
} from '../client.ts'

/** `url` is the server's address, with or without `/v3`. */
export function createHttpClient(options: ClientOptions): TaskClient {
  const base = options.url.replace(/\/+$/, '').replace(/\/v3$/, '')
  return {
    listTasks: async (given = {}) => {
      const sent = await exchange(options, {
        ...{ url: `${base}/openapi.json`, method: 'GET', headers: {} },
        ...given,
      })
      if (!sent.ok) return sent
      const paths = objectIn(sent.response)?.paths
      if (sent.response.status !== 200 || !isObject(paths)) return unreadable(sent.response)
      return { ok: true, tasks: Object.entries(paths).flatMap(taskAt) }
    },
    call: async (task, request, given = {}) => {
      const sent = await exchange(options, {
        url: `${base}/v3/${encodeURIComponent(task)}`,
        method: 'POST',
        headers: {},
        body: JSON.stringify(request),
        ...given,
      })
      if (!sent.ok) return sent
      const { status } = sent.response
      const body = objectIn(sent.response)
      if (!body) return unreadable(sent.response)
      return resultOf(body, { isError: status < 200 || status > 299, httpStatus: status })
    },
  }
}

function taskAt([path, methods]: [string, unknown]): ListedTask[] {
  const name = /^\/v3\/([a-z0-9_]+)$/.exec(path)?.[1]
  const post = isObject(methods) ? methods.post : undefined
  if (name === undefined || !isObject(post)) return []
  const { summary } = post
  return [{ name, ...defined({ description: typeof summary === 'string' ? summary : undefined }) }]
}
