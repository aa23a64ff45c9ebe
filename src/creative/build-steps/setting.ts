// Where the pictures of a format are seen (spec 2.3): on a page, on a screen in the street, or in a unit that
// shows the words itself. Pure.

import type { Format } from '../../protocol/schemas/format.ts'
import type { Setting } from '../layout-engine/ad-input.ts'
import { slotsOf } from './slots.ts'

/** A format that must have a headline beside its picture shows it: words in the picture would be there twice. */
export function settingOf(format: Format): Setting {
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
