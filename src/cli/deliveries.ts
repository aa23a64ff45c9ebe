// `adwire deliveries`: pending webhooks, their outcomes, and commands to change them. Works while servers run, which
// apply a change within a second.

import { Command, Option } from 'commander'
import { defined } from '../lib/defined.ts'
import { escapeControls } from '../lib/escape-controls.ts'
import { HORIZON_MS } from '../webhooks/sender/retry-policy.ts'
import {
  type AttemptRecord,
  DELIVERIES_TOPIC,
  DELIVERY_STATES,
  type DeliveryFilter,
  type DeliveryState,
  type DeliverySummary,
} from '../webhooks/sender/store.ts'
import { iso, sinceOf, wholeNumber } from './arguments.ts'
import { recover } from './deliveries-recover.ts'
import { printableText } from './printable-text.ts'
import { storageCommand, withStorage } from './settings-options.ts'
import { print, printJson, printTable, UsageError } from './terminal.ts'

export function deliveriesCommand(): Command {
  return new Command('deliveries')
    .description('Inspect, retry and cancel outgoing webhooks.')
    .addCommand(list())
    .addCommand(show())
    .addCommand(retry())
    .addCommand(cancel())
    .addCommand(recover())
}

interface ListOptions {
  endpoint?: string
  task?: string
  status?: DeliveryState
  since?: string
  before?: string
  limit: string
  json?: boolean
}

function list(): Command {
  return storageCommand('list')
    .description('List deliveries, newest first.')
    .option('--endpoint <url>', 'only deliveries to this URL, without its query')
    .option('--task <task_id>', 'only this task')
    .addOption(new Option('--status <state>', 'only this status').choices(DELIVERY_STATES))
    .option('--since <when>', 'only since: 90m, 12h, 7d, or an ISO time')
    .option('--before <id>', 'only items older than this one, to get the next page')
    .option('--limit <n>', 'maximum number of rows', '50')
    .option('--json', 'print a JSON array')
    .action((options: ListOptions) =>
      withStorage({ ...options }, async ({ outboxOperations }) => {
        const deliveries = await outboxOperations.list(filterOf(options))
        if (options.json) return printJson(deliveries.map(returned))
        printTable(
          ['id', 'state', 'event', 'attempts', 'last', 'next', 'created', 'to'],
          deliveries.map(rowOf),
        )
      }),
    )
}

function filterOf({ endpoint, task, status, since, before, limit }: ListOptions): DeliveryFilter {
  return {
    ...defined({
      endpoint,
      task_id: task,
      state: status,
      since: since === undefined ? undefined : sinceOf(since),
      before: before === undefined ? undefined : idOf(before),
    }),
    limit: Math.min(wholeNumber('--limit', limit), 1_000),
  }
}

function rowOf(delivery: DeliverySummary): string[] {
  const { state, last_status, last_http_status_code: code } = delivery
  const isWaiting = state === 'pending' || state === 'held'
  return [
    String(delivery.delivery_id),
    state,
    delivery.notification_type,
    String(delivery.attempts),
    last_status === undefined ? '-' : `${last_status}${code === undefined ? '' : ` ${code}`}`,
    isWaiting ? iso(delivery.due_at) : '-',
    iso(delivery.created_at),
    delivery.url,
  ]
}

function show(): Command {
  return storageCommand('show')
    .description('Show a delivery: its body and every attempt with its response.')
    .argument('<id>')
    .option('--json', 'print one JSON object')
    .action((id: string, options: { json?: boolean }) =>
      withStorage({ ...options }, async ({ outboxOperations }) => {
        const found = await outboxOperations.show(idOf(id))
        if (!found) throw unknown(id)
        const { body, history, ...delivery } = found
        const text = Buffer.from(body).toString('utf8')
        if (options.json) {
          return printJson({
            ...returned(delivery),
            body: text,
            history: history.map(serializeAttempt),
          })
        }
        for (const [name, value] of Object.entries(returned(delivery))) {
          if (value !== undefined) print(`${name}: ${printableText(String(value))}`)
        }
        print(`body: ${escapeControls(text)}`)
        for (const attempt of history) printAttempt(attempt)
      }),
    )
}

function printAttempt(attempt: AttemptRecord): void {
  const { status, http_status_code: code, response_time_ms: ms } = attempt
  const answered = code === undefined ? '' : ` ${code}`
  const took = ms === undefined ? '' : ` in ${ms} ms`
  print(`attempt ${attempt.attempt}: ${iso(attempt.fired_at)} ${status}${answered}${took}`)
  if (attempt.error_message) print(`  ${printableText(attempt.error_message)}`)
  if (attempt.response_head) print(`  response: ${printableText(attempt.response_head)}`)
}

function retry(): Command {
  return storageCommand('retry')
    .description('Send deliveries again now, with a new retry schedule.')
    .argument('<id...>')
    .action((ids: string[], options: Record<string, unknown>) =>
      changeEach(ids, options, {
        done: 'retried',
        change: (storage, id) =>
          storage.transact(async (tx) => {
            await tx.wake(DELIVERIES_TOPIC)
            return storage.outboxOperations.retry(tx, id, HORIZON_MS)
          }),
      }),
    )
}

function cancel(): Command {
  return storageCommand('cancel')
    .description('Cancel pending deliveries.')
    .argument('<id...>')
    .action((ids: string[], options: Record<string, unknown>) =>
      changeEach(ids, options, {
        done: 'cancelled',
        change: (storage, id) =>
          storage.transact((tx) =>
            storage.outboxOperations.cancel(tx, id, 'cancelled by an operator'),
          ),
      }),
    )
}

type Storage = Parameters<Parameters<typeof withStorage>[1]>[0]

interface Change {
  /** Printed before the id of a delivery that was changed. */
  done: string
  /** Resolves to false if the delivery cannot be changed. */
  change: (storage: Storage, id: number) => Promise<boolean>
}

function changeEach(
  ids: readonly string[],
  options: Record<string, unknown>,
  { done, change }: Change,
): Promise<void> {
  const wanted = ids.map(idOf)
  return withStorage(options, async (storage) => {
    const refused: string[] = []
    for (const id of wanted) {
      if (await change(storage, id)) print(`${done} ${id}`)
      else refused.push(await refusal(storage, id))
    }
    if (refused.length > 0) throw new UsageError(refused.join('; '))
  })
}

async function refusal({ outboxOperations }: Storage, id: number): Promise<string> {
  const found = await outboxOperations.show(id)
  if (!found) return unknown(String(id)).message
  if (found.state === 'leased') return `delivery ${id} is being sent now: try again in a moment`
  return `delivery ${id} is already ${found.state}`
}

function unknown(id: string): UsageError {
  return new UsageError(`no delivery ${id}: list the deliveries with adwire deliveries list`)
}

function idOf(text: string): number {
  return wholeNumber('the id of a delivery', text)
}

function returned({ due_at, created_at, ended_at, ...delivery }: DeliverySummary) {
  return {
    ...delivery,
    due_at: iso(due_at),
    created_at: iso(created_at),
    ended_at: ended_at === undefined ? undefined : iso(ended_at),
  }
}

function serializeAttempt({ fired_at, completed_at, ...attempt }: AttemptRecord) {
  return {
    ...attempt,
    fired_at: iso(fired_at),
    completed_at: completed_at === undefined ? null : iso(completed_at),
  }
}
