// The task-management tasks under their own paths (spec 3.2): `GET /v3/tasks` lists tasks, one more segment gets one,
// and `/cancel` and `/input` act on it. The same as `POST /v3/list_tasks` and the related calls, for clients that
// poll with only a URL.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Agent } from '../../agent/agent.ts'
import type { Answer } from '../../agent/answer.ts'
import { defined } from '../../lib/defined.ts'
import type { Identifiers } from '../../protocol/identifiers.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import { authenticatorOf } from '../authenticate.ts'
import { callSource, taskBodyLimits } from '../call-source.ts'
import type { SignedUrls } from '../signed-head.ts'
import { TASK_ANSWER_BYTES } from './answer-hooks.ts'
import { parseTaskBody, responsesOf, sendAnswer, taskFaults } from './task-routes.ts'
import { unchecked } from './unchecked.ts'

type Query = Record<string, string | string[] | undefined>

interface Route {
  method: 'GET' | 'POST'
  path: string
  task: string
  operationId: string
  summary: string
  argumentsOf(request: FastifyRequest): unknown
}

const ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/v3/tasks',
    task: 'list_tasks',
    operationId: 'listTasks',
    summary: 'The caller’s tasks; the same as list_tasks',
    argumentsOf: ({ query }) => listArguments(query as Query),
  },
  {
    method: 'GET',
    path: '/v3/tasks/:task_id',
    task: 'get_task_status',
    operationId: 'getTask',
    summary: 'Status of a task; the same as get_task_status',
    argumentsOf: ({ params, query }) => ({
      ...(params as object),
      ...flags(query as Query, ['include_history', 'include_result']),
    }),
  },
  {
    method: 'POST',
    path: '/v3/tasks/:task_id/cancel',
    task: 'cancel_task',
    operationId: 'cancelTask',
    summary: 'Cancels a task; the same as cancel_task',
    argumentsOf: withTaskId,
  },
  {
    method: 'POST',
    path: '/v3/tasks/:task_id/input',
    task: 'provide_task_input',
    operationId: 'provideTaskInput',
    summary: 'Provides the input that a task waits for; the same as provide_task_input',
    argumentsOf: withTaskId,
  },
]

export function taskLifeRoutes(agent: Agent, identifiers: Identifiers, urls?: SignedUrls) {
  return (app: FastifyInstance): void => {
    for (const route of ROUTES) addRoute(app, { agent, identifiers, urls }, route)
  }
}

interface RouteContext {
  agent: Agent
  identifiers: Identifiers
  urls: SignedUrls | undefined
}

function addRoute(
  app: FastifyInstance,
  { agent, identifiers, urls }: RouteContext,
  { method, path, task, operationId, summary, argumentsOf }: Route,
): void {
  const entry = agent.tasks.find(task)
  if (!entry) return
  const limits = taskBodyLimits(app, agent.tasks).of(entry.task)
  app.route({
    method,
    url: path,
    config: { counts: 'itself', parseBody: parseTaskBody, answerBytes: TASK_ANSWER_BYTES },
    ...authenticatorOf(agent, { refuse: sendAnswer, limits, entry, urls }),
    validatorCompiler: unchecked,
    errorHandler: taskFaults(identifiers),
    schema: {
      operationId,
      summary,
      tags: ['Tasks'],
      security: [{ bearerAuth: [] }],
      ...(path.includes(':task_id') ? { params: TASK_PATH } : { querystring: LIST_QUERY }),
      ...defined({ querystring: task === 'get_task_status' ? STATUS_QUERY : undefined }),
      response: responsesOf(entry),
    },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const answer = await agent.call({
        task,
        arguments: argumentsOf(request),
        transport: 'http',
        ...callSource(request, reply),
      })
      // The route exists because the task does.
      return sendAnswer(reply, answer as Answer)
    },
  })
}

const TASK_PATH = z.object({ task_id: z.string().describe('The task.') })

const STATUS_QUERY = z.object({
  include_history: z.string().optional().describe('true to include the messages, oldest first.'),
  include_result: z.string().optional().describe('false to leave the result out.'),
})

const LIST_QUERY = z.object({
  status: z
    .string()
    .optional()
    .describe('Only tasks with this status; comma-separated for several.'),
  task_type: z.string().optional().describe('Only this task; comma-separated for several.'),
  domain: z.string().optional().describe('Only this part of the protocol.'),
  created_after: z.string().optional().describe('ISO 8601, in UTC.'),
  created_before: z.string().optional().describe('ISO 8601, in UTC.'),
  has_webhook: z.string().optional().describe('true or false.'),
  sort: z.string().optional().describe('A field of the task, such as updated_at.'),
  direction: z.string().optional().describe('asc or desc.'),
  max_results: z.string().optional().describe('Entries per page, 1 to 100; default 50.'),
  cursor: z.string().optional().describe('The cursor of the page before.'),
  include_history: z.string().optional().describe('true to include the messages.'),
})

/** A missing body counts as an empty one; any other shape is rejected by the task. */
function withTaskId({ body, params }: FastifyRequest): unknown {
  if (body === undefined) return params
  return isObject(body) ? { ...body, ...(params as object) } : body
}

/** The query parameters as a list_tasks request; an invalid value stays a string, and validation rejects it. */
function listArguments(query: Query): Record<string, unknown> {
  const { status, task_type, sort, direction, max_results, cursor } = query
  const filters = {
    ...present({ domain: query.domain }),
    ...present({ created_after: query.created_after, created_before: query.created_before }),
    ...flags(query, ['has_webhook']),
    ...defined({
      statuses: status === undefined ? undefined : words(status),
      task_types: task_type === undefined ? undefined : words(task_type),
    }),
  }
  const pagination = {
    ...present({ cursor }),
    ...defined({ max_results: max_results === undefined ? undefined : numberOr(max_results) }),
  }
  const order = present({ field: sort, direction })
  return {
    ...defined({
      filters: Object.keys(filters).length > 0 ? filters : undefined,
      pagination: Object.keys(pagination).length > 0 ? pagination : undefined,
      sort: Object.keys(order).length > 0 ? order : undefined,
    }),
    ...flags(query, ['include_history']),
  }
}

function words(value: string | string[]): string[] {
  return [value].flat().flatMap((one) => one.split(','))
}

function numberOr(value: string | string[]): unknown {
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
}

function flags(query: Query, names: readonly string[]): Record<string, unknown> {
  const flag = (value: unknown) => (value === 'true' ? true : value === 'false' ? false : value)
  return present(Object.fromEntries(names.map((name) => [name, flag(query[name])])))
}

function present(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}
