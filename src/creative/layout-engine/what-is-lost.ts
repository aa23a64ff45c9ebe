// Which words a scene does not display in full: used to choose between two arrangements, and reported.

import { type AdContent, type Part, ROLES, type SceneRole } from './scene.ts'

/** The displayed words are compared with the words to display. */
export function shortenedIn(parts: readonly Part[], content: AdContent): SceneRole[] {
  const wanted: Record<SceneRole, string> = {
    brand: content.logo ? '' : content.brandName,
    ...content.texts,
    disclaimer: content.disclaimer,
  }
  const returned = (role: SceneRole) =>
    parts.find((part) => part.role === role)?.texts.at(-1)?.set.text ?? ''
  return ROLES.filter((role) => returned(role) !== wanted[role])
}

/** For each incomplete text; a description may be omitted if there is little room. */
const WEIGHTS: Readonly<Record<SceneRole, number>> = {
  headline: 8,
  disclaimer: 7,
  call_to_action: 6,
  brand: 2,
  description: 0,
}

/** Equal to the least for a headline, a disclaimer and a button: a picture is not worth losing one of them. */
export const DEAR_LOSS = 6

/** 0 if nothing important is lost. */
export function lossIn(parts: readonly Part[], content: AdContent): number {
  const lost = shortenedIn(parts, content)
  return lost.reduce((sum, role) => sum + WEIGHTS[role], 0)
}
