// Normalizes the names of members of either generation for the handlers (spec 2.4, 4.2, 4.3, 9). Pure, and runs after
// the schema: its input already has a valid structure.

import { defined } from '../../lib/defined.ts'
import { targetKey } from '../target-place.ts'
import type { ActivateSignalRequest } from './activate-signal.ts'
import type { AssetType } from './asset-shapes.ts'
import { type Asset, eachAsset } from './assets.ts'
import type { BuildCreativeRequest } from './build-creative.ts'
import type { BrandRef } from './common.ts'
import type { CreativeManifest } from './creative-manifest.ts'
import type { DeploymentTarget } from './deployment.ts'
import type { FormatId } from './format-id.ts'
import { DEFAULT_RESULTS, type DeliverTo, type GetSignalsRequest } from './get-signals.ts'
import type { BrandManifest, Offering, PromotedOfferings } from './promoted-offerings.ts'
import type { SyncedCreative } from './sync-creatives.ts'

export interface SignalTargets {
  /** Each target once; `any` when none was named, or all platforms were. */
  deployments: readonly DeploymentTarget[] | 'any'
  /** In upper case, each once; empty means everywhere. */
  countries: readonly string[]
}

/** Where signals will be used, from whichever members say so (spec 4.3). */
export function signalTargets(request: GetSignalsRequest): SignalTargets {
  const { deliver_to, destinations, deployments, countries } = request
  const places: DeliverTo[] = [
    deliver_to ?? {},
    Array.isArray(destinations) ? { deployments: destinations } : (destinations ?? {}),
    { deployments, countries },
  ]
  const targets = uniqueTargets(places.flatMap(targetsOf))
  const isAny = targets.length === 0 || places.some(({ platforms }) => platforms === 'all')
  const named = places.flatMap((place) => place.countries ?? [])
  return {
    deployments: isAny ? 'any' : targets,
    countries: [...new Set(named.map((code) => code.toUpperCase()))],
  }
}

/** The targets to activate a signal on or deactivate it from, each target once (spec 4.3). */
export function activationTargets(request: ActivateSignalRequest): readonly DeploymentTarget[] {
  const { deployments, destinations, deliver_to } = request
  const targets = deployments ?? destinations ?? deliver_to?.deployments ?? []
  return uniqueTargets(targets.map(ownMembers))
}

/** What to search for, as text; undefined for a lookup by reference or a whole list. */
export function signalSpec({ signal_spec, brief }: GetSignalsRequest): string | undefined {
  return signal_spec || brief
}

interface Paged {
  max_results?: number | undefined
  pagination?: { max_results?: number | undefined; cursor?: string | undefined } | undefined
}

/** How many results are wanted: the page's own size first. */
export function maxResults(
  { max_results, pagination }: Paged,
  byDefault = DEFAULT_RESULTS,
): number {
  return pagination?.max_results ?? max_results ?? byDefault
}

/** The formats to build, in order (spec 4.2). */
export function targetFormatIds(request: BuildCreativeRequest): readonly FormatId[] {
  const { target_format_id, target_format_ids } = request
  return target_format_ids ?? (target_format_id ? [target_format_id] : [])
}

interface FormatAndManifest {
  format_id?: FormatId | undefined
  creative_manifest?: CreativeManifest | undefined
}

/** The format of a creative: the one next to the manifest, otherwise the manifest's own. */
export function formatIdOf(creative: FormatAndManifest): FormatId | undefined {
  return creative.format_id ?? creative.creative_manifest?.format_id
}

/** A creative of sync_creatives as a manifest, whichever way it was given. */
export function manifestOf(creative: SyncedCreative): CreativeManifest {
  const format_id = formatIdOf(creative)
  return {
    ...creative.creative_manifest,
    ...defined({ format_id }),
    assets: creative.assets ?? creative.creative_manifest?.assets ?? {},
  }
}

export interface Promoted {
  /** As the caller sent it: an object, or the URL of one. */
  brand_manifest?: BrandManifest | string
  /** The brand by its domain. */
  brand?: BrandRef
  /** The values from whichever member name was used; empty if there are none. */
  offerings: readonly Offering[]
}

/** The brand and its offerings, from any member of a request that has them (spec 2.4). */
export function offeringsOf(request: BuildCreativeRequest): Promoted {
  const manifest = request.creative_manifest
  const assets = eachAsset(manifest?.assets ?? {})
  const isPromoted = ({ name, asset }: (typeof assets)[number]) =>
    name === 'promoted_offerings' || asset.asset_type === 'promoted_offerings'
  const given: PromotedOfferings[] = [
    ...assets.filter(isPromoted).map(({ asset }) => asset as PromotedOfferings),
    ...(request.promoted_offerings ? [request.promoted_offerings] : []),
    { brand_manifest: request.brand_manifest },
    ...assets
      .filter(({ asset }) => asset.asset_type === 'catalog')
      .map(({ asset }) => ({ offerings: asset.offerings as Offering[] | undefined })),
  ]
  const brandManifest = given.map((one) => one.brand_manifest).find((one) => one !== undefined)
  const brand = request.brand ?? manifest?.brand
  const offerings = given.flatMap((one) => one.inline_offerings ?? one.offerings ?? [])
  const byName = manifest?.promoted_offering
  return {
    ...defined({ brand_manifest: brandManifest, brand }),
    offerings: offerings.length === 0 && byName ? [{ name: byName }] : offerings,
  }
}

/** The type of an asset: its own, otherwise its slot's; for a video or audio tag, the tag type (spec 2.4). */
export function assetTypeOf(asset: Asset, slotType?: AssetType): AssetType | undefined {
  const type = asset.asset_type ?? slotType
  const isTag = asset.delivery_type !== undefined || asset.content !== undefined
  if (type === 'video' && (isTag || asset.vast_version !== undefined)) return 'vast'
  if (type === 'audio' && (isTag || asset.daast_version !== undefined)) return 'daast'
  return type
}

type ReadTarget = NonNullable<GetSignalsRequest['deployments']>[number]

function targetsOf({ deployments, platforms }: DeliverTo): DeploymentTarget[] {
  const older = Array.isArray(platforms) ? platforms : []
  return [
    ...(deployments ?? []).map(ownMembers),
    ...older.map(({ platform, account }) => target({ type: 'platform', platform, account })),
  ]
}

function ownMembers(read: ReadTarget): DeploymentTarget {
  const { account } = read
  return read.type === 'platform'
    ? target({ type: 'platform', platform: read.platform, account })
    : target({ type: 'agent', agent_url: read.agent_url, account })
}

function target({ account, ...place }: DeploymentTarget): DeploymentTarget {
  return account === undefined ? place : { ...place, account }
}

function uniqueTargets(targets: readonly DeploymentTarget[]): DeploymentTarget[] {
  return [...new Map(targets.map((one) => [targetKey(one), one])).values()]
}

/** A filter that accepts one word or several, as a list without repetitions. */
export function oneOrMany<T extends string>(
  ...given: readonly (T | readonly T[] | undefined)[]
): readonly T[] {
  return [...new Set(given.flat().filter((word) => word !== undefined))] as T[]
}
