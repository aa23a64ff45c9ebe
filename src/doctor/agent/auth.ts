// Authentication (spec 5): without a key, with a wrong one and with another principal's. Refused calls get 401, in
// the protocol's format, over every transport.

import { randomBytes } from 'node:crypto'
import type { CallResult } from '../../transports/client.ts'
import { type Check, quotedValue, skipped, verdictOf } from '../check.ts'
import { type AgentContext, CONTEXT } from './context.ts'
import { trialRun } from './rehearsal.ts'

const group = 'auth'

/** Read-only tasks that require a key; the first one that the agent has is tried. */
const PROTECTED = ['list_creatives', 'list_tasks', 'get_media_buys', 'list_accounts'] as const

export const AUTH_CHECKS: readonly Check<AgentContext>[] = [
  {
    id: 'auth-none',
    group,
    writes: false,
    needs: ['serves-tasks'],
    title: 'a task that needs a key is refused without one: 401 and WWW-Authenticate',
    why: 'whatever the task lists would be for everybody to read, or a caller takes the refusal for an outage',
    fix: 'answer 401 with WWW-Authenticate and AUTH_MISSING, before the body is read',
    run: async (context) => {
      const task = await protectedTask(context)
      if (task === undefined)
        return skipped('the agent has no task that lists a caller’s own things')
      const found: (string | undefined)[] = []
      for (const { transport } of await context.served()) {
        const answer = await context.client(transport, null).call(task, { context: CONTEXT })
        found.push(faultOf(`${transport}: ${task} without a key`, answer))
      }
      return verdictOf([...found, missingChallenge(context)])
    },
  },
  {
    id: 'auth-wrong',
    group,
    writes: false,
    needs: ['serves-tasks'],
    title: 'a key that is not the agent’s is refused with 401',
    why: 'a key that is not looked at protects nothing; one that breaks the server is a way to break it',
    fix: 'answer 401 and AUTH_INVALID to every key that is unknown, revoked or malformed',
    run: async (context) => {
      const task = await protectedTask(context)
      if (task === undefined)
        return skipped('the agent has no task that lists a caller’s own things')
      const found: (string | undefined)[] = []
      for (const { transport } of await context.served()) {
        for (const [what, key] of strangers()) {
          const answer = await context.client(transport, key).call(task, { context: CONTEXT })
          found.push(faultOf(`${transport}: ${task} with ${what}`, answer))
        }
      }
      return verdictOf(found)
    },
  },
  {
    id: 'auth-other',
    group,
    writes: true,
    title: 'a task of one caller looks to another as if there were none',
    why: 'anyone who guesses an id could read other callers’ data',
    fix: 'answer for somebody else’s task_id exactly what is answered for one that does not exist',
    run: async (context) => {
      const { otherKey } = context
      if (otherKey === undefined) return skipped('it takes a second caller: give --other-auth')
      const done = await trialRun(context)
      const task_id = done.ok ? done.plain.taskId : undefined
      if (task_id === undefined) return skipped('no task was started that could be polled')
      if (!(await context.tasks()).has('get_task_status'))
        return skipped('the agent has no get_task_status')
      const answer = await context.call('get_task_status', { task_id }, otherKey)
      const none = await context.call('get_task_status', { task_id: unknownId(task_id) }, otherKey)
      if (answer.ok) return verdictOf(['another caller’s task is returned'])
      if (none.ok || answer.code === none.code) return verdictOf([])
      return verdictOf([
        `it is refused with ${quotedValue(answer.code)}, and one that is not there with ${quotedValue(none.code)}`,
      ])
    },
  },
]

async function protectedTask({ tasks }: AgentContext): Promise<string | undefined> {
  const known = await tasks()
  return PROTECTED.find((task) => known.has(task))
}

/** Keys that no server has issued to anyone. */
function strangers(): [string, string][] {
  const random = randomBytes(32).toString('base64url')
  return [
    ['an unknown key', `adw_${random}`],
    ['a key of another service', `sk_live_${random}`],
    ['a token of three parts', `${random}.${random}.${random}`],
  ]
}

function faultOf(what: string, answer: CallResult): string | undefined {
  if (answer.ok) return `${what} is answered as ${quotedValue(answer.status)}`
  if (answer.httpStatus === 401 || answer.code?.startsWith('AUTH_')) return undefined
  return `${what} is answered ${answer.httpStatus ?? ''} ${quotedValue(answer.code ?? answer.message)}`
}

function missingChallenge({ received }: AgentContext): string | undefined {
  const bare = received.find(
    ({ status, headers }) => status === 401 && !headers['www-authenticate'],
  )
  return (
    bare && `a 401 of ${quotedValue(new URL(bare.request.url).pathname)} has no WWW-Authenticate`
  )
}

function unknownId(id: string): string {
  const last = id.at(-1) === '0' ? '1' : '0'
  return `${id.slice(0, -1)}${last}`
}
