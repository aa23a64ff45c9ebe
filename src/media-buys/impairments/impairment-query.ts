// What an operator may specify when raising an impairment of a buy (spec 6.3): the same rule for the command line and
// the console.

import {
  type ImpairmentType,
  type ReasonCode,
  type ResourceType,
  TRANSITIONS,
} from '../../protocol/impairment-words.ts'
import { livePackages, type MediaBuyRecord } from '../media-buy.ts'
import type { NewImpairment } from './impairment.ts'

export interface ImpairmentQuery {
  impairment_type: ImpairmentType
  resource_type: ResourceType
  resource_id: string
  to: string
  from?: string | undefined
  reason_code: ReasonCode
  /** Default: all packages that are not canceled. */
  package_ids?: readonly string[] | undefined
  reason?: string | undefined
  remediation?: string | undefined
}

export type ImpairmentRead =
  | { ok: true; wanted: NewImpairment }
  /** `message` continues after the name of the field. */
  | { ok: false; field: keyof ImpairmentQuery; message: string }

const MAX_TEXT = 500
const MAX_ID = 255

export function readImpairment(buy: MediaBuyRecord, requested: ImpairmentQuery): ImpairmentRead {
  const { impairment_type, resource_type, resource_id, to, from, reason_code } = requested
  const { reason, remediation } = requested
  const known = TRANSITIONS[resource_type]
  if (!known.includes(to)) {
    return wrong('to', `of ${resource_type} must be ${known.join(' or ')}, not ${to}`)
  }
  if (from !== undefined && !/^[a-z][a-z0-9_]{0,63}$/.test(from)) {
    return wrong('from', 'must be a word of small letters, digits and _')
  }
  for (const field of ['reason', 'remediation'] as const) {
    if (!isWithin(requested[field], MAX_TEXT)) {
      return wrong(field, `may have 1 to ${MAX_TEXT} characters`)
    }
  }
  if (!isWithin(resource_id, MAX_ID)) {
    return wrong('resource_id', `may have 1 to ${MAX_ID} characters`)
  }
  const own = livePackages(buy).map(({ package_id }) => package_id)
  const unknown = requested.package_ids?.find((id) => !own.includes(id))
  if (unknown !== undefined) {
    return wrong('package_ids', `must be of ${own.join(', ')}, not ${unknown}`)
  }
  const package_ids = [...new Set(requested.package_ids ?? own)].sort()
  return {
    ok: true,
    wanted: {
      impairment_type,
      resource_type,
      resource_id,
      package_ids,
      transition: { from, to },
      reason_code,
      reason,
      remediation,
    },
  }
}

function wrong(field: keyof ImpairmentQuery, message: string): ImpairmentRead {
  return { ok: false, field, message }
}

/** What is left out is as good. */
function isWithin(text: string | undefined, most: number): boolean {
  return text === undefined || (text.length > 0 && text.length <= most)
}
