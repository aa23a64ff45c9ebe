// `adwire backup` and `adwire restore`: all data in one file, with a manifest next to it.

import { Command } from 'commander'
import { addSettings, configFrom } from './settings-options.ts'
import { print, printJson } from './terminal.ts'

interface Options extends Record<string, unknown> {
  json?: boolean
  replace?: boolean
}

export function backupCommand(): Command {
  return placeCommand('backup')
    .description(
      'Write a backup of all data to a file, beside running servers. PostgreSQL is dumped by pg_dump.',
    )
    .argument('<file>', 'the backup; <file>.manifest.json is written beside it')
    .action(async (file: string, options: Options) => {
      const { backUp, manifestFileOf } = await import('../app/backup.ts')
      const manifest = await backUp(configFrom(options), file)
      if (options.json) return printJson(manifest)
      print(`${file}: ${size(manifest.bytes)}, SHA-256 ${manifest.sha256}`)
      if (manifest.tables) print(`${rowsIn(manifest.tables)} rows`)
      print(`manifest: ${manifestFileOf(file)}`)
      print(
        'Keep ADWIRE_KEY_SECRET with it if it is set: without it, the secrets inside cannot be read.',
      )
    })
}

export function restoreCommand(): Command {
  return placeCommand('restore')
    .description(
      'Restore a backup into an empty data folder or database. All servers on it must be stopped.',
    )
    .argument('<file>', 'the backup, with its manifest beside it')
    .option(
      '--replace',
      'SQLite: replace the database that is there, and keep it under another name',
    )
    .action(async (file: string, options: Options) => {
      const { restore } = await import('../app/backup.ts')
      const { manifest, replacedFile } = await restore(configFrom(options), file, {
        replace: options.replace === true,
      })
      if (options.json) return printJson({ ...manifest, replaced_file: replacedFile })
      print(`restored the backup of ${manifest.created_at}`)
      if (manifest.tables) print(`${rowsIn(manifest.tables)} rows`)
      if (replacedFile !== undefined) print(`the replaced database is kept as ${replacedFile}`)
    })
}

function placeCommand(name: string): Command {
  return addSettings(new Command(name), ['data', 'databaseUrl', 'databaseSchema']).option(
    '--json',
    'print one JSON object',
  )
}

function rowsIn(tables: Readonly<Record<string, number>>): string {
  return Object.values(tables)
    .reduce((sum, rows) => sum + rows, 0)
    .toLocaleString('en')
}

function size(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}
