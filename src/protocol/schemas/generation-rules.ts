// What a call of each generation must carry beyond the schema (spec 4.2, 4.3, 9): a call without a version needs what
// the specification requires, a 3.x call what 3.x requires. Also the members that identify a call as 3.x.

import type { ErrorCode, Issue } from '../errors.ts'
import type { Version } from '../releases/release-table.ts'
import { hasFeature } from '../releases/releases.ts'
import { isObject } from './checks.ts'
import { isAboutFormatId } from './format-id.ts'

type Request = Readonly<Record<string, unknown>>
export type AlsoRequired = (request: Request, version: Version) => Issue[]

/** Members that only a 3.x caller sends, for each task that the specification describes. */
export const NEWER_MEMBERS = {
  list_creative_formats: [
    'pagination',
    'wcag_level',
    'disclosure_positions',
    'disclosure_persistence',
    'output_format_ids',
    'input_format_ids',
    'include_pricing',
  ],
  build_creative: [
    'target_format_ids',
    'target_capability_id',
    'target_capability_ids',
    'brand',
    'quality',
    'include_preview',
    'mode',
    'max_variants',
    'transformer_id',
    'refine_from_build_variant_id',
  ],
  preview_creative: ['quality', 'item_limit', 'variant_id', 'target_capability_id'],
  get_signals: [
    'destinations',
    'countries',
    'pagination',
    'discovery_mode',
    'signal_refs',
    'signal_ids',
    'fields',
    'if_wholesale_feed_version',
  ],
  activate_signal: ['destinations', 'action', 'pricing_option_id', 'governance_context'],
} as const satisfies Record<string, readonly string[]>

/** For every task that changes something: a 3.x call must be safe to repeat. */
export const changeRequires: AlsoRequired = (request, version) => {
  if (!hasFeature(version, 'keys_of_changes') || request.idempotency_key !== undefined) return []
  const message = 'Give idempotency_key: 16 to 255 of letters, digits and _ . : -'
  return [required('/idempotency_key', message)]
}

export const getSignalsRequires: AlsoRequired = (request, version) =>
  hasFeature(version, 'search_by_reference') ? newerSearch(request) : unversionedSearch(request)

/** spec 4.3: words, targets and countries. */
function unversionedSearch(request: Request): Issue[] {
  const { signal_spec, brief, deliver_to } = request
  const issues: Issue[] = []
  if (isLeftOut(signal_spec) && isLeftOut(brief)) {
    issues.push(
      required('/signal_spec', 'Describe the audience in signal_spec in natural language.'),
    )
  }
  if (deliver_to === undefined) {
    const message =
      'deliver_to is required: the deployments and countries where the signals will be used.'
    return [...issues, required('/deliver_to', message)]
  }
  if (!isObject(deliver_to)) return issues
  if (deliver_to.deployments === undefined && deliver_to.platforms === undefined) {
    const message = 'Give at least one deployment target: its type, and platform or agent_url.'
    issues.push(required('/deliver_to/deployments', message))
  }
  if (deliver_to.countries === undefined) {
    issues.push(required('/deliver_to/countries', 'Give ISO country codes, such as ["US"].'))
  }
  return issues
}

function isLeftOut(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && value.trim() === '')
}

const SOUGHT = ['signal_spec', 'brief', 'signal_refs', 'signal_ids'] as const

function newerSearch(request: Request): Issue[] {
  const given = SOUGHT.filter((member) => !isLeftOut(request[member]))
  const isWholesale = request.discovery_mode === 'wholesale'
  const issues: Issue[] = []
  if (!isWholesale && given.length === 0) {
    const message = 'Give signal_spec, signal_refs or signal_ids, or discovery_mode wholesale.'
    issues.push(required('/signal_spec', message))
  }
  if (isWholesale) {
    for (const member of given) {
      issues.push(forbidden(member, 'A wholesale listing is of all signals: leave this out.'))
    }
  } else if (request.if_wholesale_feed_version !== undefined) {
    issues.push(forbidden('if_wholesale_feed_version', 'This belongs to a wholesale listing.'))
  }
  if (request.if_pricing_version !== undefined && request.if_wholesale_feed_version === undefined) {
    const message = 'Give if_wholesale_feed_version beside if_pricing_version.'
    issues.push(required('/if_wholesale_feed_version', message))
  }
  return issues
}

export const activateSignalRequires: AlsoRequired = (request, version) => {
  const issues = changeRequires(request, version)
  const { deployments, destinations, deliver_to } = request
  const older = isObject(deliver_to) ? deliver_to.deployments : undefined
  if (deployments === undefined && destinations === undefined && older === undefined) {
    const isOlder = hasFeature(version, 'required_by_the_specification')
    const member = isOlder ? 'deployments' : 'destinations'
    const message = `Give ${member}: at least one target, with its type and platform or agent_url.`
    return [required(`/${member}`, message), ...issues]
  }
  const given = [
    ['deployments', deployments],
    ['destinations', destinations],
    ['deliver_to/deployments', older],
  ].filter(([, targets]) => targets !== undefined) as [string, unknown][]
  const [first, ...others] = given
  for (const [member, targets] of others) {
    if (JSON.stringify(targets) === JSON.stringify(first?.[1])) continue
    issues.push(forbidden(member, `This is another name of ${first?.[0]}: give one of them.`))
  }
  return [...issues, ...given.flatMap(([member, targets]) => contradictions(member, targets))]
}

/** The caller must choose where a signal goes: a target names a platform or an agent. */
function contradictions(member: string, targets: unknown): Issue[] {
  if (!Array.isArray(targets)) return []
  return targets.flatMap((target: unknown, index) => {
    if (!isObject(target)) return []
    const { type, platform, agent_url } = target
    if (platform === undefined || agent_url === undefined) return []
    const other = type === 'agent' ? 'platform' : 'agent_url'
    return [forbidden(`${member}/${index}/${other}`, `The type is ${type}: leave ${other} out.`)]
  })
}

/** spec 4.2: next to the manifest, which names its format too; releases leave it to the manifest. */
export const previewCreativeRequires: AlsoRequired = (request, version) => {
  const isOlder = hasFeature(version, 'required_by_the_specification')
  if (!isOlder || request.request_type !== 'single' || request.format_id !== undefined) return []
  const { creative_manifest: manifest } = request
  // If nothing names a format, the schema reports it.
  if (!isObject(manifest) || (manifest.format_id ?? manifest.format_kind) === undefined) return []
  return [required('/format_id', 'Give format_id as an object with agent_url and id.')]
}

const TARGETS = [
  'target_format_id',
  'target_format_ids',
  'target_capability_id',
  'target_capability_ids',
] as const

export const buildCreativeRequires: AlsoRequired = (request, version) => {
  const issues = changeRequires(request, version)
  const given = TARGETS.filter((member) => request[member] !== undefined)
  if (given.length === 0) {
    const message = 'Give target_format_id as an object with agent_url and id.'
    return [required('/target_format_id', message), ...issues]
  }
  const [, second] = given
  // The older pair has always been accepted: only the list counts.
  if (second === undefined || !given.some((one) => one.includes('capability'))) return issues
  return [forbidden(second, `Give one way to name the targets: ${given[0]} or this.`), ...issues]
}

/** The code for a refused creative request: an invalid format identifier has its own (spec 7.1). */
export function formatIdRefusal(issues: readonly Issue[]): ErrorCode | undefined {
  return issues.some(({ pointer }) => isAboutFormatId(pointer)) ? 'INVALID_FORMAT_ID' : undefined
}

function required(pointer: string, message: string): Issue {
  return { pointer, message, keyword: 'required' }
}

function forbidden(member: string, message: string): Issue {
  return { pointer: `/${member}`, message, keyword: 'not' }
}
