// `adwire feedback` and `adwire usage`: what buyers reported about their media buys, for the seller to read.

import { Command } from 'commander'
import { iso, wholeNumber } from './arguments.ts'
import { storageCommand, withStorage } from './settings-options.ts'
import { printJson, printTable } from './terminal.ts'

const MAX_LISTED = 1_000

export function feedbackCommand(): Command {
  return new Command('feedback')
    .description('Read the performance feedback that buyers sent.')
    .addCommand(listFeedback())
}

export function usageCommand(): Command {
  return new Command('usage')
    .description('Read the usage that principals reported, and the amounts due for it.')
    .addCommand(listUsage())
}

function listFeedback(): Command {
  return storageCommand('list')
    .description('List records, newest first.')
    .option('--media-buy <id>', 'only feedback about this media buy')
    .option('--limit <n>', `maximum number of rows, up to ${MAX_LISTED}`, '50')
    .option('--json', 'print a JSON array')
    .action((options: { mediaBuy?: string; limit: string; json?: boolean }) =>
      withStorage({ ...options }, async ({ feedback }) => {
        const limit = Math.min(wholeNumber('--limit', options.limit), MAX_LISTED)
        const found = await feedback.list({ media_buy_id: options.mediaBuy, limit })
        if (options.json) {
          return printJson(found.map((one) => ({ ...one, received_at: iso(one.received_at) })))
        }
        printTable(
          ['feedback', 'received', 'media buy', 'about', 'index', 'replaced by'],
          found.map(({ feedback_id, received_at, media_buy_id, assertion, superseded_by }) => [
            feedback_id,
            iso(received_at),
            media_buy_id,
            String(assertion.creative_id ?? assertion.package_id ?? 'the whole media buy'),
            String(assertion.performance_index),
            superseded_by ?? '',
          ]),
        )
      }),
    )
}

function listUsage(): Command {
  return storageCommand('list')
    .description('List records, newest first.')
    .option('--principal <id>', 'only records of this principal')
    .option('--limit <n>', `maximum number of rows, up to ${MAX_LISTED}`, '50')
    .option('--json', 'print a JSON array')
    .action((options: { principal?: string; limit: string; json?: boolean }) =>
      withStorage({ ...options }, async ({ usage }) => {
        const limit = Math.min(wholeNumber('--limit', options.limit), MAX_LISTED)
        const found = await usage.list({ owner: options.principal, limit })
        if (options.json) {
          return printJson(
            found.map(({ period_start, period_end, received_at, ...one }) => ({
              ...one,
              period_start: iso(period_start),
              period_end: iso(period_end),
              received_at: iso(received_at),
            })),
          )
        }
        printTable(
          ['received', 'principal', 'account', 'what', 'cost', 'counts'],
          found.map(({ received_at, owner, account_id, usage_record: one, is_superseded }) => [
            iso(received_at),
            owner,
            account_id,
            String(one.signal_agent_segment_id ?? one.creative_id ?? one.media_buy_id),
            `${one.vendor_cost} ${one.currency}`,
            is_superseded ? 'no' : one.final === true ? 'final' : 'yes',
          ]),
        )
      }),
    )
}
