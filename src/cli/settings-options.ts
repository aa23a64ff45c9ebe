// Settings as flags of a command, read with the environment into a typed config.

import { Command, Option } from 'commander'
import { type Config, readConfig, type SettingKey } from '../app/config.ts'
import { readEnvironment } from '../app/env.ts'
import type { Storage } from '../app/open-storage.ts'
import type { Setting } from '../app/setting.ts'
import { SETTINGS } from '../app/settings.ts'
import { UsageError } from './terminal.ts'

export const ALL_SETTINGS = Object.keys(SETTINGS) as SettingKey[]
const STORAGE_SETTINGS: readonly SettingKey[] = ['data', 'databaseUrl', 'databaseSchema']

export function addSettings(command: Command, keys: readonly SettingKey[]): Command {
  for (const key of keys) addSetting(command, SETTINGS[key])
  return command
}

export function addSetting(command: Command, setting: Setting<unknown>): Command {
  const { flag, placeholder, about, env, default: fallback } = setting
  const returned = fallback === '' ? '' : `, default ${fallback}`
  const isSwitch = placeholder === ''
  const off = isSwitch && fallback === 'true' ? ` --no-${flag} turns it off.` : ''
  const flags = isSwitch ? `--${flag}` : `--${flag} <${placeholder}>`
  command.addOption(new Option(flags, `${about}${off} (${env}${returned})`))
  if (isSwitch) command.addOption(new Option(`--no-${flag}`).hideHelp())
  return command
}

/** A setting that is not part of the config, from its flag or the environment. */
export function readSetting<T>(setting: Setting<T>, given: unknown): T {
  const text = given === undefined ? readEnvironment()[setting.env] : String(given)
  const parsed = setting.parse(text?.trim() ?? setting.default)
  if (parsed.ok) return parsed.value
  const name = given === undefined ? setting.env : `--${setting.flag}`
  throw new UsageError(`${name} ${parsed.error}`)
}

/** The config from the flags of a command; a bad value ends the command and lists all errors. */
export function configFrom(options: Record<string, unknown>): Config {
  const flags: Partial<Record<SettingKey, string>> = {}
  for (const key of ALL_SETTINGS) {
    const value = options[key]
    if (value !== undefined) flags[key] = String(value)
  }
  const result = readConfig(flags, readEnvironment())
  if (!result.ok) throw new UsageError(result.errors.join('\n       '))
  return result.config
}

/** A command that works on the database, with or without a running server. */
export function storageCommand(name: string): Command {
  return addSettings(new Command(name), STORAGE_SETTINGS).option(
    '--create',
    'create the database if it does not exist',
  )
}

/** The flag of commands that can print what they would do. */
export const DRY_RUN = [
  '--dry-run',
  'print what would change, row by row, without changing anything',
] as const

export async function withStorage<T>(
  options: Record<string, unknown>,
  work: (storage: Storage, config: Config) => Promise<T>,
): Promise<T> {
  const config = configFrom(options)
  const { findDatabase, NoDatabase, OlderDatabase, openStorage, refuseOlder } = await import(
    '../app/open-storage.ts'
  )
  const asUsage = (error: unknown) => {
    const isUsage = error instanceof NoDatabase || error instanceof OlderDatabase
    throw isUsage ? new UsageError(error.message) : error
  }
  if (options.dryRun === true && options.create === true) {
    throw new UsageError('--dry-run changes nothing, so it cannot create a database: omit --create')
  }
  if (options.create !== true) await findDatabase(config).catch(asUsage)
  if (options.dryRun === true) await refuseOlder(config).catch(asUsage)
  const storage = await openStorage(config)
  try {
    return await work(storage, config)
  } finally {
    await storage.close()
  }
}
