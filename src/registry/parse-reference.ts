// What may be registered as a manifest reference: only the fields of its kind, on a host that this server may fetch
// from (spec 2.1). Shared by the HTTP route and the bulk import.

import { normaliseDomain } from '../lib/host-name.ts'
import type { UrlCheck } from '../lib/safe-fetch/safe-fetch.ts'
import { MANIFEST_TYPES, type ManifestType } from '../protocol/manifest-reference.ts'
import type { NewReference } from './store.ts'

type ReferenceInput = Omit<NewReference, 'contributed_by_org_id'>
export type ParsedReference = { ok: true; reference: ReferenceInput } | { ok: false; error: string }

const MAX_AGENT_ID_CHARS = 200

export function parseReference(
  input: unknown,
  checkUrl: (url: string) => UrlCheck,
): ParsedReference {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return refuse('a reference is a JSON object with domain, manifest_type and reference_type')
  }
  const fields = input as Record<string, unknown>
  if (typeof fields.domain !== 'string' || fields.domain === '') {
    return refuse('domain is required: a host name such as "acme.example"')
  }
  const named = normaliseDomain(fields.domain)
  if (!named.ok) return refuse(named.reason)

  const manifestType = fields.manifest_type ?? 'brand.json'
  if (!isManifestType(manifestType)) {
    return refuse(`manifest_type must be one of ${MANIFEST_TYPES.join(', ')}`)
  }
  const base = { domain: named.domain, manifest_type: manifestType }
  if (fields.reference_type === 'url') return parseUrlReference(fields, base, checkUrl)
  if (fields.reference_type === 'agent') return parseAgentReference(fields, base, checkUrl)
  return refuse('reference_type is required: "url" or "agent"')
}

type Base = Pick<ReferenceInput, 'domain' | 'manifest_type'>

function parseUrlReference(
  fields: Record<string, unknown>,
  base: Base,
  checkUrl: (url: string) => UrlCheck,
): ParsedReference {
  if (isGiven(fields.agent_url) || isGiven(fields.agent_id)) {
    return refuse('a reference of type url has a manifest_url and neither agent_url nor agent_id')
  }
  const url = urlField('manifest_url', fields.manifest_url, checkUrl)
  if (!url.ok) return url
  return {
    ok: true,
    reference: {
      ...base,
      reference_type: 'url',
      manifest_url: url.href,
      agent_url: null,
      agent_id: null,
    },
  }
}

function parseAgentReference(
  fields: Record<string, unknown>,
  base: Base,
  checkUrl: (url: string) => UrlCheck,
): ParsedReference {
  if (isGiven(fields.manifest_url)) {
    return refuse('a reference of type agent has agent_url and agent_id and no manifest_url')
  }
  const url = urlField('agent_url', fields.agent_url, checkUrl)
  if (!url.ok) return url
  const agentId = fields.agent_id
  if (typeof agentId !== 'string' || agentId.trim() === '') {
    return refuse('agent_id is required: the id under which the agent knows this domain')
  }
  if (agentId.length > MAX_AGENT_ID_CHARS) {
    return refuse(`agent_id is too long: at most ${MAX_AGENT_ID_CHARS} characters`)
  }
  return {
    ok: true,
    reference: {
      ...base,
      reference_type: 'agent',
      manifest_url: null,
      agent_url: url.href,
      agent_id: agentId.trim(),
    },
  }
}

function urlField(
  name: string,
  value: unknown,
  checkUrl: (url: string) => UrlCheck,
): { ok: true; href: string } | { ok: false; error: string } {
  if (typeof value !== 'string' || value === '') {
    return refuse(`${name} is required: an https URL`)
  }
  const checked = checkUrl(value)
  if (!checked.ok) return refuse(`${name}: ${checked.message}`)
  return { ok: true, href: checked.url.href }
}

function isManifestType(value: unknown): value is ManifestType {
  return MANIFEST_TYPES.includes(value as ManifestType)
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}

function refuse(error: string): { ok: false; error: string } {
  return { ok: false, error }
}
