// `adwire migrate`: migrates the database without starting a server.

import type { Command } from 'commander'
import { storageCommand, withStorage } from './settings-options.ts'
import { print } from './terminal.ts'

export function migrateCommand(): Command {
  return storageCommand('migrate')
    .description('Upgrade the database schema. `serve` also does this when it starts.')
    .action((options: Record<string, unknown>) =>
      withStorage({ ...options, create: true }, async ({ applied }) => {
        if (applied.length === 0) print('the database is up to date')
        for (const name of applied) print(`applied ${name}`)
      }),
    )
}
