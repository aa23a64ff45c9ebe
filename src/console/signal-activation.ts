// Activating a signal on a platform, or deactivating it, from the console: the same call of activate_signal that a
// caller makes, for one of the operator's principals and within the rights of that principal.

import { randomUUID } from 'node:crypto'
import type { Answer, Failed } from '../agent/answer.ts'
import type { Principal, PrincipalStore } from '../agent/principals.ts'
import { defined } from '../lib/defined.ts'
import { isStorable } from '../lib/storable-text.ts'
import type { ActivateAnswer, ActivateBody } from './api/signals.ts'
import { type ActionPorts, act } from './audit.ts'
import { refusalOfTask } from './call-task.ts'
import { notFound, Refused } from './refusal.ts'
import type { Visitor } from './sessions.ts'

export interface ActivatePorts extends ActionPorts {
  principals: Pick<PrincipalStore, 'get'>
  /** Calls activate_signal for a principal; its task, if there is one, has this id. */
  callActivate: (
    principal: Principal,
    request: Readonly<Record<string, unknown>>,
    taskId: string,
  ) => Promise<Answer>
  /** Why a principal may not activate anything, if so. */
  activationRefusal: (principal: Principal) => string | undefined
}

export async function activateFromConsole(
  ports: ActivatePorts,
  visitor: Visitor,
  { signalId, body }: { signalId: string; body: ActivateBody },
): Promise<ActivateAnswer> {
  const { action, type, name, account, pricing_option_id, principal_id } = body
  const principal = isStorable(principal_id) ? await ports.principals.get(principal_id) : undefined
  if (!principal) throw notFound(`principal ${principal_id}`)
  const place = type === 'platform' ? { type, platform: name } : { type, agent_url: name }
  const task_id = randomUUID()
  const request = {
    signal_agent_segment_id: signalId,
    action,
    idempotency_key: randomUUID(),
    deployments: [{ ...place, ...defined({ account }) }],
    ...defined({ pricing_option_id }),
  }
  const refusal = refusalFor(ports, principal)
  const answer =
    refusal === undefined ? await ports.callActivate(principal, request, task_id) : undefined
  const of = account === undefined ? name : `${name}, account ${account},`
  const said = {
    visitor,
    action: `signals.${action}`,
    target: signalId,
    detail: `${of} for ${principal.name}`,
  }
  // The activation has started: its audit entry is added right after.
  return act(ports, said, async () => {
    if (!answer) throw new Refused(409, 'conflict', refusal ?? '')
    if (!answer.ok) throw refusalBy(answer)
    return outcomeOf(answer, action, task_id)
  })
}

function refusalFor(
  { activationRefusal }: ActivatePorts,
  principal: Principal,
): string | undefined {
  return principal.revoked_at === null
    ? activationRefusal(principal)
    : `the principal ${principal.name} has been revoked`
}

/** Without a task it was so already. */
function outcomeOf(
  answer: Extract<Answer, { ok: true }>,
  action: ActivateBody['action'],
  task_id: string,
): ActivateAnswer {
  if (answer.callStatus !== 'completed') {
    const message = action === 'activate' ? 'the activation has begun' : 'it is being taken off'
    return { outcome: 'begun', task_id, message }
  }
  const message = action === 'activate' ? 'it is live there already' : 'it is not live there'
  return { outcome: 'done', message: firstMessage(answer.body.errors) ?? message }
}

/** Errors that allow a retry later say so; all others are passed on unchanged. */
function refusalBy(answer: Failed): Refused {
  if (answer.code === 'RATE_LIMITED') return refusalOfTask(answer)
  const message = firstMessage(answer.body.errors) ?? 'the signal agent refused it'
  return new Refused(409, 'conflict', message)
}

function firstMessage(errors: unknown): string | undefined {
  const [first] = Array.isArray(errors) ? (errors as { message?: unknown }[]) : []
  return typeof first?.message === 'string' ? first.message : undefined
}
