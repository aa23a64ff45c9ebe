// The context of a call, independent of its message: the sender, the address it was sent to, and the maximum
// request size (spec 4.2).

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TaskCall } from '../agent/agent.ts'
import type { Answer } from '../agent/answer.ts'
import type { TaskTable } from '../agent/task-table.ts'
import { taskError } from '../protocol/errors.ts'
import { HOPS_HEADER, hopsOf } from '../protocol/hops.ts'
import type { Task } from '../protocol/task.ts'
import { admittedBy, type BodyLimits } from './authenticate.ts'
import { HTTP_LIMITS } from './http/limits.ts'
import { codeOf, STATUS } from './http/task-errors.ts'

export type CallSource = Pick<TaskCall, 'admitted' | 'calledOn' | 'hops' | 'signal' | 'reserve'>

export function callSource(request: FastifyRequest, reply: FastifyReply): CallSource {
  return {
    admitted: admittedBy(request),
    calledOn: `${request.protocol}://${request.host}`,
    hops: hopsOf(request.headers[HOPS_HEADER]),
    signal: goneSignal(reply),
    reserve: (bytes) => {
      const full = request.hold?.resize(request, bytes)
      if (!full) return undefined
      const { status, message, retryAfterSeconds: retry_after } = full
      return taskError(codeOf(status), message, { retry_after })
    },
  }
}

type Limited = Pick<Task, 'bodyLimitBytes' | 'keylessBodyBytes'>

export interface TaskBodyLimits {
  of(task: Limited): BodyLimits
  /** For a path that serves every task: the limit of the task with the largest limit. */
  largest: BodyLimits
  /** The limit of this task that a request exceeds with the bytes received; undefined if it is within the limits. */
  broken(task: Limited, request: FastifyRequest): number | undefined
}

export function taskBodyLimits(app: FastifyInstance, { entries }: TaskTable): TaskBodyLimits {
  const usual = app.initialConfig.bodyLimit ?? HTTP_LIMITS.bodyBytes.value
  const of = ({ bodyLimitBytes = usual, keylessBodyBytes }: Limited): BodyLimits => ({
    keyed: bodyLimitBytes,
    keyless: keylessBodyBytes ?? Math.min(bodyLimitBytes, app.keylessBodyBytes),
  })
  const all = [{}, ...entries.map(({ task }) => task)].map(of)
  return {
    of,
    largest: {
      keyed: Math.max(...all.map(({ keyed }) => keyed)),
      keyless: Math.max(...all.map(({ keyless }) => keyless)),
    },
    broken: (task, request) => {
      const { keyed, keyless } = of(task)
      const limit = admittedBy(request).principal ? keyed : keyless
      return request.bodyBytes > limit ? limit : undefined
    },
  }
}

/** Whether the call requires a key and has none: every transport reports this with HTTP 401. */
export function lacksKey(answer: Answer): boolean {
  return !answer.ok && STATUS[answer.code] === 401
}

/** Aborted when the caller closes the connection before the response. */
export function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort()
  })
  return gone.signal
}
