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
      'Back up all data to a file while servers are running. PostgreSQL requires pg_dump.',
    )
    .argument('<file>', 'file to create; <file>.manifest.json is written next to it')
    .action(async (file: string, options: Options) => {
      const { backUp, manifestFileOf } = await import('../app/backup.ts')
      const manifest = await backUp(configFrom(options), file)
      if (options.json) return printJson(manifest)
      print(`${file}: ${size(manifest.bytes)}, SHA-256 ${manifest.sha256}`)
      if (manifest.tables) print(`${rowsIn(manifest.tables)} rows`)
      print(`manifest: ${manifestFileOf(file)}`)
      print(
        'Keep a copy of ADWIRE_KEY_SECRET with it if it is set: without it, the secrets in the backup cannot be read.',
      )
    })
}

export function restoreCommand(): Command {
  return placeCommand('restore')
    .description('Restore a backup into an empty data folder or database. Stop all servers first.')
    .argument('<file>', 'the backup; its manifest must be next to it')
    .option('--replace', 'SQLite: replace the existing database, which is kept under another name')
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
