// What may be sent about an agent when it is registered or changed (spec 4.5), and which spelling of its URL is its
// identity.

import { NAME_RULE, parseName } from '../lib/display-name.ts'
import { isUrl } from '../lib/is-url.ts'
import { trimEnd } from '../lib/trim-end.ts'
import { AGENT_TYPES } from '../protocol/brand-entry.ts'
import { type Refusal, refuse } from './refusal.ts'
import { AGENT_VISIBILITIES, type AgentVisibility, type MemberAgent } from './store.ts'

export type AgentType = (typeof AGENT_TYPES)[number]

/** Whether this server may ever call a URL; the message says what would be valid. */
export type CheckUrl = (url: string) => { ok: true } | { ok: false; message: string }

export type AgentChanges = Partial<Omit<MemberAgent, 'url'>>
export type ParsedChanges = { ok: true; changes: AgentChanges } | Refusal

export function parseNewAgent(
  input: unknown,
  checkUrl: CheckUrl,
): { ok: true; url: string; type: AgentType; changes: AgentChanges } | Refusal {
  const fields = fieldsOf(input)
  if (!fields) return NOT_AN_OBJECT
  const url = parseAgentUrl(fields.url, checkUrl)
  if (!url.ok) return url
  if (!isGiven(fields.type)) {
    return refuse(400, 'type is required', { message: `type is one of ${AGENT_TYPES.join(', ')}` })
  }
  const parsed = parseChanges(fields, checkUrl)
  if (!parsed.ok) return parsed
  return { ok: true, url: url.url, type: fields.type as AgentType, changes: parsed.changes }
}

/** The members of a PATCH; `url` may be repeated and not changed. */
export function parseAgentChanges(
  input: unknown,
  agent: Pick<MemberAgent, 'url'>,
  checkUrl: CheckUrl,
): ParsedChanges {
  const fields = fieldsOf(input)
  if (!fields) return NOT_AN_OBJECT
  if (fields.url !== undefined && canonicalUrl(fields.url) !== agent.url) {
    return refuse(400, 'url_immutable', {
      message:
        'the url identifies the agent and cannot be changed: register the new one and remove this one',
    })
  }
  return parseChanges(fields, checkUrl)
}

/**
 * The canonical spelling of an agent's URL: scheme and host in lower case, no default port, no trailing slash.
 * Undefined if it is not an http(s) URL, or has a query, a fragment or credentials.
 */
export function canonicalUrl(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_URL_CHARS || /[?#]/.test(value)) {
    return undefined
  }
  const url = parseUrl(value)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined
  return `${url.protocol}//${url.host}${trimEnd(url.pathname, '/')}`
}

const MAX_URL_CHARS = 2048

function parseAgentUrl(value: unknown, checkUrl: CheckUrl): { ok: true; url: string } | Refusal {
  if (!isGiven(value) || value === '') return refuse(400, 'url is required')
  if (typeof value !== 'string' || value.length > MAX_URL_CHARS || !parseUrl(value)) {
    return refuse(400, 'url must be a valid URL')
  }
  if (/[?#]/.test(value)) {
    return refuse(400, 'url must not contain query strings or fragments')
  }
  const url = canonicalUrl(value)
  if (url === undefined)
    return refuse(400, 'url must be an https URL without user name and password')
  const checked = checkUrl(url)
  return checked.ok ? { ok: true, url } : refuse(400, `url: ${checked.message}`)
}

function parseChanges(fields: Record<string, unknown>, checkUrl: CheckUrl): ParsedChanges {
  const { type, name, visibility, health_check_url } = fields
  const changes: AgentChanges = {}

  if (type !== undefined) {
    if (!isOneOf(AGENT_TYPES, type)) {
      return refuse(400, 'invalid_type', { message: `type is one of ${AGENT_TYPES.join(', ')}` })
    }
    changes.type = type
  }
  if (name !== undefined) {
    const parsed = name === null ? null : parseName(name)
    if (parsed === undefined) return refuse(400, `name must be ${NAME_RULE}, or null`)
    changes.name = parsed
  }
  if (visibility !== undefined) {
    if (!isOneOf<AgentVisibility>(AGENT_VISIBILITIES, visibility)) {
      return refuse(400, `visibility must be one of ${AGENT_VISIBILITIES.join(', ')}`)
    }
    changes.visibility = visibility
  }
  if (health_check_url !== undefined) {
    const parsed = parseHealthCheckUrl(health_check_url, checkUrl)
    if (!parsed.ok) return parsed
    changes.health_check_url = parsed.url
  }
  return { ok: true, changes }
}

function parseHealthCheckUrl(
  value: unknown,
  checkUrl: CheckUrl,
): { ok: true; url: string | null } | Refusal {
  if (value === null) return { ok: true, url: null }
  const url =
    typeof value === 'string' && value.length <= MAX_URL_CHARS ? parseUrl(value) : undefined
  if (!url || url.username || url.password) {
    return refuse(
      400,
      'health_check_url must be a valid URL without user name and password, or null',
    )
  }
  const checked = checkUrl(url.href)
  if (!checked.ok) return refuse(400, `health_check_url: ${checked.message}`)
  return { ok: true, url: url.href }
}

const NOT_AN_OBJECT = refuse(400, 'an agent is a JSON object with url and type')

function fieldsOf(input: unknown): Record<string, unknown> | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined
  return input as Record<string, unknown>
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}

function isOneOf<T extends string>(values: readonly T[], value: unknown): value is T {
  return values.includes(value as T)
}

function parseUrl(text: string): URL | undefined {
  return isUrl(text) ? new URL(text) : undefined
}
