// The problems of a buy that the server itself can detect: signals of its targeting that are no longer live,
// creatives that must not run, formats that are no longer served. It only depends on the current state, so that
// whatever changed, in whatever order, leads to the same impairments.

import { activationKeyText } from '../../protocol/schemas/deployment.ts'
import type { FormatId } from '../../protocol/schemas/format-id.ts'
import { livePackages, type MediaBuyRecord } from '../media-buy.ts'
import type { NewImpairment } from './impairment.ts'
import type { AssignedCreative, CreativeKind } from './store.ts'

export interface FaultStatus {
  /** The keys of the owner's live signals. */
  liveKeys: { has(keyText: string): boolean }
  /** At least those that are faulty. */
  creatives: readonly AssignedCreative[]
  isFormatServed: (formatId: FormatId) => boolean
}

type Fault = Omit<NewImpairment, 'impairment_type' | 'package_ids'>

export function knownFaults(
  buy: Pick<MediaBuyRecord, 'packages'>,
  interim: FaultStatus,
): NewImpairment[] {
  const found = new Map<string, { fault: Fault; packages: Set<string> }>()
  const note = (fault: Fault, packageId: string) => {
    const key = `${fault.resource_type}:${fault.resource_id}`
    const known = found.get(key) ?? { fault, packages: new Set() }
    known.packages.add(packageId)
    found.set(key, known)
  }
  const wanted = livePackages(buy)
  for (const { package_id, signals } of wanted) {
    for (const { signal_agent_segment_id, activation_key } of signals) {
      if (interim.liveKeys.has(activationKeyText(activation_key))) continue
      note(signalGone(signal_agent_segment_id), package_id)
    }
  }
  const ids = new Set(wanted.map(({ package_id }) => package_id))
  for (const creative of interim.creatives) {
    if (!ids.has(creative.package_id)) continue
    const fault = faultOfCreative(creative) ?? faultOfFormat(creative, interim)
    if (fault) note(fault, creative.package_id)
  }
  return [...found.values()].map(({ fault, packages }) => ({
    ...fault,
    impairment_type: 'general',
    package_ids: [...packages].sort(),
  }))
}

/** Whether a creative of this kind impairs the packages that run it. */
export function isFaulty(
  kind: CreativeKind,
  interim: Pick<FaultStatus, 'isFormatServed'>,
): boolean {
  return faultOfStatus(kind.status) !== undefined || faultOfFormat(kind, interim) !== undefined
}

function signalGone(resource_id: string): Fault {
  return {
    resource_type: 'audience',
    resource_id,
    transition: { from: 'live', to: 'suspended' },
    reason_code: 'source_offline',
    reason: 'the activation of this signal, which the targeting names, has ended',
    remediation: 'activate the signal again, or take its key out of the targeting',
  }
}

function faultOfCreative({ creative_id, status }: AssignedCreative): Fault | undefined {
  const fault = faultOfStatus(status)
  return fault && { resource_type: 'creative', resource_id: creative_id, ...fault }
}

function faultOfStatus(status: string): Omit<Fault, 'resource_type' | 'resource_id'> | undefined {
  if (status === 'rejected') {
    return {
      transition: { from: 'approved', to: 'rejected' },
      reason_code: 'content_rejected',
      reason: 'the creative was rejected',
      remediation: 'Sync the creative again, or assign another one.',
    }
  }
  if (status !== 'suspended') return undefined
  return {
    transition: { from: 'approved', to: 'suspended' },
    reason_code: 'policy_violation',
    reason: 'the creative is suspended',
    remediation: 'assign another creative',
  }
}

function faultOfFormat(
  { format_id, status }: CreativeKind,
  { isFormatServed }: Pick<FaultStatus, 'isFormatServed'>,
): Fault | undefined {
  if (status === 'archived' || isFormatServed(format_id)) return undefined
  return {
    resource_type: 'catalog_item',
    resource_id: format_id.id,
    transition: { from: 'available', to: 'withdrawn' },
    reason_code: 'seller_removed',
    reason: 'the format of an assigned creative is no longer served',
    remediation: 'assign a creative in a format of list_creative_formats',
  }
}
