// `adwire database`: whether the SQLite file is damaged, and the repair of its indexes.

import { Command } from 'commander'
import { addSettings, configFrom } from './settings-options.ts'
import { print, printJson, UsageError } from './terminal.ts'

export function databaseCommand(): Command {
  return new Command('database')
    .description('Check the SQLite file for damage, and repair its indexes.')
    .addCommand(check())
    .addCommand(repair())
}

const MAX_PRINTED = 50

function check(): Command {
  return fileCommand('check')
    .description(
      'Check the whole file, tables and indexes, beside a running server or without one.',
    )
    .option('--json', 'print one JSON object')
    .action(async (options: { json?: boolean }) => {
      const { checkDatabase } = await import('../app/check-database.ts')
      const { path, damage } = await checkDatabase(folderFrom(options))
      if (damage) process.exitCode = 1
      if (options.json) return printJson({ path, ok: !damage, ...damage })
      if (!damage) return print(`${path} is not damaged`)
      const { problems, isOnlyIndexes } = damage
      print(`${path} is damaged:`)
      for (const problem of problems.slice(0, MAX_PRINTED)) print(`  ${problem}`)
      if (problems.length > MAX_PRINTED) print(`  and ${problems.length - MAX_PRINTED} more`)
      print(
        isOnlyIndexes
          ? 'Only indexes are damaged. Stop the server and run adwire database repair: nothing is lost.'
          : 'Stop the server and restore a backup: see "Backup" in docs/operations.md.',
      )
    })
}

function repair(): Command {
  return fileCommand('repair')
    .description(
      'Make damaged indexes again from their tables, in a new file; the damaged one is kept. The server must be stopped.',
    )
    .action(async (options: Record<string, unknown>) => {
      const { repairDatabase } = await import('../app/check-database.ts')
      const rebuilt = await repairDatabase(folderFrom(options))
      if (!rebuilt) return print('nothing is damaged')
      print(`the indexes were made again; ${rebuilt.rows} rows were copied`)
      print(`the damaged file is kept as ${rebuilt.damagedFile}`)
    })
}

const fileCommand = (name: string) => addSettings(new Command(name), ['data'])

function folderFrom(options: Record<string, unknown>): string {
  const { data, databaseUrl } = configFrom({ ...options })
  if (databaseUrl === undefined) return data
  throw new UsageError(
    'this is for SQLite; ADWIRE_DATABASE_URL names a PostgreSQL, which has tools of its own (pg_amcheck)',
  )
}
