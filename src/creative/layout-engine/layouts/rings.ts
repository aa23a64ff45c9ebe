// Layout "rings": everything on one axis, on the plain primary colour, with rings that spread from
// behind the text and small planets on them.

import { mix } from '../colours.ts'
import { neighbour, surfaceOn } from '../palette.ts'
import type { Frame, Rect, Stage } from '../scene.ts'
import { rect, ring } from '../shapes.ts'
import { away, canvas, contentBox, disc } from './grounds.ts'

export function rings(frame: Frame): Stage {
  const { width: w, height: h, palette, family, dice } = frame
  const surface = surfaceOn(palette.primary, palette)
  const isStrip = family === 'strip'
  const [x, y] = isStrip ? [w * 0.5, h * 0.5] : [w / 2, h * (family === 'wide' ? 0.5 : 0.46)]
  const reach = Math.hypot(w, h) / 2
  const gap = isStrip ? h * 0.55 : Math.min(w, h) * 0.17
  const radii = Array.from({ length: Math.ceil(reach / gap) }, (_, i) => gap * (i + 1.2))
  const vivid = [palette.secondary, palette.accent, mix(palette.primary, surface.text, 0.45)]
  const planets = radii.slice(1).flatMap((radius, i) => {
    const start = dice.roll() * Math.PI * 2
    return Array.from({ length: 4 }, (_, k) => {
      const angle = start + (k * Math.PI) / 2
      const size = Math.min(w, h) * (0.016 + 0.024 * dice.roll())
      const planet = {
        x: x + Math.cos(angle) * radius,
        y: y + Math.sin(angle) * radius,
        radius: size,
      }
      return disc(planet, vivid[(i + k) % vivid.length] as string)
    })
  })
  return {
    shapes: [
      rect(canvas(frame), palette.primary),
      ...radii.map((radius, i) =>
        ring({ x, y, radius }, neighbour(surface, away(surface), 0.1 + 0.02 * (i % 2)), gap * 0.42),
      ),
    ],
    content: { box: contentBox(frame), surface },
    align: isStrip ? 'start' : 'middle',
    at: 0.5,
    confetti: isStrip ? [] : planets.filter(({ box }) => isInside(box, frame)),
  }
}

/** A planet cut off by the edge looks like a mistake. */
function isInside(box: Rect, { width, height }: Frame): boolean {
  const rim = Math.min(width, height) * 0.02
  return (
    box.x > rim &&
    box.y > rim &&
    box.x + box.width < width - rim &&
    box.y + box.height < height - rim
  )
}
