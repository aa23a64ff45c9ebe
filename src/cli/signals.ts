// `adwire signals`: the operator's catalogue of signals. Works while servers run, which see a change with their next
// search.

import { Command, Option } from 'commander'
import type { StoredSignal } from '../signals/catalogue.ts'
import { FILE_FORMATS, type FileFormat } from '../signals/files/file-formats.ts'
import { iso, wholeNumber } from './arguments.ts'
import { DRY_RUN, storageCommand, withStorage } from './settings-options.ts'
import { exportFile, importFile } from './signal-files.ts'
import { print, printJson, printMembers, printTable, UsageError } from './terminal.ts'

export function signalsCommand(): Command {
  return new Command('signals')
    .description('Import, export and list the signals of the catalogue.')
    .addCommand(importing())
    .addCommand(exporting())
    .addCommand(list())
    .addCommand(show())
    .addCommand(remove())
    .addCommand(stats())
}

const formatOption = (about: string) => new Option('--format <format>', about).choices(FILE_FORMATS)

function importing(): Command {
  return storageCommand('import')
    .description(
      'Import signals from a file: new ids are added, existing ids updated. Safe to repeat.',
    )
    .argument(
      '<file>',
      'a .json array, .jsonl with one object per line, or .csv with a header; - reads standard input',
    )
    .option('--replace', 'delete signals that are not in the file')
    .addOption(formatOption('format of the file, if its name does not end with it'))
    .option(...DRY_RUN)
    .option('--json', 'print the totals as JSON')
    .action(importFile)
}

function exporting(): Command {
  return storageCommand('export')
    .description('Export the catalogue to a file that `import` reads.')
    .addOption(formatOption('json, jsonl or csv; default: from the name of --out, otherwise jsonl'))
    .option('--out <file>', 'file to write; default: standard output')
    .action((options: { format?: FileFormat; out?: string }) => exportFile(options))
}

const MAX_LISTED = 1_000

function list(): Command {
  return storageCommand('list')
    .description('List signals by id.')
    .option('--after <id>', 'only items after this id, to get the next page')
    .option('--limit <n>', `maximum number of rows, up to ${MAX_LISTED}`, '50')
    .option('--json', 'print a JSON array')
    .action((options: { after?: string; limit: string; json?: boolean }) =>
      withStorage({ ...options }, async ({ signals }) => {
        const limit = Math.min(wholeNumber('--limit', options.limit), MAX_LISTED)
        const page = await signals.page(options.after, limit)
        if (options.json) return printJson(page.map(returned))
        printTable(
          ['id', 'type', 'cpm', 'coverage', 'version', 'provider', 'name'],
          page.map(rowOf),
        )
      }),
    )
}

function rowOf({ signal, version }: StoredSignal): string[] {
  const price = signal.pricing_options.find((option) => option.model === 'cpm')
  return [
    signal.signal_agent_segment_id,
    signal.signal_type,
    price ? `${price.cpm} ${price.currency}` : '-',
    `${signal.coverage_percentage} %`,
    String(version),
    signal.data_provider,
    signal.name,
  ]
}

function show(): Command {
  return storageCommand('show')
    .description('Show a signal with all its fields.')
    .argument('<id>')
    .option('--json', 'print one JSON object')
    .action((id: string, options: { json?: boolean }) =>
      withStorage({ ...options }, async ({ signals }) => {
        const found = (await signals.get([id])).get(id)
        if (!found) throw unknown([id])
        if (options.json) return printJson(returned(found))
        printMembers(returned(found))
      }),
    )
}

function remove(): Command {
  return storageCommand('delete')
    .description('Delete signals.')
    .argument('<id...>')
    .action((ids: string[], options: Record<string, unknown>) =>
      withStorage(options, async ({ signals, transact }) => {
        const known = await signals.get(ids)
        const removed = await transact((tx) => signals.remove(tx, ids))
        print(`${removed} deleted`)
        const missing = ids.filter((id) => !known.has(id))
        if (missing.length > 0) throw unknown(missing)
      }),
    )
}

function stats(): Command {
  return storageCommand('stats')
    .description('Count the signals by type, and those that the search has indexed.')
    .option('--json', 'print one JSON object')
    .action((options: { json?: boolean }) =>
      withStorage({ ...options }, async ({ signals, signalVectors }) => {
        const { changed_at, latest, ...counted } = await signals.stats()
        const vectors = await Promise.all(
          (await signalVectors.models()).map(async (model) => {
            return { model, vectors: (await signalVectors.counts(model)).vectors }
          }),
        )
        const last = changed_at === undefined ? undefined : iso(changed_at)
        if (options.json) {
          return printJson({ ...counted, version: latest, changed_at: last, vectors })
        }
        print(`signals: ${counted.signals}`)
        for (const [type, count] of Object.entries(counted.by_type)) print(`  ${type}: ${count}`)
        print(`data providers: ${counted.data_providers}`)
        print(`catalogue version: ${latest}`)
        print(`last change: ${last ?? '-'}`)
        for (const one of vectors) print(`vectors of ${one.model}: ${one.vectors}`)
      }),
    )
}

function returned({ signal, version, changed_at }: StoredSignal) {
  return { ...signal, version, changed_at: iso(changed_at) }
}

function unknown(ids: readonly string[]): UsageError {
  return new UsageError(`no signal ${ids.join(', ')}: list the signals with adwire signals list`)
}
