// The config of a server from the options of an embedding program: the same settings, rules and defaults as those of
// `adwire serve`, without the process's environment.

import { nearNames } from '../lib/near-names.ts'
import { type Config, configOf, type SettingKey } from './config.ts'
import { SETTINGS } from './settings.ts'

/** Everything that is wrong with the options, at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  /** One sentence for each fault, which begins with the name of the option. */
  readonly errors: readonly string[]

  constructor(errors: readonly string[]) {
    super(`the server cannot be configured so: ${errors.join('; ')}`)
    this.errors = errors
  }
}

/**
 * Every setting of docs/settings.md, in camelCase: `ADWIRE_PUBLIC_URL` is `publicUrl`. An option that is omitted or
 * undefined has its default.
 */
export type ConfigOptions = { readonly [Key in keyof Config]?: Config[Key] | undefined }

/**
 * A complete config from the given settings, or else from `environment`, such as `process.env`; by default no
 * environment is read. Throws a ConfigError that lists every error.
 */
export function makeConfig(
  options: ConfigOptions = {},
  environment: Readonly<Record<string, string | undefined>> = {},
): Config {
  const unknown = Object.keys(options).filter((key) => !Object.hasOwn(SETTINGS, key))
  const texts = new Map<SettingKey, string>()
  const errors = unknown.map(unknownSetting)
  for (const key of Object.keys(SETTINGS) as SettingKey[]) {
    const value: unknown = options[key]
    if (value === undefined) continue
    const text = textOf(value)
    if (text === undefined) errors.push(`${key} ${WANTED}`)
    else texts.set(key, text)
  }
  if (errors.length > 0) throw new ConfigError(errors)
  const made = configOf(
    (key) => {
      const { env } = SETTINGS[key]
      const given = texts.get(key)
      if (given !== undefined) return { text: given, name: key }
      return { text: environment[env], name: environment[env] === undefined ? key : env }
    },
    (key) => key,
  )
  if (!made.ok) throw new ConfigError(made.errors)
  return made.config
}

const WANTED = 'must be a text, a number, true, false, or a list of texts without commas'

/** The value as it would be written in the environment, so that the same parser reads both. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string')
  // A comma would make two of one.
  return isList && !value.some((one) => one.includes(',')) ? value.join(',') : undefined
}

function unknownSetting(key: string): string {
  const [near] = nearNames(key, Object.keys(SETTINGS))
  const hint = near === undefined ? 'docs/settings.md lists them' : `perhaps ${near}`
  return `${key} is no setting: ${hint}`
}
