// `POST /v3/{task}`: request object in, response object out (spec 4.2). The same is at `/{protocol name}/{task}`,
// where signers and graders of the protocol expect the path of a task.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Agent } from '../../agent/agent.ts'
import { type Answer, refusedAnswer } from '../../agent/answer.ts'
import type { TableEntry } from '../../agent/task-table.ts'
import { unknownTask } from '../../agent/unknown-task.ts'
import { keepingParser } from '../../lib/verbatim-json.ts'
import { taskError } from '../../protocol/errors.ts'
import type { Identifiers } from '../../protocol/identifiers.ts'
import { authenticatorOf, BodyRefused } from '../authenticate.ts'
import { callSource, taskBodyLimits } from '../call-source.ts'
import { challengeOf } from '../challenge.ts'
import type { SignedUrls } from '../signed-head.ts'
import { TASK_ANSWER_BYTES } from './answer-hooks.ts'
import { faultOf, type HttpFault, logFault } from './errors.ts'
import { codeOf, STATUS } from './task-errors.ts'
import { unchecked } from './unchecked.ts'

const NO_KEY_NEEDED: readonly Record<string, string[]>[] = []
const KEY_NEEDED: readonly Record<string, string[]>[] = [{ bearerAuth: [] }]

/** One description of a task is enough. */
const HIDDEN = { hide: true }

/** The context is returned verbatim. */
export const parseTaskBody = keepingParser([['context']])

export function taskRoutes(agent: Agent, identifiers: Identifiers, urls?: SignedUrls) {
  return (app: FastifyInstance): void => {
    const limits = taskBodyLimits(app, agent.tasks)
    const known = agent.tasks.knownTo(undefined)
    const isPublic = (entry: TableEntry) => known.includes(entry)
    unknownTaskRoute(app, agent, known)
    for (const entry of agent.tasks.entries) {
      const { task } = entry
      const answerCall = async (request: FastifyRequest, reply: FastifyReply) => {
        const answer = await agent.call({
          task: entry.name,
          arguments: request.body,
          transport: 'http',
          ...callSource(request, reply),
        })
        // The route exists because the task does.
        return sendAnswer(reply, answer as Answer)
      }
      const options = {
        config: {
          counts: 'itself' as const,
          parseBody: parseTaskBody,
          answerBytes: TASK_ANSWER_BYTES,
        },
        ...authenticatorOf(agent, { refuse: sendAnswer, limits: limits.of(task), entry, urls }),
        validatorCompiler: unchecked,
        errorHandler: taskFaults(identifiers),
      }
      const schema = {
        // Tasks that are not public are not in any public description.
        hide: !isPublic(entry),
        operationId: entry.name,
        summary: task.summary,
        tags: ['Tasks'],
        security: task.access === 'public' ? NO_KEY_NEEDED : KEY_NEEDED,
        body: entry.request,
        response: responsesOf(entry),
      }
      app.post(`/v3/${entry.name}`, { ...options, schema }, answerCall)
      app.post(`/${identifiers.name}/${entry.name}`, { ...options, schema: HIDDEN }, answerCall)
    }
  }
}

/** An unknown task: answered in the form of a task before the body is read, since the body is not needed. */
function unknownTaskRoute(app: FastifyInstance, agent: Agent, known: readonly TableEntry[]): void {
  app.route({
    method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    url: '/v3/:task',
    schema: { hide: true },
    onRequest: async (request, reply) => {
      const { task } = request.params as { task: string }
      return sendAnswer(reply, refusedAnswer(unknownTask(known, task), agent.identifiers), 404)
    },
    handler: () => undefined,
  })
}

/** For a route's `errorHandler`: errors before or inside a request, in the form of a task's errors. */
export function taskFaults(identifiers: Identifiers) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (error instanceof BodyRefused) {
      return sendAnswer(reply, refusedAnswer(error.error, identifiers))
    }
    const fault = faultOf(error)
    logFault(request, error, fault)
    return sendTaskFault(reply, fault, identifiers)
  }
}

/** Errors from before the agent was called, in the form of a task's errors. */
function sendTaskFault(
  reply: FastifyReply,
  { status, error, retryAfterSeconds }: HttpFault,
  identifiers: Identifiers,
): FastifyReply {
  const extras = retryAfterSeconds === undefined ? {} : { retry_after: retryAfterSeconds }
  const refused = refusedAnswer(taskError(codeOf(status), error, extras), identifiers)
  return sendAnswer(reply, refused, status)
}

export function responsesOf({ response, task }: TableEntry) {
  const statuses = [
    200,
    ...(task.changes ? [202] : []),
    400,
    401,
    403,
    404,
    409,
    413,
    415,
    422,
    429,
    503,
  ]
  return Object.fromEntries(statuses.map((status) => [status, response]))
}

export function sendAnswer(
  reply: FastifyReply,
  answer: Answer,
  status: number = answer.ok
    ? answer.callStatus === 'completed'
      ? 200
      : 202
    : STATUS[answer.code],
): FastifyReply {
  reply.code(status)
  if (!answer.ok) {
    if (status === 401) reply.header('www-authenticate', challengeOf(answer))
    if (answer.retryAfterSeconds) reply.header('retry-after', String(answer.retryAfterSeconds))
  }
  return reply.header('content-type', 'application/json; charset=utf-8').send(answer.bytes())
}
