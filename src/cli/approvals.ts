// `adwire approvals`: media buys that wait for the seller's decision, and that decision. Works while servers run,
// which act on a decision immediately.

import { Command, Option } from 'commander'
import { APPROVAL_STATES, type Approval, type ApprovalState } from '../media-buys/approvals.ts'
import { ProtocolError } from '../protocol/errors.ts'
import { iso, wholeNumber } from './arguments.ts'
import { storageCommand, withStorage } from './settings-options.ts'
import { print, printJson, printTable, UsageError } from './terminal.ts'

export function approvalsCommand(): Command {
  return new Command('approvals')
    .description('Approve, reject or question media buys that are waiting for approval.')
    .addCommand(list())
    .addCommand(asking())
    .addCommand(
      deciding('approve', 'Approve a task that is waiting for approval. It continues immediately.'),
    )
    .addCommand(
      deciding(
        'reject',
        'Reject a task that is waiting for approval. The buyer receives the reason.',
      ),
    )
}

const MAX_LISTED = 1_000

function list(): Command {
  return storageCommand('list')
    .description('List the approvals, oldest first.')
    .addOption(
      new Option('--state <state>', 'only approvals in this state')
        .choices(APPROVAL_STATES)
        .default('waiting'),
    )
    .option('--limit <n>', `maximum number of rows, up to ${MAX_LISTED}`, '50')
    .option('--json', 'print a JSON array')
    .action((options: { state: ApprovalState; limit: string; json?: boolean }) =>
      withStorage({ ...options }, async ({ approvals }) => {
        const limit = Math.min(wholeNumber('--limit', options.limit), MAX_LISTED)
        const found = await approvals.list({ state: options.state, limit })
        if (options.json) return printJson(found.map(returned))
        printTable(['task', 'state', 'asked', 'budget', 'principal', 'reason'], found.map(rowOf))
      }),
    )
}

function rowOf({ task_id, state, created_at, requested, owner, reason }: Approval): string[] {
  const budget = `${requested.total_budget} ${requested.currency}`
  return [task_id, state, iso(created_at), budget, owner, reason]
}

function returned({ created_at, decided_at, talk, ...approval }: Approval) {
  const decided = decided_at === undefined ? undefined : iso(decided_at)
  const said = talk.map((remark) => ({ ...remark, at: iso(remark.at) }))
  return { ...approval, talk: said, created_at: iso(created_at), decided_at: decided }
}

function asking(): Command {
  return storageCommand('ask')
    .description(
      'Ask the buyer a question. The task returns it as input-required and waits for the answer.',
    )
    .argument('<task_id>')
    .argument('<question>', 'at most 1000 characters')
    .option('--json', 'print one JSON object')
    .action((taskId: string, text: string, options: { json?: boolean }) =>
      withStorage({ ...options }, async (storage) => {
        if (text.trim() === '' || text.length > 1_000) {
          throw new UsageError('a question has 1 to 1000 characters')
        }
        const { ask } = await import('../media-buys/ask-buyer.ts')
        const requested = await ask(storage, taskId, { text, by: 'cli' }).catch(asUsage)
        if (options.json) return printJson(returned(requested))
        print(`${taskId}: asked`)
      }),
    )
}

function asUsage(error: unknown): never {
  if (!(error instanceof ProtocolError)) throw error
  const hint =
    error.errors[0].code === 'TASK_NOT_FOUND'
      ? ': adwire approvals list shows the waiting approvals'
      : ''
  throw new UsageError(`${error.message}${hint}`)
}

function deciding(name: 'approve' | 'reject', about: string): Command {
  return storageCommand(name)
    .description(about)
    .argument('<task_id>')
    .option('--note <text>', 'message to the buyer, at most 500 characters')
    .option('--json', 'print one JSON object')
    .action((taskId: string, options: { note?: string; json?: boolean }) =>
      withStorage({ ...options }, async (storage) => {
        const { note } = options
        if (note !== undefined && (note === '' || note.length > 500)) {
          throw new UsageError('--note has 1 to 500 characters')
        }
        const { decide } = await import('../media-buys/approvals.ts')
        const decision = { approved: name === 'approve', note, by: 'cli' }
        const decided = await decide(storage, taskId, decision).catch(asUsage)
        if (options.json) return printJson(returned(decided))
        print(`${taskId}: ${decided.state}`)
      }),
    )
}
