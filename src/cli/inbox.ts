// `adwire inbox`: the messages sent to `adwire receive`, and commands for those that it could not forward. Works
// while receivers run, which apply a change within a second.

import { Command, Option } from 'commander'
import { RECEIVE_DEFAULTS } from '../app/receive/options.ts'
import type { Inbox } from '../app/receive/with-inbox.ts'
import { defined } from '../lib/defined.ts'
import {
  MESSAGE_STATES,
  type MessageFilter,
  type MessageState,
  type MessageSummary,
} from '../webhooks/receiver/store.ts'
import { iso, sinceOf, wholeNumber } from './arguments.ts'
import { addSettings, configFrom } from './settings-options.ts'
import { print, printJson, printTable, UsageError } from './terminal.ts'

export function inboxCommand(): Command {
  return new Command('inbox')
    .description('Inspect received webhooks; retry or drop dead letters.')
    .addCommand(list())
    .addCommand(show())
    .addCommand(retry())
    .addCommand(drop())
}

interface PlaceOptions {
  data: string
  databaseUrl?: string
  databaseSchema?: string
}

interface FilterOptions {
  sender?: string
  task?: string
  since?: string
}

interface ListOptions extends FilterOptions, PlaceOptions {
  state?: MessageState
  before?: string
  limit: string
  json?: boolean
}

function list(): Command {
  return filtered(inboxSubcommand('list'))
    .description('List received messages, newest first.')
    .addOption(new Option('--state <state>', 'only this status').choices(MESSAGE_STATES))
    .option('--before <id>', 'only items older than this one, to get the next page')
    .option('--limit <n>', 'maximum number of rows', '50')
    .option('--json', 'print a JSON array')
    .action((options: ListOptions) => {
      const { state, before, limit } = options
      const filter: MessageFilter = {
        ...filterOf(options),
        ...defined({ state, before: before === undefined ? undefined : idOf(before) }),
        limit: Math.min(wholeNumber('--limit', limit), PAGE),
      }
      return openInbox(options, async ({ operations }) => {
        const messages = await operations.list(filter)
        if (options.json) return printJson(messages.map(returned))
        printTable(
          ['id', 'state', 'status', 'attempts', 'received', 'task', 'sender', 'reason'],
          messages.map(rowOf),
        )
      })
    })
}

/** Maximum number of messages that are read at a time. */
const PAGE = 1_000
const MAX_REASON = 60

function rowOf(message: MessageSummary): string[] {
  const { message_id, state, status, attempts, received_at, task_id, sender, reason } = message
  return [
    String(message_id),
    state,
    status ?? '-',
    String(attempts),
    iso(received_at),
    task_id ?? '-',
    sender,
    reason?.slice(0, MAX_REASON) ?? '-',
  ].map((cell) => plain(cell.replace(/\s+/g, ' ')))
}

/** Other parties chose these texts: none may move the cursor. */
function plain(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, '?')
}

function show(): Command {
  return inboxSubcommand('show')
    .description('Show a message: its status, the reason, and its body.')
    .argument('<id>')
    .option('--json', 'print one JSON object')
    .action((id: string, options: PlaceOptions & { json?: boolean }) => {
      const wanted = idOf(id)
      return openInbox(options, async ({ operations }) => {
        const found = await operations.show(wanted)
        if (!found) throw unknown(wanted)
        const { body, due_at, ...summary } = found
        const text = Buffer.from(body).toString('utf8')
        const members = {
          ...returned(summary),
          ...defined({ due_at: found.state === 'pending' ? iso(due_at) : undefined }),
          body: text,
        }
        if (options.json) return printJson(members)
        for (const [name, value] of Object.entries(members)) {
          if (value !== undefined) print(plain(`${name}: ${value}`))
        }
      })
    })
}

interface ChangeOptions extends FilterOptions, PlaceOptions {
  all?: boolean
}

function retry(): Command {
  return filtered(inboxSubcommand('retry'))
    .description('Process dead messages again now, with a full set of attempts.')
    .argument('[id...]')
    .option('--all', 'every dead message that matches the filters')
    .action((ids: string[], options: ChangeOptions) =>
      changeEach(ids, options, async ({ transact, operations }, id) => {
        const copy = await transact((tx) => operations.retry(tx, id))
        return copy === undefined ? undefined : `retried ${id} as ${copy}`
      }),
    )
}

function drop(): Command {
  return filtered(inboxSubcommand('drop'))
    .description('Discard messages that are dead or waiting for their next attempt.')
    .argument('[id...]')
    .option('--all', 'every dead message that matches the filters')
    .action((ids: string[], options: ChangeOptions) =>
      changeEach(ids, options, async ({ transact, operations }, id) => {
        const isDropped = await transact((tx) => operations.drop(tx, id, DROPPED))
        return isDropped ? `dropped ${id}` : undefined
      }),
    )
}

const DROPPED = 'dropped by an operator'

/** Returns what was done, or undefined when nothing was. */
type Change = (inbox: Inbox, id: number) => Promise<string | undefined>

function changeEach(ids: readonly string[], options: ChangeOptions, change: Change): Promise<void> {
  const wanted = ids.map(idOf)
  const filter = filterOf(options)
  if (options.all ? wanted.length > 0 : wanted.length === 0) {
    throw new UsageError('give the ids of messages, or --all for every dead one')
  }
  if (!options.all && Object.keys(filter).length > 0) {
    throw new UsageError(
      '--sender, --task and --since require --all, and cannot be combined with ids',
    )
  }
  return openInbox(options, async (inbox) => {
    if (options.all) return changeAll(inbox, filter, change)
    const refused: string[] = []
    for (const id of wanted) {
      const done = await change(inbox, id)
      if (done === undefined) refused.push(await refusal(inbox, id))
      else print(done)
    }
    if (refused.length > 0) throw new UsageError(refused.join('; '))
  })
}

/** From the newest to the oldest; messages that a receiver has handled meanwhile are skipped. */
async function changeAll(inbox: Inbox, filter: MessageFilter, change: Change): Promise<void> {
  let changed = 0
  let before: number | undefined
  for (;;) {
    const after = before === undefined ? {} : { before }
    const page = await inbox.operations.list({ ...filter, state: 'dead', limit: PAGE, ...after })
    for (const { message_id } of page) {
      const done = await change(inbox, message_id)
      if (done === undefined) continue
      print(done)
      changed += 1
    }
    before = page.at(-1)?.message_id
    if (before === undefined) break
  }
  if (changed === 0) print('no matching dead message')
}

async function refusal({ operations }: Inbox, id: number): Promise<string> {
  const found = await operations.show(id)
  if (!found) return unknown(id).message
  if (found.state === 'leased') return `message ${id} is being applied now: try again in a moment`
  return `message ${id} is ${found.state}, not dead`
}

function inboxSubcommand(name: string): Command {
  const command = new Command(name).option(
    '--data <dir>',
    'folder of the receiver’s SQLite database',
    RECEIVE_DEFAULTS.data,
  )
  return addSettings(command, ['databaseUrl', 'databaseSchema'])
}

function filtered(command: Command): Command {
  return command
    .option('--sender <who>', 'only this sender: the URL of an agent, or hmac:<route>')
    .option('--task <task_id>', 'only this task')
    .option('--since <when>', 'only messages received since: 90m, 12h, 7d, or an ISO time')
}

function filterOf({ sender, task, since }: FilterOptions): MessageFilter {
  return {
    ...defined({ sender, task_id: task, since: since === undefined ? undefined : sinceOf(since) }),
  }
}

async function openInbox(
  { data, databaseUrl, databaseSchema }: PlaceOptions,
  work: (inbox: Inbox) => Promise<void>,
): Promise<void> {
  const config = configFrom({ databaseUrl, databaseSchema })
  // Loaded only here: the other commands start several times faster without it.
  const { withInbox } = await import('../app/receive/with-inbox.ts')
  const { databaseUrl: url, databaseSchema: schema } = config
  return withInbox({ data, databaseUrl: url, databaseSchema: schema }, work)
}

function unknown(id: number): UsageError {
  return new UsageError(`no message ${id}: list the messages with adwire inbox list`)
}

function idOf(text: string): number {
  return wholeNumber('the id of a message', text)
}

function returned({ event_at, received_at, ended_at, ...message }: MessageSummary) {
  return {
    ...message,
    event_at: event_at === undefined ? undefined : iso(event_at),
    received_at: iso(received_at),
    ended_at: ended_at === undefined ? undefined : iso(ended_at),
  }
}
