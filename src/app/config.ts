// Flags and environment into one typed value, or a list of what is wrong with them.

import type { Setting } from './setting.ts'
import { SETTINGS } from './settings.ts'

type Values = {
  -readonly [Key in keyof typeof SETTINGS]: (typeof SETTINGS)[Key] extends Setting<infer T>
    ? T
    : never
}

export interface Config extends Values {}

export type ConfigResult = { ok: true; config: Config } | { ok: false; errors: string[] }

export type SettingKey = keyof typeof SETTINGS

/** What a demo server may reach besides the public Internet: this machine. */
const DEMO_EGRESS = ['127.0.0.0/8', '::1/128']

/** A flag wins over the environment, and both over the default. */
export function readConfig(
  flags: Partial<Record<SettingKey, string>>,
  environment: Readonly<Record<string, string | undefined>>,
): ConfigResult {
  const errors: string[] = []
  const values: Record<string, unknown> = {}
  for (const [key, setting] of Object.entries(SETTINGS) as [SettingKey, Setting<unknown>][]) {
    const flag = flags[key]
    const given = flag ?? environment[setting.env]
    const parsed = setting.parse(given?.trim() ?? setting.default)
    if (parsed.ok) values[key] = parsed.value
    else errors.push(`${flag === undefined ? setting.env : `--${setting.flag}`} ${parsed.error}`)
  }
  if (errors.length > 0) return { ok: false, errors }
  const config = values as unknown as Config
  if (config.demo) {
    config.egressAllow = [...config.egressAllow, ...DEMO_EGRESS]
    config.egressAllowHttp = true
    // A demonstration has one caller; who says otherwise is heard.
    const told = flags.signalsAccounts ?? environment.ADWIRE_SIGNALS_ACCOUNTS
    if (told === undefined) config.signalsAccounts = 'any'
  }
  const conflicts = conflictsOf(config)
  return conflicts.length > 0 ? { ok: false, errors: conflicts } : { ok: true, config }
}

function conflictsOf(config: Config): string[] {
  const conflicts: string[] = []
  if (config.jwtIssuer === undefined && (config.jwtAudience ?? config.jwtJwksUrl) !== undefined) {
    conflicts.push(
      'ADWIRE_JWT_ISSUER must be set when ADWIRE_JWT_AUDIENCE or ADWIRE_JWT_JWKS_URL is',
    )
  }
  if (config.egressAllowHttp && config.egressAllow.length === 0) {
    conflicts.push('ADWIRE_EGRESS_ALLOW must list the CIDRs that ADWIRE_EGRESS_ALLOW_HTTP is about')
  }
  if (config.dns === 'system' && config.dnsServers.length > 0) {
    conflicts.push('ADWIRE_DNS must be direct when ADWIRE_DNS_SERVERS is set')
  }
  if (config.signalsRerank && (config.llmUrl === undefined || config.llmModel === undefined)) {
    conflicts.push('ADWIRE_LLM_URL and ADWIRE_LLM_MODEL must be set when ADWIRE_SIGNALS_RERANK is')
  }
  const leastLease = Math.ceil(((config.webhookTimeoutSeconds + 5) * 4) / 3)
  if (config.leaseSeconds < leastLease) {
    const timeout = `ADWIRE_WEBHOOK_TIMEOUT_SECONDS ${config.webhookTimeoutSeconds}`
    conflicts.push(`ADWIRE_LEASE_SECONDS must be at least ${leastLease} with ${timeout}`)
  }
  return conflicts
}
