// Parses the flags of `adwire receive` into one typed value, or returns the first error.

import { sameAgentUrl } from '../../key-discovery/agent-url.ts'
import type { TrustedSeller } from '../../key-discovery/trusted-seller.ts'
import { defined } from '../../lib/defined.ts'
import { trimEnd } from '../../lib/trim-end.ts'
import { MAX_BODY_BYTES } from '../../webhooks/receiver/delivery.ts'
import type { DuplicatePolicy } from '../../webhooks/receiver/outcomes.ts'
import {
  DEFAULT_BYTES_PER_SENDER,
  DEFAULT_KEYS_PER_SENDER,
  LEAST_RETENTION_HOURS,
  usualRetentionHours,
} from '../../webhooks/receiver/receiver.ts'
import { type Route, routesByName } from '../../webhooks/receiver/routes.ts'
import type { Config } from '../config.ts'
import { BadFlag, pairs, secrets, urlOrNone, wholeNumber } from './flag-values.ts'
import type { RegistryPlace } from './registry-documents.ts'
import { readSecretValue } from './secret-value.ts'
import { type SellerFlags, sellersOf } from './sellers.ts'

/** As they were given. */
export interface ReceiveFlags extends SellerFlags {
  port: string
  host: string
  data: string
  publicUrl?: string
  registry?: string
  registryKey?: string
  hmac: readonly string[]
  bearer: readonly string[]
  sender: readonly string[]
  token: readonly string[]
  maxKeysPerSender: string
  maxBytesPerSender: string
  retentionHours?: string
  out?: string
  exec?: string
  execTimeoutSeconds: string
  forward?: string
}

/** Its settings: those it shares with `adwire serve`, and its own. */
export type SharedConfig = Pick<
  Config,
  | 'databaseUrl'
  | 'databaseSchema'
  | 'databasePool'
  | 'protocolName'
  | 'egressAllow'
  | 'egressAllowHttp'
  | 'dns'
  | 'dnsServers'
  | 'logLevel'
  | 'logFormat'
> & { webhookDuplicates: DuplicatePolicy }

export interface ReceiveConfig extends SharedConfig {
  host: string
  port: number
  data: string
  publicUrl: string | undefined
  sellers: readonly TrustedSeller[]
  /** Where to look for documents about keys first. */
  registry: RegistryPlace | undefined
  /** Those with settings of their own; any other route accepts every trusted sender. */
  routes: readonly Route[]
  maxKeysPerSender: number
  maxBytesPerSender: number
  retentionHours: number
  out: string | undefined
  exec: string | undefined
  execTimeoutMs: number
  forward: string | undefined
}

export const RECEIVE_DEFAULTS = {
  port: '8421',
  host: '127.0.0.1',
  data: '.adwire-receive',
  maxKeysPerSender: String(DEFAULT_KEYS_PER_SENDER),
  maxBytesPerSender: String(DEFAULT_BYTES_PER_SENDER),
  execTimeoutSeconds: '60',
}

export type FlagsRead = { ok: true; config: ReceiveConfig } | { ok: false; error: string }

export function readReceiveFlags(flags: ReceiveFlags, shared: SharedConfig): FlagsRead {
  try {
    return { ok: true, config: configOf(flags, shared) }
  } catch (error) {
    if (error instanceof BadFlag) return { ok: false, error: error.message }
    throw error
  }
}

function configOf(flags: ReceiveFlags, shared: SharedConfig): ReceiveConfig {
  const { host, data, out, exec } = flags
  const sellers = sellersOf(flags)
  const routes = routesOf(flags, sellers)
  return {
    ...shared,
    host,
    data,
    out,
    exec,
    sellers,
    routes,
    registry: registryOf(flags),
    port: wholeNumber('--port', flags.port, { min: 0, max: 65_535 }),
    publicUrl: urlOrNone('--public-url', flags.publicUrl),
    forward: urlOrNone('--forward', flags.forward),
    maxKeysPerSender: wholeNumber('--max-keys-per-sender', flags.maxKeysPerSender, {
      min: 1,
      max: 1e9,
    }),
    maxBytesPerSender: wholeNumber('--max-bytes-per-sender', flags.maxBytesPerSender, {
      min: MAX_BODY_BYTES,
      max: 1e15,
    }),
    retentionHours: wholeNumber(
      '--retention-hours',
      flags.retentionHours ?? String(usualRetentionHours(shared.webhookDuplicates)),
      { min: LEAST_RETENTION_HOURS, max: 8_760 },
    ),
    execTimeoutMs:
      wholeNumber('--exec-timeout-seconds', flags.execTimeoutSeconds, { min: 1, max: 3_600 }) *
      1_000,
  }
}

function registryOf({ registry, registryKey }: ReceiveFlags): RegistryPlace | undefined {
  const url = urlOrNone('--registry', registry)
  if (url === undefined) {
    if (registryKey === undefined) return undefined
    throw new BadFlag('--registry-key is for a registry: give --registry as well')
  }
  const key = registryKey === undefined ? undefined : readSecretValue(registryKey)
  if (key?.ok === false) throw new BadFlag(`--registry-key ${key.error}`)
  return { url: trimEnd(url, '/'), key: key?.value }
}

function routesOf(flags: ReceiveFlags, sellers: readonly TrustedSeller[]): Route[] {
  const hmac = secrets('--hmac', flags.hmac, 'secret')
  const bearer = secrets('--bearer', flags.bearer, 'token')
  const senders = pairs('--sender', flags.sender, 'agent-url')
  const tokens = secrets('--token', flags.token, 'token')
  const names = new Set([hmac, bearer, senders, tokens].flatMap((map) => [...map.keys()]))
  const routes = [...names].map((name): Route => {
    const secret = hmac.get(name)
    const credentials = bearer.get(name)
    const given = senders.get(name)
    // It refers to a seller that is trusted as well, under its canonical name.
    const sender = given === undefined ? undefined : sameAgentUrl(given)
    const token = tokens.get(name)
    const own = { name, ...defined({ token }) }
    const bound = { ...own, ...defined({ sender }) }
    if (secret !== undefined && credentials !== undefined) {
      throw new BadFlag(`the route ${name} has --hmac and --bearer: give one of them`)
    }
    if (secret !== undefined) return { ...bound, mode: 'HMAC-SHA256', secret }
    if (credentials !== undefined) return { ...bound, mode: 'Bearer', credentials }
    if (sender !== undefined && !sellers.some(({ agentUrl }) => agentUrl === sender)) {
      throw new BadFlag(`--sender ${name}=${given} needs --trust ${given}`)
    }
    return { ...own, mode: 'rfc9421', ...defined({ seller: sender }) }
  })
  checkSecrets(routes)
  return routes
}

function checkSecrets(routes: readonly Route[]): void {
  try {
    routesByName(routes)
  } catch (error) {
    throw new BadFlag((error as Error).message)
  }
}
