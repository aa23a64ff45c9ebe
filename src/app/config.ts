// Flags and environment into one typed value, or a list of what is wrong with them.

import { coversEveryBody } from '../signing/profile.ts'
import { rolesFault } from './roles.ts'
import { servedReleases } from './served-releases.ts'
import type { Setting } from './setting.ts'
import { SETTINGS } from './settings.ts'

type Values = {
  -readonly [Key in keyof typeof SETTINGS]: (typeof SETTINGS)[Key] extends Setting<infer T>
    ? T
    : never
}

/** Every setting of a server, read and checked. */
export interface Config extends Values {}

export type ConfigResult = { ok: true; config: Config } | { ok: false; errors: string[] }

export type SettingKey = keyof typeof SETTINGS

/** Defaults of a sandbox that replace the usual ones. */
const SANDBOX_DEFAULTS = {
  // The number of requests that graders send to check that there is a limit.
  requestNoncesPerKey: 100,
  // Graders name formats of an agent whose address they do not know.
  formatAgentUrls: ['*'],
  // Graders also register webhooks of every kind with only a key.
  unsignedLegacyWebhooks: 'all',
} as const satisfies Partial<Config>

/** What a demo, or a sandbox, may reach besides the public Internet: this machine. */
const DEMO_EGRESS = ['127.0.0.0/8', '::1/128']

/** A flag wins over the environment, and both over the default. */
export function readConfig(
  flags: Partial<Record<SettingKey, string>>,
  environment: Readonly<Record<string, string | undefined>>,
): ConfigResult {
  return configOf((key) => {
    const { env, flag } = SETTINGS[key]
    const given = flags[key]
    if (given !== undefined) return { text: given, name: `--${flag}` }
    return { text: environment[env], name: env }
  })
}

/** The value that was given for a setting, as text, and the name by which the user knows the setting. */
interface Given {
  text: string | undefined
  name: string
}

/**
 * Each setting as it was given, or its default. `nameOf` provides its name for errors about settings that conflict.
 */
export function configOf(
  givenFor: (key: SettingKey) => Given,
  nameOf: (key: SettingKey) => string = (key) => SETTINGS[key].env,
): ConfigResult {
  const errors: string[] = []
  const values: Record<string, unknown> = {}
  for (const [key, setting] of Object.entries(SETTINGS) as [SettingKey, Setting<unknown>][]) {
    const { text, name } = givenFor(key)
    const parsed = setting.parse(text?.trim() ?? setting.default)
    if (parsed.ok) values[key] = parsed.value
    else errors.push(`${name} ${parsed.error}`)
  }
  if (errors.length > 0) return { ok: false, errors }
  const config = values as unknown as Config
  if (config.demo || config.sandbox) {
    config.egressAllow = [...config.egressAllow, ...DEMO_EGRESS]
    config.egressAllowHttp = true
    // A demo has one caller; an explicit setting takes precedence.
    if (givenFor('signalsAccounts').text === undefined) config.signalsAccounts = 'any'
  }
  if (config.sandbox) {
    for (const [key, value] of Object.entries(SANDBOX_DEFAULTS)) {
      if (givenFor(key as SettingKey).text === undefined) Object.assign(config, { [key]: value })
    }
  }
  const conflicts = conflictsOf(config, nameOf)
  return conflicts.length > 0 ? { ok: false, errors: conflicts } : { ok: true, config }
}

function conflictsOf(config: Config, name: (key: SettingKey) => string): string[] {
  const conflicts: string[] = []
  if (config.jwtIssuer === undefined && (config.jwtAudience ?? config.jwtJwksUrl) !== undefined) {
    conflicts.push(
      `${name('jwtIssuer')} must be set when ${name('jwtAudience')} or ${name('jwtJwksUrl')} is`,
    )
  }
  if (config.egressAllowHttp && config.egressAllow.length === 0) {
    const list = name('egressAllow')
    conflicts.push(`${list} must list the CIDRs that ${name('egressAllowHttp')} is about`)
  }
  if (config.dns === 'system' && config.dnsServers.length > 0) {
    conflicts.push(`${name('dns')} must be direct when ${name('dnsServers')} is set`)
  }
  if (config.signalsRerank && (config.llmUrl === undefined || config.llmModel === undefined)) {
    const both = `${name('llmUrl')} and ${name('llmModel')}`
    conflicts.push(`${both} must be set when ${name('signalsRerank')} is`)
  }
  conflicts.push(...signInConflicts(config, name), ...releaseConflicts(config, name))
  const roles = rolesFault(config)
  if (roles !== undefined) conflicts.push(`${name('roles')} ${roles}`)
  const leastLease = Math.ceil(((config.webhookTimeoutSeconds + 5) * 4) / 3)
  if (config.leaseSeconds < leastLease) {
    const timeout = `${name('webhookTimeoutSeconds')} ${config.webhookTimeoutSeconds}`
    conflicts.push(`${name('leaseSeconds')} must be at least ${leastLease} with ${timeout}`)
  }
  return conflicts
}

function signInConflicts(config: Config, name: (key: SettingKey) => string): string[] {
  const conflicts: string[] = []
  const issuer = name('oidcIssuer')
  if (config.oidcIssuer === '') {
    for (const key of ['oidcClientId', 'oidcClientSecret'] as const) {
      if (config[key] !== undefined) conflicts.push(`${issuer} must be set when ${name(key)} is`)
    }
    if (config.consoleKeys !== 'all') {
      conflicts.push(`${issuer} must be set with ${name('consoleKeys')} ${config.consoleKeys}`)
    }
    return conflicts
  }
  if (config.oidcClientId === undefined) {
    conflicts.push(`${name('oidcClientId')} must be set when ${issuer} is`)
  }
  if (config.oidcRoles.length === 0) {
    conflicts.push(`${name('oidcRoles')} must list at least one group when ${issuer} is set`)
  }
  return conflicts
}

function releaseConflicts(config: Config, name: (key: SettingKey) => string): string[] {
  const { requestSigningProfile: profile, listedPreReleases, majorVersionRelease } = config
  const { served } = servedReleases(config)
  const withProfile = `with ${name('requestSigningProfile')} ${profile}`
  const conflicts: string[] = []
  if (coversEveryBody(profile) && config.requestContentDigest !== 'required') {
    conflicts.push(`${name('requestContentDigest')} must be required ${withProfile}`)
  }
  if (!served.includes(majorVersionRelease)) {
    conflicts.push(
      `${name('majorVersionRelease')} must be one of ${served.join(', ')} ${withProfile}`,
    )
  }
  const others = listedPreReleases.filter((pin) => !served.includes(pin.split('-')[0] as string))
  if (others.length > 0) {
    const among = `pre-releases of ${served.join(', ')} ${withProfile}`
    conflicts.push(`${name('listedPreReleases')} must list ${among} (got ${others.join(', ')})`)
  }
  return conflicts
}
