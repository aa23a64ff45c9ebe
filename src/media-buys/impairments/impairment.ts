// Reasons why a media buy cannot deliver as it was bought (spec 6.3): one entry for each impaired dependency. A buy
// that has not ended is `impaired` exactly while it has an open one.

import { isDeepStrictEqual } from 'node:util'
import { defined } from '../../lib/defined.ts'
import type { ImpairmentType, ReasonCode, ResourceType } from '../../protocol/impairment-words.ts'
import type { Impairment } from '../../protocol/schemas/media-buy.ts'

/** The fields that the code raising an impairment provides. */
export interface NewImpairment {
  impairment_type: ImpairmentType
  resource_type: ResourceType
  resource_id: string
  /** Those that suffer: at least one. */
  package_ids: readonly string[]
  transition: { from?: string | undefined; to: string }
  reason_code: ReasonCode
  reason?: string | undefined
  remediation?: string | undefined
}

export interface ImpairmentRecord extends NewImpairment {
  impairment_id: string
  media_buy_id: string
  owner: string
  /** `system`: the server itself detects when it is over. */
  raised_by: 'operator' | 'system'
  observed_at: number
  cleared_at: number | undefined
}

/** As answers and webhooks show it. */
export function serializeImpairment(one: ImpairmentRecord): Impairment {
  const { impairment_id, impairment_type, resource_type, resource_id, reason_code } = one
  const { transition, reason, remediation } = one
  return {
    impairment_id,
    impairment_type,
    resource_type,
    resource_id,
    package_ids: [...one.package_ids],
    transition: { ...defined({ from: transition.from }), to: transition.to },
    reason_code,
    observed_at: new Date(one.observed_at).toISOString(),
    ...defined({ reason, remediation }),
  }
}

/** spec 6.3: the health of a buy that has not ended. */
export function healthOf(open: readonly unknown[]): 'ok' | 'impaired' {
  return open.length === 0 ? 'ok' : 'impaired'
}

/** Whether two impairments say the same about the same dependency. */
export function isSame(one: NewImpairment, other: NewImpairment): boolean {
  return isDeepStrictEqual(reported(one), reported(other))
}

function reported(one: NewImpairment): unknown[] {
  const { impairment_type, reason_code, reason, remediation, transition } = one
  const packages = [...one.package_ids].sort()
  return [impairment_type, packages, transition.to, reason_code, reason, remediation]
}

/** A key that identifies a dependency within a buy. */
export function resourceKey({ resource_type, resource_id }: NewImpairment): string {
  return `${resource_type}:${resource_id}`
}
