// Which of its words a scene does not display in full: this decides between two arrangements, and is reported.

import { type AdContent, type Part, ROLES, type Role } from './scene.ts'

/** What is read is held against what was to be read. */
export function shortenedIn(parts: readonly Part[], content: AdContent): Role[] {
  const wanted: Record<Role, string> = {
    brand: content.logo ? '' : content.brandName,
    ...content.texts,
    disclaimer: content.disclaimer,
  }
  const returned = (role: Role) =>
    parts.find((part) => part.role === role)?.texts.at(-1)?.set.text ?? ''
  return ROLES.filter((role) => returned(role) !== wanted[role])
}

/** Of each text that is not whole; a description may be left out where there is little room. */
const WEIGHTS: Readonly<Record<Role, number>> = {
  headline: 8,
  disclaimer: 7,
  call_to_action: 6,
  brand: 2,
  description: 0,
}

/** As much as the least of a headline, a disclaimer and a button: a picture is not worth that. */
export const DEAR_LOSS = 6

/** 0 when nothing is lost that matters. */
export function lossIn(parts: readonly Part[], content: AdContent): number {
  const lost = shortenedIn(parts, content)
  return lost.reduce((sum, role) => sum + WEIGHTS[role], 0)
}
