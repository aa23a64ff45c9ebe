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
    .description('Check all tables and indexes. The server may be running.')
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
      'Rebuild damaged indexes from their tables, in a new file. The damaged file is kept. Stop the server first.',
    )
    .action(async (options: Record<string, unknown>) => {
      const { repairDatabase } = await import('../app/check-database.ts')
      const rebuilt = await repairDatabase(folderFrom(options))
      if (!rebuilt) return print('no damage found')
      print(`rebuilt the indexes; ${rebuilt.rows} rows copied`)
      print(`the damaged file is kept as ${rebuilt.damagedFile}`)
    })
}

const fileCommand = (name: string) => addSettings(new Command(name), ['data'])

function folderFrom(options: Record<string, unknown>): string {
  const { data, databaseUrl } = configFrom({ ...options })
  if (databaseUrl === undefined) return data
  throw new UsageError(
    'this command is for SQLite, but ADWIRE_DATABASE_URL is set: for PostgreSQL, use pg_amcheck',
  )
}
