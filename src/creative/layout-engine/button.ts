// The call to action, as a button, or as an address if there is nothing to press.

import { fitText, type SetText } from './fit-text.ts'
import { centreOn } from './mark.ts'
import type { Surface } from './palette.ts'
import { placeText } from './place-text.ts'
import type { AdContent, Part } from './scene.ts'
import { rect } from './shapes.ts'

export interface ButtonPreference {
  content: AdContent
  surface: Surface
  /** Maximum and minimum type size, in pixels. */
  size: number
  smallest: number
  widest: number
  tallest: number
  /** Whether it uses the full width. */
  isFull?: boolean
}

/** Positioned at 0, 0; undefined if the label does not fit. */
export function buttonOf(options: ButtonPreference): Part | undefined {
  const { content, surface, widest } = options
  const size = Math.min(options.size, options.tallest / 2)
  const label = fitText({
    text: content.texts.call_to_action,
    writing: content.writing,
    face: 'bold',
    width: widest - size * (options.isFull ? 1 : 2),
    height: Math.max(size * 1.1, Math.min(options.tallest, size * 2.6) * 0.86),
    largest: size,
    smallest: Math.min(size, options.smallest),
    lines: 1,
    leading: 1,
  })
  if (label === undefined || size < 6) return undefined
  if (content.isAddress) return addressOf(label, surface)
  const width = options.isFull ? widest : Math.min(widest, label.width + size * 2.6)
  const box = { x: 0, y: 0, width, height: Math.min(options.tallest, size * 2.6) }
  const style = { align: 'middle', fill: surface.label, ground: surface.button } as const
  return {
    role: 'call_to_action',
    box,
    shapes: [rect(box, surface.button, box.height * content.roundness)],
    texts: [placeText(label, centreOn(box, label), style)],
  }
}

/**
 * Outdoor screens cannot be pressed: the address is shown to be remembered, over a line that makes it easy to find.
 */
function addressOf(label: SetText, surface: Surface): Part {
  const line = label.size * 0.16
  const at = { x: 0, y: 0, width: label.width, height: label.height }
  const style = { align: 'start', fill: surface.text, ground: surface.ground } as const
  const rule = { x: 0, y: label.height + line, width: label.width, height: line }
  return {
    role: 'call_to_action',
    box: { ...at, height: label.height + line * 2 },
    shapes: [rect(rule, surface.button, line / 2)],
    texts: [placeText(label, at, style)],
  }
}
