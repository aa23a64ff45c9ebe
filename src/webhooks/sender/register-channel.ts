// Whether a registration can be accepted (spec 2.9, 5), and the channel it becomes. Everything that would make
// every delivery fail is reported here, all at once, to the caller, who can fix it.

import { defined } from '../../lib/defined.ts'
import type { UrlCheck } from '../../lib/safe-fetch/safe-fetch.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import type { Issue } from '../../protocol/errors.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import { checkShape } from '../../protocol/schemas/issues.ts'
import {
  type PushNotificationConfig,
  pushNotificationConfig,
  WEBHOOK_SCHEMES,
} from '../../protocol/schemas/push-notification-config.ts'
import { canonicalTargetUri } from '../../signing/target-uri.ts'
import { faultOfToken } from '../schemes/bearer.ts'
import { faultOfSecret } from '../schemes/hmac.ts'
import type { WebhookMode } from '../schemes/mode.ts'
import { sealSecrets } from './channel-secrets.ts'
import { endpointOf, sentUrlOf } from './endpoint.ts'
import type { ChannelForm, ChannelKey, NewChannel } from './store.ts'

export interface WantedChannel extends ChannelKey {
  form: ChannelForm
  /** As it was received: a push_notification_config, a reporting_webhook, or A2A's own. */
  config: unknown
  /** JSON pointer of the config in the request. Default /push_notification_config. */
  pointer?: string
  /** Whether a config without operation_id is rejected (spec 7.3). Default false. */
  needsOperationId?: boolean
  /** When it is deleted, in milliseconds. Default: with its subject. */
  expires_at?: number | undefined
}

export interface RegistrationPorts {
  /** Checks a URL by its text, as the guard of outbound requests will. */
  checkUrl: (url: string) => UrlCheck
  box: SecretBox
  /** Whether Bearer is supported: it does not protect the content. Default false. */
  allowBearer?: boolean | undefined
  /** Receives every legacy registration that was accepted (spec 5). */
  onLegacy?: ((choice: LegacyChoice) => void) | undefined
}

export type LegacyChoice = Pick<NewChannel, 'owner' | 'subject' | 'scheme'>

export type ChannelCheck = { ok: true; channel: NewChannel } | { ok: false; issues: Issue[] }

export function checkChannel(wanted: WantedChannel, ports: RegistrationPorts): ChannelCheck {
  const { owner, subject, name, form, pointer = '/push_notification_config' } = wanted
  const read = form === 'mcp' ? readConfig(wanted.config) : readA2aConfig(wanted.config)
  const issues = [...read.issues, ...check(read.config, wanted, ports)]
  if (issues.length > 0 || !read.ok) {
    return { ok: false, issues: firstPerPlace(issues).map((issue) => placed(issue, pointer)) }
  }

  const { url, operation_id, token, authentication } = read.config
  const scheme: WebhookMode = authentication?.schemes[0] ?? 'rfc9421'
  if (scheme !== 'rfc9421') ports.onLegacy?.({ owner, subject, scheme })
  const secrets = { token, credentials: authentication?.credentials }
  const channel: NewChannel = {
    owner,
    subject,
    name,
    form,
    url,
    endpoint: endpointOf(url),
    operation_id,
    scheme,
    secrets: sealSecrets(wanted, secrets, ports.box),
    expires_at: wanted.expires_at,
  }
  return { ok: true, channel }
}

type ReadConfig =
  | { ok: true; config: PushNotificationConfig; issues: Issue[] }
  | { ok: false; config: Record<string, unknown>; issues: Issue[] }

function readConfig(config: unknown): ReadConfig {
  const checked = checkShape(pushNotificationConfig, config)
  if (checked.ok) return { ok: true, config: checked.value, issues: [] }
  return { ok: false, config: isObject(config) ? config : {}, issues: checked.issues }
}

/** In A2A there may be a single scheme, names are case-insensitive, empty means absent, and tokens are short. */
function readA2aConfig(config: unknown): ReadConfig {
  if (!isObject(config)) return readConfig(config)
  const { url, token, operation_id } = config
  const { authentication } = config
  const { scheme, schemes, credentials } = isObject(authentication) ? authentication : {}
  const wantedSchemes = isPresent(scheme) ? [scheme] : schemes
  const isSecured = isPresent(wantedSchemes) || isPresent(credentials)
  const read = readConfig({
    ...defined({
      url: isPresent(url) ? url : undefined,
      operation_id: isPresent(operation_id) ? operation_id : undefined,
      authentication: isSecured ? { schemes: properNames(wantedSchemes), credentials } : undefined,
    }),
  })
  if (!isPresent(token)) return read
  const fault = faultOfHeaderToken(token)
  if (fault) return { ok: false, config: read.config, issues: [...read.issues, fault] }
  return { ...read, config: { ...read.config, token } } as ReadConfig
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && !isEmptyList(value)
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

function properNames(schemes: unknown): unknown {
  if (!Array.isArray(schemes)) return schemes ?? undefined
  return schemes.map(
    (scheme) =>
      WEBHOOK_SCHEMES.find((known) => known.toLowerCase() === String(scheme).toLowerCase()) ??
      scheme,
  )
}

/** A2A's token travels in a header. */
function faultOfHeaderToken(token: unknown): Issue | undefined {
  if (typeof token === 'string' && /^[\x21-\x7e]{1,4096}$/.test(token)) return undefined
  const message = 'This must be 1 to 4096 visible ASCII characters: it is sent in a header.'
  return { pointer: '/token', message, keyword: 'pattern' }
}

/** Checks that the schema does not make. The members may have any value: their own checks may have failed. */
function check(
  config: Readonly<Record<string, unknown>>,
  { needsOperationId = false }: WantedChannel,
  { checkUrl, allowBearer = false }: RegistrationPorts,
): Issue[] {
  const { url, operation_id, authentication } = config
  const issues: Issue[] = []
  const report = (pointer: string, message: string, keyword: string) =>
    issues.push({ pointer, message, keyword })

  if (typeof url === 'string') {
    const fault = faultOfUrl(url, checkUrl)
    if (fault) report('/url', `This cannot be delivered to: ${fault}.`, 'format')
  }
  if (operation_id === undefined && needsOperationId) {
    const wanted = 'a value that is unique for the call, such as a UUID'
    report('/operation_id', `This field is required: ${wanted}.`, 'required')
  }
  if (!isObject(authentication)) return issues

  const { schemes, credentials } = authentication
  const scheme = Array.isArray(schemes) && schemes.length === 1 ? schemes[0] : undefined
  if (scheme === 'Bearer' && !allowBearer) {
    const instead = 'omit authentication, and deliveries are signed with a published key'
    report('/authentication/schemes/0', `Bearer is not supported: ${instead}.`, 'enum')
  }
  if (typeof credentials !== 'string') return issues
  const fault = scheme === 'Bearer' ? faultOfToken(credentials) : faultOfSecret(credentials)
  if (fault) {
    const wanted = 'use at least 32 random characters'
    report('/authentication/credentials', `This cannot be used: ${fault}; ${wanted}.`, 'pattern')
  }
  return issues
}

function faultOfUrl(url: string, checkUrl: RegistrationPorts['checkUrl']): string | undefined {
  const checked = checkUrl(url)
  if (!checked.ok) return checked.message
  // An unsignable URL could never be verified; the legacy schemes gain nothing from an exception.
  const target = canonicalTargetUri(sentUrlOf(url), { allowUnicodeHost: true })
  return target.ok ? undefined : target.reason
}

function firstPerPlace(issues: readonly Issue[]): Issue[] {
  const found = new Map<string, Issue>()
  for (const issue of issues) {
    if (!found.has(issue.pointer)) found.set(issue.pointer, issue)
  }
  return [...found.values()]
}

function placed(issue: Issue, base: string): Issue {
  return { ...issue, pointer: `${base}${issue.pointer}` }
}
