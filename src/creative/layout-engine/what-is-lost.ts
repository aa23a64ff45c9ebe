// Which words a scene does not display in full: used to choose between two arrangements, and reported.

import { type AdContent, type Part, ROLES, type SceneRole, saidBy } from './scene.ts'

/** The displayed words are compared with the words to display. */
export function shortenedIn(parts: readonly Part[], content: AdContent): SceneRole[] {
  const isApart = parts.some(({ role }) => role === 'offer')
  const wanted: Record<SceneRole, string> = {
    brand: content.logo ? '' : content.brandName,
    ...content.texts,
    ...(isApart && content.offer && { description: content.offer.rest }),
    offer: '',
    disclaimer: content.disclaimer,
  }
  const returned = (role: SceneRole) => saidBy(parts.find((part) => part.role === role))
  const isPartial = isApart && returned('offer') !== content.offer?.said
  const lost = ROLES.filter((role) => role !== 'offer' && returned(role) !== wanted[role])
  return isPartial && !lost.includes('description') ? [...lost, 'description'] : lost
}

/** For each incomplete text; a description may be omitted if there is little room. */
const WEIGHTS: Readonly<Record<SceneRole, number>> = {
  headline: 8,
  disclaimer: 7,
  call_to_action: 6,
  brand: 2,
  description: 0,
  offer: 0,
}

const LOST_SLOGAN = 2

/** Equal to the least for a headline, a disclaimer and a button: a picture is not worth losing one of them. */
export const DEAR_LOSS = 6

/** 0 if nothing important is lost. */
export function lossIn(parts: readonly Part[], content: AdContent): number {
  const lost = shortenedIn(parts, content)
  const has = (role: SceneRole) => parts.some((part) => part.role === role)
  // On a strip the offer ranks before the slogan.
  const isSlogan = has('offer') && !has('headline')
  const weightOf = (role: SceneRole) =>
    role === 'headline' && isSlogan ? LOST_SLOGAN : WEIGHTS[role]
  return lost.reduce((sum, role) => sum + weightOf(role), 0)
}
