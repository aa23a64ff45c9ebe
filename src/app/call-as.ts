// Task calls from within the server, for a user who is signed in to the console: counted and validated like a call
// over a transport, without the transport.

import { randomUUID } from 'node:crypto'
import type { Agent } from '../agent/agent.ts'
import { failedAnswer } from '../agent/answer.ts'
import type { CallTask } from '../console/call-task.ts'
import { defined } from '../lib/defined.ts'

export function callAs(agent: Agent, publicUrl: () => string): CallTask {
  return async ({ principal, task, arguments: given, signal, ...called }) => {
    const { waitMs, isFollowed, task_id = randomUUID() } = called
    const admitted = { ok: true as const, principal, account: principal.principal_id }
    const tooMany = agent.takeMore(admitted, 1)
    if (tooMany) return failedAnswer([tooMany], agent.identifiers)
    const deferred = { task_id, hasWebhook: false, ...defined({ waitMs, isFollowed }) }
    const answer = await agent.call({
      task,
      arguments: given,
      transport: 'http',
      admitted,
      signal,
      deferred,
      calledOn: new URL(publicUrl()).origin,
    })
    if (!answer) throw new Error(`there is no task ${task}`)
    return answer
  }
}
