// What a call brings along whatever its message says: who sent it, to which address, and how large a
// request may be on a wire that serves every task on one path (spec 4.2).

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Answer } from '../agent/answer.ts'
import type { TaskCall } from '../agent/call.ts'
import type { TaskTable } from '../agent/task-table.ts'
import type { Task } from '../protocol/task.ts'
import { STATUS } from './http/task-errors.ts'

export type CallSource = Pick<TaskCall, 'authorization' | 'address' | 'calledOn' | 'signal'>

export function callSource(request: FastifyRequest, reply: FastifyReply): CallSource {
  return {
    authorization: request.headers.authorization,
    address: request.ip,
    calledOn: `${request.protocol}://${request.host}`,
    signal: goneSignal(reply),
  }
}

export interface BodyLimits {
  /** Of the path: what the task that takes most may take. */
  largest: number
  /** The limit that a request to this task breaks; undefined when it keeps to it. */
  broken(task: Pick<Task, 'bodyLimitBytes'>, request: FastifyRequest): number | undefined
}

export function bodyLimits(app: FastifyInstance, { entries }: TaskTable): BodyLimits {
  const usual = app.initialConfig.bodyLimit ?? 1_048_576
  return {
    largest: Math.max(usual, ...entries.map(({ task }) => task.bodyLimitBytes ?? usual)),
    broken: ({ bodyLimitBytes = usual }, { headers }) =>
      Number(headers['content-length'] ?? 0) > bodyLimitBytes ? bodyLimitBytes : undefined,
  }
}

/** Whether the call wants a key that it did not bring: every wire says so with HTTP's 401. */
export function lacksKey(answer: Answer): boolean {
  return !answer.ok && STATUS[answer.code] === 401
}

/** Aborted when the caller closes the connection before it was answered. */
function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort()
  })
  return gone.signal
}
