// Renders a badge as SVG: a label and a word, in one font size. All texts come from closed lists.

import type { BadgeRole, BadgeState } from './badges.ts'

interface BadgePicture {
  protocolName: string
  role: BadgeRole
  version?: string | undefined
  state: BadgeState
}

const COLORS: Readonly<Record<BadgeState, string>> = {
  verified: '#1a7f37',
  degraded: '#9a6700',
  'not verified': '#57606a',
}
/** Of one letter, on average. */
const LETTER_WIDTH = 6.6
const PADDING = 10

export function badgeSvg({ protocolName, role, version, state }: BadgePicture): string {
  const label = [protocolName, role, version].filter((part) => part !== undefined).join(' ')
  const [left, right] = [widthOf(label), widthOf(state)]
  const width = left + right
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" viewBox="0 0 ${width} 20" role="img" ` +
    `aria-label="${label}: ${state}"><title>${label}: ${state}</title>` +
    `<rect width="${left}" height="20" fill="#24292f"/><rect x="${left}" width="${right}" height="20" fill="${COLORS[state]}"/>` +
    '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">' +
    `<text x="${left / 2}" y="14">${label}</text><text x="${left + right / 2}" y="14">${state}</text></g></svg>`
  )
}

function widthOf(text: string): number {
  return Math.round(text.length * LETTER_WIDTH) + PADDING
}
