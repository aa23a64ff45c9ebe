// `adwire audit`: the console's audit log. Works while servers run.

import { Command, Option } from 'commander'
import type { AuditRecord } from '../console/store.ts'
import { iso, wholeNumber } from './arguments.ts'
import { storageCommand, withStorage } from './settings-options.ts'
import { printJson, printTable } from './terminal.ts'

export function auditCommand(): Command {
  return new Command('audit')
    .description('Read the audit log of the console, including refused sign-ins.')
    .addCommand(list())
}

interface ListOptions {
  outcome?: AuditRecord['outcome']
  action?: string
  principal?: string
  address?: string
  before?: string
  limit: string
  json?: boolean
}

const MAX_LISTED = 1_000

function list(): Command {
  return storageCommand('list')
    .description('List entries, newest first.')
    .addOption(
      new Option('--outcome <outcome>', 'only entries with this outcome').choices([
        'done',
        'refused',
      ]),
    )
    .option('--action <action>', 'only entries for this action, such as session.sign_in')
    .option(
      '--principal <principal_id>',
      'only entries by this principal; "unknown" for unknown callers',
    )
    .option(
      '--address <address>',
      'only entries from this address; for IPv6, the /64 that `list` prints',
    )
    .option('--before <id>', 'only entries older than this one, to get the next page')
    .option('--limit <n>', `maximum number of rows, up to ${MAX_LISTED}`, '50')
    .option('--json', 'print a JSON array')
    .action((options: ListOptions) =>
      withStorage({ ...options }, async ({ consoleAudit }) => {
        const { rows } = await consoleAudit.list({
          outcome: options.outcome,
          action: options.action,
          principal_id: options.principal,
          address: options.address,
          before:
            options.before === undefined ? undefined : wholeNumber('--before', options.before),
          limit: Math.min(wholeNumber('--limit', options.limit), MAX_LISTED),
        })
        if (options.json) return printJson(rows.map(toJson))
        printTable(
          [
            'id',
            'time',
            'outcome',
            'action',
            'attempts',
            'principal',
            'address',
            'target',
            'detail',
          ],
          rows.map(toRow),
        )
      }),
    )
}

function toRow(entry: AuditRecord): string[] {
  const { audit_id, at, outcome, action, attempts, principal_name, address, target, detail } = entry
  return [
    String(audit_id),
    iso(at),
    outcome,
    action,
    String(attempts),
    principal_name,
    address ?? '-',
    target ?? '-',
    detail ?? '-',
  ]
}

function toJson({ at, last_at, ...entry }: AuditRecord) {
  return { ...entry, at: iso(at), last_at: last_at === undefined ? undefined : iso(last_at) }
}
