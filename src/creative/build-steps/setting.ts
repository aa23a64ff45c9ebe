// Where the pictures of a format are displayed (spec 2.3): on a page, on an outdoor screen, or in a unit that
// displays the words itself. Pure.

import type { Format } from '../../protocol/schemas/format.ts'
import type { AdSetting } from '../layout-engine/ad-input.ts'
import { slotsOf } from './slots.ts'

/** A format that requires a headline next to its picture displays it: words in the picture would appear twice. */
export function settingOf(format: Format): AdSetting {
  if (format.type === 'dooh') return 'screen'
  const slots = slotsOf(format)
  const hasHeadline = slots.some(
    ({ type, role, isRequired }) => isRequired && type === 'text' && role === 'headline',
  )
  return hasHeadline && slots.some(({ type }) => type === 'image') ? 'native' : 'page'
}

export function disclosesItself(format: Format): boolean {
  return slotsOf(format).some(({ type, role }) => type === 'text' && role === 'disclosure')
}
