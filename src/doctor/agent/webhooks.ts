// The agent's webhooks as a buyer receives them (spec 2.10, 5, 6): that they arrive, are signed with a key that can
// be found, identify their sender, are sent again when rejected, and that no unwanted ones arrive.

import { isFinalStatus } from '../../protocol/final-status.ts'
import { checkShape } from '../../protocol/schemas/issues.ts'
import { receivedWebhookEnvelope } from '../../protocol/schemas/webhook-envelope.ts'
import { type Check, quotedValue, skipped, type Verdict, verdictOf } from '../check.ts'
import { boundedIssues } from './answers.ts'
import { type AgentContext, CONTEXT } from './context.ts'
import type { Caught } from './own-receiver.ts'
import {
  hasEnded,
  hasSameKey,
  isAsync,
  isRetried,
  isSameNews,
  statusOf,
  type TrialRun,
  trialRun,
} from './rehearsal.ts'
import { sameJson } from './transports.ts'
import { nonceOf, verdictsOf } from './webhook-verdicts.ts'

const group = 'webhooks'
const needs = ['webhook-arrives']

export const WEBHOOK_CHECKS: readonly Check<AgentContext>[] = [
  {
    id: 'webhook-arrives',
    group,
    writes: true,
    title: 'a long-running task reports its end by webhook',
    why: 'a buyer that relies on webhooks waits for ever',
    fix: 'send a webhook for each status after the first answer to push_notification_config.url; look at the agent’s log of deliveries and its egress rules',
    run: (context) =>
      onWebhooks(context, ({ task, plain }) => {
        if (plain.caught.length === 0)
          return verdictOf([`none came for ${quotedValue(task)} within the time`])
        if (hasEnded(plain.caught)) return verdictOf([])
        const reported = plain.caught.map(({ body }) => statusOf(body)).join(', ')
        return verdictOf([`the end of the task was not reported, only ${quotedValue(reported)}`])
      }),
  },
  {
    id: 'webhook-signature',
    group,
    needs: [...needs, 'brand-json', 'key-set', 'key-purpose'],
    writes: true,
    title: 'every webhook is signed by a key that brand.json leads to',
    why: 'a receiver refuses what it cannot verify: 401, again and again',
    fix: 'sign each attempt by the webhook profile of RFC 9421 with a key of the published set, for the very URL that was registered',
    run: (context) =>
      onCaught(context, async ({ plain, turnedAway }) => {
        const verdicts = await verdictsOf(context, [...plain.caught, ...turnedAway.caught])
        if (!verdicts.ok) return skipped(verdicts.reason)
        return verdictOf(
          distinct(verdicts.faults.filter(({ code }) => !isDigest(code)).map(reported)),
        )
      }),
  },
  {
    id: 'webhook-body-bytes',
    group,
    needs: [...needs, 'webhook-signature'],
    writes: true,
    title: 'the body is sent in the bytes that were signed',
    why: 'a body that is serialized again after signing no longer matches its digest and is refused',
    fix: 'serialise the body once, and hand the same bytes to the signer and to the socket; look for proxies that reformat JSON',
    run: (context) =>
      onCaught(context, async ({ plain, turnedAway }) => {
        const verdicts = await verdictsOf(context, [...plain.caught, ...turnedAway.caught])
        if (!verdicts.ok) return skipped(verdicts.reason)
        return verdictOf(
          distinct(verdicts.faults.filter(({ code }) => isDigest(code)).map(reported)),
        )
      }),
  },
  ofEach({
    id: 'webhook-envelope',
    title: 'the body fits the envelope, and names the task that was begun',
    why: 'the receiver cannot match the webhook to a task, and refuses or drops it',
    fix: 'send idempotency_key, task_id, task_type, status and timestamp, with the task_id of the first answer',
    fault: ({ body }, { taskId }) => {
      const checked = checkShape(receivedWebhookEnvelope, body)
      if (!checked.ok) return boundedIssues(checked.issues)[0] ?? 'it does not fit'
      if (taskId === undefined || body?.task_id === taskId) return undefined
      return `task_id is ${quotedValue(body?.task_id)}, and the answer named ${quotedValue(taskId)}`
    },
  }),
  ofEach({
    id: 'webhook-operation-id',
    title: 'operation_id comes back as it was registered',
    why: 'it is what a buyer finds its own operation by',
    fix: 'copy push_notification_config.operation_id into every webhook; never make it from the URL',
    fault: ({ body }, { operationId }) =>
      body?.operation_id === operationId
        ? undefined
        : `operation_id is ${quotedValue(body?.operation_id)}`,
  }),
  ofEach({
    id: 'webhook-context',
    title: 'the context of the request comes back in every webhook',
    why: 'buyers keep their own state in it',
    fix: 'keep the context with the task, and copy it into every webhook, unchanged',
    fault: ({ body }) =>
      sameJson(body?.context, CONTEXT) ? undefined : `context is ${quotedValue(body?.context)}`,
  }),
  ofEach({
    id: 'webhook-token',
    title: 'the token of the registration comes back in every webhook',
    why: 'a receiver that sent one refuses webhooks without it',
    fix: 'copy push_notification_config.token into every webhook',
    fault: ({ body }, { token }) =>
      body?.token === token ? undefined : 'the token is not the one that was given',
  }),
  {
    id: 'webhook-retry',
    group,
    needs,
    writes: true,
    title: 'a webhook that was answered 503 comes again',
    why: 'a receiver that restarts would lose what was sent meanwhile',
    fix: 'retry connection faults, 429 and 5xx with growing pauses, the first within a minute',
    run: (context) =>
      onWebhooks(context, ({ turnedAway: { answer, caught } }) => {
        if (!isAsync(answer) || caught.length === 0)
          return skipped('no webhook of the second task came')
        return verdictOf(isRetried(caught) ? [] : ['it did not come again within the time'])
      }),
  },
  ofRetries({
    id: 'webhook-retry-key',
    title: 'a retry has the idempotency_key and the body of the first attempt',
    why: 'a receiver takes a retry under another key for other news, and acts twice',
    fix: 'fix the key and the bytes of the body when the event happens, not when it is sent',
    fault: (first, again) => {
      const [one, other] = [first.body?.idempotency_key, again.body?.idempotency_key]
      if (one !== other) return `the key was ${quotedValue(one)} and then ${quotedValue(other)}`
      const isSame = Buffer.compare(first.message.body, again.message.body) === 0
      return isSame ? undefined : 'the body is another one under the same key'
    },
  }),
  ofRetries({
    id: 'webhook-retry-nonce',
    title: 'a retry has a new signature with a fresh nonce',
    why: 'a nonce that comes twice is a replay: the receiver refuses every retry',
    fix: 'sign each attempt with a new nonce, created and expires',
    fault: (first, again) => {
      const [one, other] = [nonceOf(first), nonceOf(again)]
      if (one === undefined || other === undefined)
        return skipped('it has no nonce that can be read')
      return one === other ? `the nonce ${quotedValue(one)} came twice` : undefined
    },
  }),
  {
    id: 'webhook-order',
    group,
    needs,
    writes: true,
    title: 'webhooks of one task come in the order of their times, and none after its end',
    why: 'buyers must bear another order, but each that comes late is thrown away as stale',
    fix: 'keep one attempt in flight for each task and receiver, and send nothing after a final status',
    run: (context) =>
      onCaught(context, ({ plain }) => verdictOf([faultOfOrder(accepted(plain.caught))])),
  },
  {
    id: 'webhook-once',
    group,
    needs,
    writes: true,
    title: 'each change is sent once: never again under another key, nor for a repeated request',
    why: 'every further key is further news to a receiver',
    fix: 'emit in the transaction of the change, and nothing for a request that is only repeated',
    run: (context) =>
      onCaught(context, ({ plain }) => {
        const came = accepted(plain.caught)
        const twice = came.find((one, at) =>
          came
            .slice(at + 1)
            .some(
              (other) =>
                isSameNews(one, other) && one.body?.idempotency_key !== other.body?.idempotency_key,
            ),
        )
        return verdictOf(
          twice ? [`${quotedValue(statusOf(twice.body))} was sent under two keys`] : [],
        )
      }),
  },
  {
    id: 'webhook-inline',
    group,
    writes: true,
    title: 'nothing is sent for what was answered inline',
    why: 'a buyer would act on the same result twice, for a task that it never began',
    fix: 'send webhooks only for tasks whose first answer was submitted or working',
    run: (context) =>
      onWebhooks(context, ({ inline }) => {
        if (!inline) return skipped('the agent has no task that is answered at once')
        if (isAsync(inline.answer)) return skipped('it was not answered inline')
        return verdictOf(
          inline.caught.length > 0 ? [`${inline.caught.length} came for an inline answer`] : [],
        )
      }),
  },
]

type Done = Extract<TrialRun, { ok: true }>

async function onWebhooks(
  context: AgentContext,
  check: (done: Done) => Verdict | Promise<Verdict>,
): Promise<Verdict> {
  const done = await trialRun(context)
  if (!done.ok) return skipped(done.reason)
  if (done.unreached !== undefined) return skipped(done.unreached)
  const { answer } = done.plain
  if (!answer.ok) return skipped(`${done.task} was refused: ${quotedValue(answer.message)}`)
  if (!isAsync(answer)) return skipped(`${done.task} was answered inline, so no webhook is due`)
  return check(done)
}

/** For received webhooks: if none arrived, nothing can be concluded. */
function onCaught(
  context: AgentContext,
  check: (done: Done) => Verdict | Promise<Verdict>,
): Promise<Verdict> {
  return onWebhooks(context, (done) =>
    done.plain.caught.length === 0 ? skipped('no webhook came') : check(done),
  )
}

type Row = Pick<Check<AgentContext>, 'id' | 'title' | 'why' | 'fix'>

function ofEach({
  fault,
  ...row
}: Row & { fault(caught: Caught, plain: Done['plain']): string | undefined }): Check<AgentContext> {
  return {
    ...row,
    group,
    needs,
    writes: true,
    run: (context) =>
      onCaught(context, ({ plain, turnedAway }) =>
        verdictOf(
          distinct(
            [plain, turnedAway].flatMap((operation) =>
              operation.caught.map((caught) => {
                const what = fault(caught, operation)
                return what && `${quotedValue(statusOf(caught.body)) || 'a webhook'}: ${what}`
              }),
            ),
          ),
        ),
      ),
  }
}

function ofRetries({
  fault,
  ...row
}: Row & {
  fault(first: Caught, again: Caught): string | undefined | Verdict
}): Check<AgentContext> {
  return {
    ...row,
    group,
    needs: [...needs, 'webhook-retry'],
    writes: true,
    run: (context) =>
      onWebhooks(context, ({ turnedAway: { caught } }) => {
        const first = caught.find(({ answered }) => answered !== 200)
        const later = first ? caught.slice(caught.indexOf(first) + 1) : []
        const again =
          first &&
          (later.find((one) => hasSameKey(first, one)) ??
            later.find((one) => isSameNews(first, one)))
        if (!first || !again) return skipped('nothing was retried')
        const what = fault(first, again)
        return typeof what === 'object' ? what : verdictOf([what])
      }),
  }
}

function accepted(caught: readonly Caught[]): Caught[] {
  return caught.filter(({ answered }) => answered === 200)
}

function faultOfOrder(caught: readonly Caught[]): string | undefined {
  let before: { at: number; status: string } | undefined
  for (const { body } of caught) {
    const status = statusOf(body)
    const at = Date.parse(String(body?.timestamp))
    // A repeated status is checked elsewhere: it may be a retry whose response was lost.
    if (before && isFinalStatus(before.status) && status !== before.status)
      return `${quotedValue(status)} came after ${before.status}`
    if (before && at < before.at)
      return `${quotedValue(status)} came after ${quotedValue(before.status)}, and is older`
    before = { at, status }
  }
  return undefined
}

const isDigest = (code: string) => code.endsWith('digest_mismatch')
const reported = ({ code, detail }: { code: string; detail: string }) =>
  `${code}: ${quotedValue(detail)}`

const MAX_FOUND = 3

function distinct(found: readonly (string | undefined)[]): (string | undefined)[] {
  return [...new Set(found.filter((one) => one !== undefined))].slice(0, MAX_FOUND)
}
