// `adwire move`: all data from a SQLite data folder into an empty PostgreSQL, or back.

import { Command } from 'commander'
import type { StorageConfig } from '../app/open-storage.ts'
import { exitCodesHelp } from './exit-codes.ts'
import { addSettings, configFrom } from './settings-options.ts'
import { type Progress, print, printJson, printTable, progressBar, UsageError } from './terminal.ts'

interface Options extends Record<string, unknown> {
  to?: string
  from?: string
  cancel?: boolean
  batchRows?: string
  json?: boolean
}

const HELP = `
Stop all servers on the source first. It is locked against writes before the first row is copied, and in the end marked as
moved: no server starts on it again. A move that was interrupted continues when the same command is run again. Nothing is
marked as moved before every table was read again in the target and has the same SHA-256.

Examples:
  adwire move --to postgres://adwire:secret@db.example/adwire --data .adwire
  adwire move --from postgres://adwire:secret@db.example/adwire --data back
  adwire move --to postgres://adwire:secret@db.example/adwire --cancel     cancel a move that has not finished
`

export function moveCommand(): Command {
  const command = new Command('move')
    .description('Move all data from a SQLite data folder into an empty PostgreSQL, or back.')
    .option('--to <url>', 'the PostgreSQL that gets the data of the folder')
    .option('--from <url>', 'the PostgreSQL whose data goes into the folder, which must be empty')
    .option('--cancel', 'cancel a move that has not finished: the source can be used again')
    .option('--batch-rows <n>', 'most rows of one transaction, 1 to 10000', '1000')
    .option('--json', 'print one JSON object')
  return addSettings(command, ['data', 'databaseSchema'])
    .addHelpText('after', HELP)
    .addHelpText(
      'after',
      exitCodesHelp({
        ok: 'moved, or cancelled with --cancel',
        fault: 'not moved; the message says whether running it again continues',
        usage: 'usage error: an unknown flag or a bad value; nothing was changed',
      }).trimStart(),
    )
    .action(run)
}

async function run(options: Options): Promise<void> {
  const places = placesOf(options)
  const { cancelMove, moveData } = await import('../app/move.ts')
  const { NoDatabase } = await import('../app/open-storage.ts')
  const asUsage = (error: unknown) => {
    throw error instanceof NoDatabase ? new UsageError(error.message) : error
  }
  if (options.cancel) {
    const { other } = await cancelMove(places.from).catch(asUsage)
    if (options.json) return printJson({ cancelled: true, other })
    return print(`the move was cancelled; ${other} has a part of the data: drop it`)
  }
  const bars = createBars()
  const { from, to, tables } = await moveData(places, {
    batchRows: batchRowsOf(options),
    watch: bars,
  })
    .catch(asUsage)
    .finally(bars.stop)
  if (options.json) return printJson({ from, to, tables })
  if (tables.length === 0) return print(`the data of ${from} was moved to ${to} already`)
  printTable(
    ['table', 'rows', 'SHA-256'],
    tables.map(({ name, rows, sha256 }) => [name, rows.toLocaleString('en'), sha256]),
  )
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  print(`moved ${rows.toLocaleString('en')} rows of ${tables.length} tables from ${from} to ${to}`)
  print('No server starts on the source again. Set ADWIRE_KEY_SECRET as it was there.')
}

/** One bar for copying and one for comparing, each over all rows. */
function createBars() {
  let total = 0
  let bar: Progress | undefined
  let done = 0
  const begin = (unit: string) => {
    bar?.stop()
    done = 0
    bar = progressBar(total, unit)
  }
  let isComparing = false
  return {
    onStart: (rows: number, isContinued: boolean) => {
      total = rows
      if (isContinued) process.stderr.write('continuing a move that was interrupted\n')
      begin('rows copied')
    },
    onCopied: (rows: number) => {
      done += rows
      bar?.update(done)
    },
    onCompared: (rows: number) => {
      if (!isComparing) begin('rows compared')
      isComparing = true
      done += rows
      bar?.update(done)
    },
    stop: () => bar?.stop(),
  }
}

function placesOf(options: Options): { from: StorageConfig; to: StorageConfig } {
  const { to, from, data, databaseSchema } = options
  if ((to === undefined) === (from === undefined)) {
    throw new UsageError(
      'name the PostgreSQL with either --to (it gets the data of the folder) or --from (its data goes into the folder)',
    )
  }
  const flag = to === undefined ? '--from' : '--to'
  const url = to ?? from ?? ''
  const { data: folder } = configFrom({ data })
  let postgres: StorageConfig
  try {
    postgres = configFrom({ data, databaseSchema, databaseUrl: url })
  } catch (error) {
    const message = (error as Error).message.replaceAll('--database-url', flag)
    throw new UsageError(message)
  }
  const sqlite = { data: folder, databaseUrl: undefined, databasePool: postgres.databasePool }
  return to === undefined ? { from: postgres, to: sqlite } : { from: sqlite, to: postgres }
}

function batchRowsOf({ batchRows = '' }: Options): number {
  const rows = Number(batchRows)
  if (Number.isInteger(rows) && rows >= 1 && rows <= 10_000) return rows
  throw new UsageError(`--batch-rows must be a whole number from 1 to 10000 (got ${batchRows})`)
}
