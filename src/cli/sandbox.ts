// `adwire sandbox`: the fixtures that public graders use in a sandbox (docs/interop.md).

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { addSettings, withStorage } from './settings-options.ts'
import { print, printJson, UsageError } from './terminal.ts'

export function sandboxCommand(): Command {
  return new Command('sandbox')
    .description('Load test data into a server that was started with --sandbox.')
    .addCommand(load())
}

/** The settings of the target database, and of what validates creatives and accounts. */
const USED_SETTINGS = [
  ...(['host', 'port', 'data', 'databaseUrl', 'databaseSchema', 'databasePool'] as const),
  ...(['publicUrl', 'maxAccounts'] as const),
  ...(['formatsDir', 'builtInFormats', 'formatAgentUrls'] as const),
]

function load(): Command {
  return addSettings(new Command('load'), USED_SETTINGS)
    .description('Load a folder of fixtures: principals with fixed keys, signals and products.')
    .argument('<folder>', 'folder with principals.json, signals.jsonl and products.jsonl')
    .option('--create', 'create the database if it does not exist')
    .option('--json', 'print {"signals", "products", "principals"}')
    .action(async (folder: string, options: { json?: boolean }) => {
      const files = ['principals.json', 'signals.jsonl', 'products.jsonl']
      if (!files.some((file) => existsSync(join(folder, file)))) {
        throw new UsageError(`${folder} has no principals.json, signals.jsonl or products.jsonl`)
      }
      await withStorage({ ...options }, async (storage, config) => {
        // Loaded only here: the other commands start faster without it.
        const { loadFixtures } = await import('../app/sandbox/load-fixtures.ts')
        const loaded = await loadFixtures(storage, config, folder)
        if (options.json) return printJson(loaded)
        print(`${loaded.signals} signals, ${loaded.products} products`)
        for (const { principal_id, name, key } of loaded.principals) {
          print(`${principal_id} ${name}, key ${key}`)
        }
      })
    })
}
