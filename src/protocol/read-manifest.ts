// Derives everything from the bytes of a manifest, as plain data: its type, how complete it is, where it points, whom
// it names (spec 2.1, 3.1). It depends only on its arguments, so that it can run on any available thread.

import { type BoundedJson, parseBoundedJson } from '../lib/bounded-json.ts'
import { defineLimits } from '../lib/limit.ts'
import { checkAdagentsJson } from './adagents-json.ts'
import { checkBrandJson } from './brand-json.ts'
import type { ManifestIssue } from './manifest-issues.ts'
import type { ManifestType } from './manifest-reference.ts'
import type { ManifestCheck } from './manifest-variants.ts'
import { type AgentNaming, type AgentQuestion, namesAgent } from './names-agent.ts'
import { namesDomain } from './names-domain.ts'

export interface ManifestQuestion {
  type: ManifestType
  /** Whether the manifest names this domain. Not checked when omitted. */
  domain?: string
  /** Whether the manifest names this agent. Not checked when omitted. */
  agent?: AgentQuestion
  /** Accept http where https is required, for machines that test on loopback. */
  allowHttp: boolean
}

export type ManifestReading =
  | (Extract<ManifestCheck, { ok: true }> & { namesDomain: boolean; namesAgent: AgentNaming })
  | { ok: false; reason: string; issues: ManifestIssue[] }

/** Never throws. Time and memory grow with the number of bytes, and not with the content. */
export function readManifest(bytes: Uint8Array, question: ManifestQuestion): ManifestReading {
  const { type, domain, agent, allowHttp } = question
  const parsed = parseManifest(bytes)
  if (!parsed.ok) return { ...parsed, issues: [] }
  const document = parsed.value
  const check =
    type === 'brand.json'
      ? checkBrandJson(document, { allowHttp })
      : checkAdagentsJson(document, { allowHttp })
  if (!check.ok) {
    return { ok: false, reason: `the file is not a valid ${type}`, issues: check.issues }
  }
  return {
    ...check,
    namesDomain: domain !== undefined && namesDomain(document, domain),
    namesAgent: agent === undefined ? 'not_named' : namesAgent(document, type, agent),
  }
}

const NOT_VALID = 'the reference is `invalid`, and its history has the reason'

/** Far more than manifests contain, and small enough to be checked at once. */
export const MANIFEST_LIMITS = defineLimits({
  levels: { what: 'levels of a manifest', value: 64, unit: '', beyond: NOT_VALID },
  values: { what: 'values of a manifest', value: 50_000, unit: '', beyond: NOT_VALID },
  members: { what: 'members of one object in it', value: 10_000, unit: '', beyond: NOT_VALID },
})
const LIMITS = {
  maxDepth: MANIFEST_LIMITS.levels.value,
  maxValues: MANIFEST_LIMITS.values.value,
  maxMembers: MANIFEST_LIMITS.members.value,
}

/** The document itself, for callers that use its content. */
export function parseManifest(
  bytes: Uint8Array,
): { ok: true; value: unknown } | { ok: false; reason: string } {
  const parsed = parseBoundedJson(bytes, LIMITS)
  return parsed.ok ? parsed : { ok: false, reason: REASONS[parsed.reason] }
}

const REASONS: Record<Exclude<BoundedJson, { ok: true }>['reason'], string> = {
  not_utf8: 'the file is not JSON: it is not UTF-8',
  not_json: 'the file is not JSON',
  too_deep: `the file is nested deeper than ${LIMITS.maxDepth} levels`,
  too_many_values: `the file has more than ${LIMITS.maxValues} values`,
  too_wide: `the file has an object of more than ${LIMITS.maxMembers} members`,
}
