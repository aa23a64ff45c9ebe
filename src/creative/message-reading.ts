// `ext.message_reading` of a build_creative response: each part of the message once, with its outcome in the first
// creative, and in those others where it differs.

import { defined } from '../lib/defined.ts'
import { MAX_READING_DIFFERENCES, MAX_READING_PARTS } from './limits.ts'
import type { MessagePart } from './message/account.ts'

export interface ReadCreative {
  /** How the response identifies it: by its position in it, or as a variant. */
  name: { creative: number } | { build_variant_id: string }
  reading: readonly MessagePart[]
}

type Difference = ReadCreative['name'] & Pick<MessagePart, 'outcome' | 'detail'>

export interface MessageReading {
  parts: readonly (MessagePart & { differs?: readonly Difference[] })[]
  /** What was left out of it. */
  notes: readonly string[]
}

const MAX_DETAIL = 300

/** All readings are of the same message. */
export function messageReading(creatives: readonly ReadCreative[]): MessageReading {
  const [first, ...others] = creatives
  const all = first?.reading ?? []
  let left = MAX_READING_DIFFERENCES
  let isCut = false
  const parts = all.slice(0, MAX_READING_PARTS).map((part, index) => {
    const differs = others.flatMap(({ name, reading }): Difference[] => {
      const other = reading[index]
      if (!other || (other.outcome === part.outcome && other.detail === part.detail)) return []
      if (left === 0) {
        isCut = true
        return []
      }
      left--
      return [{ ...name, ...reportOf(other) }]
    })
    const { start, end, text, role } = part
    return { start, end, text, role, ...reportOf(part), ...(differs.length > 0 && { differs }) }
  })
  return {
    parts,
    notes: [
      ...(all.length > parts.length
        ? [`message_reading has the first ${parts.length} of ${all.length} parts`]
        : []),
      ...(isCut
        ? [`message_reading has the first ${MAX_READING_DIFFERENCES} differences between creatives`]
        : []),
    ],
  }
}

function reportOf({ outcome, detail }: MessagePart): Pick<MessagePart, 'outcome' | 'detail'> {
  const isLong = detail !== undefined && detail.length > MAX_DETAIL
  return defined({ outcome, detail: isLong ? `${detail.slice(0, MAX_DETAIL)}…` : detail })
}
