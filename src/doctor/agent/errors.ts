// How the agent refuses requests (spec 7): with errors that say what to do, with the context of the request, and
// without revealing implementation details to third parties.

import { isObject } from '../../protocol/schemas/checks.ts'
import type { CallFailure, CallResult } from '../../transports/client.ts'
import { type Check, quotedValue, skipped, type Verdict, verdictOf } from '../check.ts'
import { type AgentContext, CONTEXT, type TransportState } from './context.ts'
import { faultOfContext } from './transports.ts'

const group = 'errors'

export const ERROR_CHECKS: readonly Check<AgentContext>[] = [
  {
    id: 'error-unknown-task',
    group,
    writes: false,
    needs: ['serves-tasks'],
    title: 'a task that there is not is refused on every transport',
    why: 'a caller that misspells a name waits for work that never starts, or assumes an outage',
    fix: 'HTTP: 404 with errors[]; MCP: an error of JSON-RPC or a tool result with isError; A2A: an error or a failed task',
    run: async (context) => {
      const found: (string | undefined)[] = []
      const transports = await context.served()
      if (transports.length === 0) return skipped(NO_TRANSPORT)
      for (const { transport } of transports) {
        const answer = await context.client(transport).call('no_such_task_of_the_doctor', {})
        if (answer.ok) found.push(`${transport}: it is answered as ${quotedValue(answer.status)}`)
        else if ((answer.httpStatus ?? 0) >= 500)
          found.push(`${transport}: it is answered ${answer.httpStatus}`)
      }
      return verdictOf(found)
    },
  },
  {
    id: 'error-bad-request',
    group,
    writes: false,
    title: 'a request that lacks what it must have is refused with errors[] of code and message',
    why: 'a caller cannot fix a request without knowing what is wrong with it',
    fix: 'answer 400 or 422 with errors: [{code, message, field, recovery}]',
    run: (context) =>
      onRefusals(context, ({ transport, answer }) => [faultOfRefusal(transport, answer)]),
  },
  {
    id: 'error-recovery',
    group,
    writes: false,
    needs: ['error-bad-request'],
    title: 'every error has a `recovery` that states what the caller can do',
    why: 'without it a program retries what can never succeed, or stops retrying what would',
    fix: 'give each error a recovery of transient, correctable or terminal',
    run: (context) =>
      onRefusals(context, ({ transport, answer }) =>
        errorsIn(answer).map((error) =>
          RECOVERIES.includes(String(error.recovery))
            ? undefined
            : `${transport}: the recovery of ${quotedValue(error.code)} is ${quotedValue(error.recovery)}`,
        ),
      ),
  },
  {
    id: 'error-context',
    group,
    writes: false,
    needs: ['error-bad-request'],
    title: 'the context of a request comes back with its refusal, too',
    why: 'a caller with many calls in progress cannot match the error to a call',
    fix: 'copy the top-level context of the request into error answers as well',
    run: (context) =>
      onRefusals(context, ({ transport, answer }) => [
        faultOfContext(answer.body?.context, transport),
      ]),
  },
  {
    id: 'error-bad-json',
    group,
    writes: false,
    needs: ['serves-tasks'],
    title: 'a body that is no JSON is refused as the caller’s fault',
    why: 'a 5xx makes callers repeat what can never be read, and wakes somebody for nothing',
    fix: 'answer 400 (JSON-RPC: -32700) to a body that cannot be parsed',
    run: async (context) => {
      const found: string[] = []
      const transports = await context.served()
      if (transports.length === 0) return skipped(NO_TRANSPORT)
      for (const { transport, url } of transports) {
        const { status } = await context.ask({
          url:
            transport === 'http'
              ? `${context.base}/v3/get_agent_capabilities`
              : transport === 'a2a'
                ? `${context.base}/a2a`
                : url,
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
          },
          body: '{"this is": no JSON',
        })
        if (status >= 500 || status < 300) found.push(`${transport}: it is answered ${status}`)
      }
      return verdictOf(found)
    },
  },
]

/** Runs last: it looks at every error of the whole examination. */
export const LEAK_CHECKS: readonly Check<AgentContext>[] = [
  {
    id: 'error-leak',
    group: 'secrecy',
    writes: false,
    title: 'no error reveals stack traces, paths or databases',
    why: 'an attacker learns what the agent runs on and where it breaks',
    fix: 'answer with a request id, and keep stacks and messages of libraries in the log',
    run: async ({ received }) => {
      const failures = received.filter(
        ({ status, text }) => status >= 400 || text.includes('"errors"'),
      )
      if (failures.length === 0) return skipped('no error was answered')
      const found = new Set(
        failures.flatMap(({ text, request }) =>
          MARKS.filter((mark) => text.includes(mark)).map(
            (mark) =>
              `${request.method} ${quotedValue(new URL(request.url).pathname)}: the answer has "${mark.trim()}"`,
          ),
        ),
      )
      return verdictOf([...found].slice(0, MAX_FOUND))
    },
  },
]

const MAX_FOUND = 5
const NO_TRANSPORT = 'the agent serves no transport'
const RECOVERIES = ['transient', 'correctable', 'terminal']

/** Text that appears only in a response that exposes a stack, a path or a database. */
const MARKS = [
  '\\n    at ',
  '\n    at ',
  'node_modules',
  'Traceback (most recent call last)',
  'Exception in thread',
  'goroutine ',
  'SQLSTATE',
  'SQLITE_',
  'psycopg',
  'java.lang.',
  'ECONNREFUSED',
]

/** Tasks that must refuse an empty request. */
const NEEDY = ['get_signals', 'preview_creative', 'build_creative', 'create_media_buy'] as const

interface Refusal {
  transport: TransportState['transport']
  answer: CallResult
}

async function onRefusals(
  context: AgentContext,
  faults: (refusal: Refusal) => (string | undefined)[],
): Promise<Verdict> {
  const refusals = await badRequests(context)
  if (refusals.length === 0) return skipped('no task was found that must refuse an empty request')
  return verdictOf(refusals.flatMap(faults))
}

function badRequests(context: AgentContext): Promise<Refusal[]> {
  return context.once('bad-requests', async () => {
    const tasks = await context.tasks()
    // Only the first is free of side effects for every caller; the others are refused before they do anything.
    const task = NEEDY.find(
      (one) => tasks.has(one) && (context.key !== undefined || one === NEEDY[0]),
    )
    if (task === undefined) return []
    const refusals: Refusal[] = []
    for (const { transport } of await context.served()) {
      const answer = await context.client(transport).call(task, { context: CONTEXT })
      if (answer.ok || answer.httpStatus !== 401) refusals.push({ transport, answer })
    }
    return refusals
  })
}

function faultOfRefusal(transport: string, answer: CallResult): string | undefined {
  if (answer.ok)
    return `${transport}: an empty request is answered as ${quotedValue(answer.status)}`
  if ((answer.httpStatus ?? 0) >= 500)
    return `${transport}: an empty request is answered ${answer.httpStatus}`
  const errors = errorsIn(answer)
  if (errors.length === 0)
    return `${transport}: the refusal has no errors[]: ${quotedValue(answer.body ?? answer.message)}`
  const isWhole = errors.every(
    ({ code, message }) => typeof code === 'string' && typeof message === 'string',
  )
  return isWhole
    ? undefined
    : `${transport}: an error lacks its code or its message: ${quotedValue(errors)}`
}

function errorsIn({ body }: Pick<CallFailure, 'body'>): Record<string, unknown>[] {
  const errors = body?.errors
  return Array.isArray(errors) ? errors.filter(isObject) : []
}
