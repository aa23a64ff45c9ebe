// Real responses of read-only tasks, checked against the schemas of the protocol (spec 4.2, 4.3). Members that are
// not in the schemas are not errors: every object of the protocol is open.

import type { z } from 'zod'
import type { Issue } from '../../protocol/errors.ts'
import { listAccountsResponse } from '../../protocol/schemas/accounts.ts'
import { checkAnswer } from '../../protocol/schemas/envelope.ts'
import { getProductsResponse } from '../../protocol/schemas/get-products.ts'
import { getSignalsResponse } from '../../protocol/schemas/get-signals.ts'
import { listCreativeFormatsResponse } from '../../protocol/schemas/list-creative-formats.ts'
import { listCreativesResponse } from '../../protocol/schemas/list-creatives.ts'
import { getMediaBuysResponse } from '../../protocol/schemas/media-buys.ts'
import { listTasksResponse } from '../../protocol/schemas/tasks.ts'
import { type Check, quotedValue, skipped, type Verdict, verdictOf } from '../check.ts'
import type { AgentContext } from './context.ts'

interface Read {
  task: string
  request: Record<string, unknown>
  response: z.ZodType
}

export const SIGNALS_WANTED = {
  signal_spec: 'people who plan to buy an electric car',
  deliver_to: { deployments: [{ type: 'platform', platform: 'sandbox' }], countries: ['US'] },
}

const READS: readonly Read[] = [
  { task: 'list_creative_formats', request: {}, response: listCreativeFormatsResponse },
  {
    task: 'get_signals',
    request: { ...SIGNALS_WANTED, max_results: 3 },
    response: getSignalsResponse,
  },
  {
    task: 'get_products',
    request: { brief: 'video for a car brand' },
    response: getProductsResponse,
  },
  { task: 'list_creatives', request: {}, response: listCreativesResponse },
  { task: 'list_accounts', request: {}, response: listAccountsResponse },
  { task: 'get_media_buys', request: {}, response: getMediaBuysResponse },
  { task: 'list_tasks', request: {}, response: listTasksResponse },
]

export const ANSWER_CHECKS: readonly Check<AgentContext>[] = READS.map((read) => ({
  id: `answer-${read.task}`,
  group: 'answers',
  writes: false,
  title: `${read.task} answers what its schema promises`,
  why: 'callers read the answer by the schema, and stumble where it is not kept',
  fix: `return a response that matches the response schema of ${read.task}; /schemas/v3/ of an Adwire server has it`,
  run: (context: AgentContext) => checkRead(context, read),
}))

async function checkRead(
  context: AgentContext,
  { task, request, response }: Read,
): Promise<Verdict> {
  if (!(await context.tasks()).has(task)) return skipped('the agent has no such task')
  const answer = await context.call(task, request)
  if (answer.ok) return verdictOf(boundedIssues(checkAnswer(response, answer.body, context.names)))
  if (answer.httpStatus === 401 || answer.code?.startsWith('AUTH_')) {
    return skipped(
      context.key === undefined ? 'it requires a key: use --auth' : quotedValue(answer.message),
    )
  }
  return answer.body === undefined
    ? verdictOf([`no answer: ${quotedValue(answer.message)}`])
    : skipped(`the agent refused: ${quotedValue(answer.message)}`)
}

const MAX_REPORTED = 5

/** The first few, as `pointer: what would be right`. */
export function boundedIssues(issues: readonly Issue[]): string[] {
  const wrong = issues.filter(({ keyword }) => keyword !== 'additionalProperties')
  const reported = wrong
    .slice(0, MAX_REPORTED)
    .map(({ pointer, message }) => quotedValue(`${pointer}: ${message}`))
  return wrong.length > MAX_REPORTED
    ? [...reported, `and ${wrong.length - MAX_REPORTED} more`]
    : reported
}
