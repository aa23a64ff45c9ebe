// `POST /v3/{task}`: request object in, response object out (spec 4.2).

import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Answer } from '../../agent/answer.ts'
import type { Agent } from '../../agent/call.ts'
import type { TableEntry } from '../../agent/task-table.ts'
import { STATUS } from './task-errors.ts'

const NO_KEY_NEEDED: readonly Record<string, string[]>[] = []
const KEY_NEEDED: readonly Record<string, string[]>[] = [{ bearerAuth: [] }]

/** The rules of a task are the agent's; Fastify only parses the JSON. */
const unchecked = () => (value: unknown) => ({ value })

export function taskRoutes(agent: Agent) {
  return (app: FastifyInstance): void => {
    for (const entry of agent.tasks.entries) {
      const { task } = entry
      app.post(
        `/v3/${entry.name}`,
        {
          ...(task.bodyLimitBytes === undefined ? {} : { bodyLimit: task.bodyLimitBytes }),
          validatorCompiler: unchecked,
          schema: {
            operationId: entry.name,
            summary: task.summary,
            tags: ['Tasks'],
            security: task.access === 'public' ? NO_KEY_NEEDED : KEY_NEEDED,
            body: entry.request,
            response: responsesOf(entry),
          },
        },
        async (request, reply) => {
          const answer = await agent.call({
            task: entry.name,
            arguments: request.body,
            wire: 'http',
            authorization: request.headers.authorization,
            address: request.ip,
            calledOn: `${request.protocol}://${request.host}`,
            signal: goneSignal(reply),
          })
          // The route exists because the task does.
          return sendAnswer(reply, answer as Answer)
        },
      )
    }
  }
}

function responsesOf({ response, task }: TableEntry) {
  const statuses = [200, ...(task.changes ? [202] : []), 400, 401, 403, 404, 409, 422, 429, 503]
  return Object.fromEntries(statuses.map((status) => [status, response]))
}

export function sendAnswer(reply: FastifyReply, answer: Answer): FastifyReply {
  if (answer.ok) reply.code(answer.accepted ? 202 : 200)
  else {
    reply.code(STATUS[answer.code])
    if (STATUS[answer.code] === 401) reply.header('www-authenticate', 'Bearer')
    if (answer.retryAfterSeconds) reply.header('retry-after', String(answer.retryAfterSeconds))
  }
  return reply.header('content-type', 'application/json; charset=utf-8').send(answer.bytes())
}

/** Aborted when the caller closes the connection before it was answered. */
export function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort()
  })
  return gone.signal
}
