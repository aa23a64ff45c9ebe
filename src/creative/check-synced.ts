// Checks one creative of a sync and converts it to the stored form (spec 4.5): format and assets from the creative or
// its manifest, each asset with its type, and every fault with its place in the request.

import { defined } from '../lib/defined.ts'
import { isStorable } from '../lib/storable-text.ts'
import { type ErrorCode, type Issue, type TaskError, taskError } from '../protocol/errors.ts'
import type { Asset } from '../protocol/schemas/assets.ts'
import type { CreativeStatus } from '../protocol/schemas/creative-library.ts'
import type { CreativeManifest } from '../protocol/schemas/creative-manifest.ts'
import type { Format } from '../protocol/schemas/format.ts'
import type { FormatId } from '../protocol/schemas/format-id.ts'
import type { SyncedCreative } from '../protocol/schemas/sync-creatives.ts'
import type { KindFormat } from './canonical/kind-format.ts'
import { inSlotWords } from './canonical/words.ts'
import { creativeBytes } from './library-quota.ts'
import type { SavedCreative } from './library-store.ts'
import type { CheckItem } from './manifest-check/check-request.ts'
import type { ManifestFault } from './manifest-check/fault.ts'
import {
  type FindFormat,
  formatKeyOf,
  meansFormat,
  missingFormatCode,
} from './manifest-check/find-format.ts'
import { renamedNote } from './manifest-check/slot-aliases.ts'
import { withAssetTypes } from './manifest-check/with-asset-types.ts'

export type CheckedCreative =
  | { ok: true; saved: SavedCreative; warnings: string[] }
  | { ok: false; errors: TaskError[] }

/** A creative whose format is known, with what is to be checked. */
export interface RequestedCreative {
  item: CheckItem
  /** Its outcome, given the faults of its manifest. */
  check(faults: readonly ManifestFault[]): CheckedCreative
}

export interface SyncedAgainst {
  findFormat: FindFormat
  calledOn: string
  /**
   * Whether the call uses 3.x: aliases are then accepted as slot names, and creatives in other agents' formats wait
   * for a review.
   */
  isNewer?: boolean
  /** Finds the format of a creative that gives a kind. Default none is found. */
  kindFormat?: KindFormat | undefined
}

/** `pointer` is the place of the creative in the request. */
export function askSynced(
  creative: SyncedCreative,
  pointer: string,
  { findFormat, calledOn, isNewer = false, kindFormat }: SyncedAgainst,
): RequestedCreative | CheckedCreative {
  const { creative_manifest: manifest } = creative
  const kind = creative.format_id || manifest?.format_id ? undefined : kindIn(creative)
  const inManifest = `${pointer}/creative_manifest`
  const formatAt = `${creative.format_id ? pointer : inManifest}/format_id`
  const format_id =
    creative.format_id ??
    manifest?.format_id ??
    kindFormat?.({ format_kind: kind, assets: creative.assets ?? manifest?.assets })
  if (!format_id && kind !== undefined) {
    const message = `No format of the kind ${kind} fits the size, length and slots of these assets.`
    const issue = { pointer: `${pointer}/format_kind`, message, keyword: 'known_capability' }
    return refuse('FORMAT_NOT_SUPPORTED', [issue])
  }
  if (!format_id) {
    const message = 'Give format_id as an object with agent_url and id, or format_kind.'
    return refuse('INVALID_FORMAT_ID', [
      { pointer: `${pointer}/format_id`, message, keyword: 'required' },
    ])
  }
  const found = findFormat(format_id, calledOn)
  if (!found.ok && found.reason === 'foreign_agent' && isNewer) {
    return unjudged(creative, format_id)
  }
  if (!found.ok) {
    const issue = { pointer: formatAt, message: found.message, keyword: found.reason }
    return refuse(missingFormatCode(found), [issue])
  }
  const { format } = found
  const sent = creative.assets ?? manifest?.assets ?? {}
  const readsAliases = isNewer || kind !== undefined
  const { assets, renamed } = readsAliases
    ? inSlotWords(sent, format)
    : { assets: sent, renamed: [] }
  const assetsAt = creative.assets || !manifest ? pointer : inManifest
  const own = manifest?.format_id
  const isSameFormat = own === undefined || meansFormat(format, findFormat, calledOn)(own)
  return {
    item: { json: JSON.stringify({ ...withoutKind(manifest), assets }), format, isSameFormat },
    check: (faults) => {
      const issues = [...unstorable(creative, pointer), ...contradictions(creative, inManifest)]
      const missing = isNewer ? faults.filter((one) => isLandingPage(one, format)) : []
      for (const { rule, pointer: at, message } of faults) {
        if (missing.some((one) => one.pointer === at && one.rule === rule)) continue
        const base = at.startsWith('/assets') ? assetsAt : inManifest
        issues.push({ pointer: `${base}${at}`, message, keyword: rule })
      }
      if (issues.length > 0) return refuse('VALIDATION_ERROR', issues)
      const reported = [
        ...(kind === undefined ? renamed.map(renamedNote) : []),
        ...missing.map(({ pointer: at }) => `${at.slice(1)} is missing: give where a click leads`),
      ]
      return kept(creative, { format, format_id, kind, assets, reported })
    },
  }
}

/** 3.x allows that only the ad server knows the landing page, so a creative may omit it. */
function isLandingPage({ rule, pointer }: ManifestFault, format: Format): boolean {
  if (rule !== 'required') return false
  return format.assets.some(
    (slot) =>
      slot.item_type === 'individual' &&
      slot.asset_type === 'url' &&
      pointer === `/assets/${slot.asset_id}`,
  )
}

function refuse(
  code: ErrorCode,
  issues: readonly Issue[],
): Extract<CheckedCreative, { ok: false }> {
  const [first] = issues
  const others = issues.length > 1 ? ` (and ${issues.length - 1} more: see issues)` : ''
  return {
    ok: false,
    errors: [taskError(code, `${first?.pointer}: ${first?.message}${others}`, { issues })],
  }
}

/** Texts that are searched later, and that not every database can store. */
function unstorable(creative: SyncedCreative, pointer: string): Issue[] {
  const { creative_id, name, tags = [], concept_id, concept_name } = creative
  const texts: [string, unknown][] = [
    ['creative_id', creative_id],
    ['name', name],
    ['concept_id', concept_id],
    ['concept_name', concept_name],
    ...tags.map((tag, index): [string, unknown] => [`tags/${index}`, tag]),
  ]
  return texts.flatMap(([member, text]) =>
    typeof text !== 'string' || isStorable(text)
      ? []
      : [{ pointer: `${pointer}/${member}`, message: NOT_PLAIN, keyword: 'pattern' }],
  )
}

export function contentError(pointer: string, message: string, keyword: string): TaskError {
  return taskError('VALIDATION_ERROR', `${pointer}: ${message}`, {
    issues: [{ pointer, message, keyword }],
  })
}

export const NOT_PLAIN = 'This contains a NUL or an unpaired surrogate: send plain text.'

function contradictions({ assets, creative_manifest }: SyncedCreative, pointer: string): Issue[] {
  if (!assets || !creative_manifest?.assets) return []
  const message = 'Send the assets once: beside creative_id, or in creative_manifest.'
  return [{ pointer: `${pointer}/assets`, message, keyword: 'oneOf' }]
}

function kindIn({ format_kind, creative_manifest }: SyncedCreative): string | undefined {
  return format_kind ?? creative_manifest?.format_kind
}

/** The format that was found determines its kind. */
function withoutKind({ format_kind: _kind, ...manifest }: CreativeManifest = {}): CreativeManifest {
  return manifest
}

interface Resolved {
  /** The canonical kind, if the caller used one instead of a format. */
  kind: string | undefined
  format: Format
  format_id: FormatId
  assets: Readonly<Record<string, Asset | Asset[]>>
  /** What its owner should know. */
  reported: readonly string[]
}

function kept(
  creative: SyncedCreative,
  { format, format_id, kind, assets, reported }: Resolved,
): CheckedCreative {
  const { status, warnings } = statusOf(creative.status, format)
  const about = { format_id, formatKey: formatKeyOf(format), status }
  const saved = savedAs(creative, { ...about, assets: withAssetTypes(assets, format) }, kind)
  return { ok: true, saved, warnings: [...warnings, ...reported] }
}

/** Only the agent that owns the format can check it: the creative is stored, and waits for a review. */
function unjudged(creative: SyncedCreative, format_id: FormatId): CheckedCreative {
  const assets = creative.assets ?? creative.creative_manifest?.assets ?? {}
  const formatKey = `${format_id.id} of ${format_id.agent_url}`
  const saved = savedAs(creative, { format_id, formatKey, assets, status: 'pending_review' })
  const whose = `its format is of ${format_id.agent_url}`
  return { ok: true, saved, warnings: [`${whose}: it was not judged here, and waits for a review`] }
}

function savedAs(
  creative: SyncedCreative,
  about: Pick<SavedCreative, 'format_id' | 'formatKey' | 'assets' | 'status'>,
  format_kind?: string,
): SavedCreative {
  const { creative_id, name, tags = [], concept_id, concept_name } = creative
  const content = {
    ...about,
    name: name ?? creative_id,
    tags,
    ...defined({
      concept_id: typeof concept_id === 'string' ? concept_id : undefined,
      concept_name: typeof concept_name === 'string' ? concept_name : undefined,
    }),
    others: { ...othersOf(creative), ...defined({ format_kind }) },
  }
  return { creative_id, ...content, bytes: creativeBytes(content) }
}

/** There is no review, so whatever fits is approved. Its owner may only archive it, or reject a draft. */
function statusOf(
  requested: CreativeStatus | undefined,
  format: Format,
): { status: CreativeStatus; warnings: string[] } {
  if (requested === undefined || requested === 'approved')
    return { status: 'approved', warnings: [] }
  const isGenerative = format.assets.some(
    (slot) => slot.item_type === 'individual' && slot.asset_id === 'generation_prompt',
  )
  if (requested === 'archived' || (requested === 'rejected' && isGenerative)) {
    return { status: requested, warnings: [] }
  }
  return {
    status: 'approved',
    warnings: [`status ${requested} cannot be set by the owner: the creative is approved`],
  }
}

/** Members that are stored separately. */
const PLACED: ReadonlySet<string> = new Set([
  'creative_id',
  'name',
  'format_id',
  // Stored only if the caller used it instead of a format.
  'format_kind',
  'assets',
  'creative_manifest',
  'status',
  'tags',
  'concept_id',
  'concept_name',
])

function othersOf(creative: SyncedCreative): Record<string, unknown> {
  const members = { ...creative.creative_manifest, ...creative }
  return Object.fromEntries(
    Object.entries(members).filter(([name, value]) => !PLACED.has(name) && value !== undefined),
  )
}
