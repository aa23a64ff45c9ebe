// Mirrors a scene for right-to-left languages: what was on the left is on the right. Texts, logos and photos are
// moved but not changed.

import { defined } from '../../lib/defined.ts'
import type { Part, Rect, Scene } from './scene.ts'
import { n } from './shapes.ts'

export function mirrored(scene: Scene): Scene {
  const flip = (shapes: readonly string[]) =>
    shapes.length === 0
      ? []
      : [`<g transform="translate(${n(scene.width)} 0) scale(-1 1)">${shapes.join('')}</g>`]
  const across = (box: Rect): Rect => ({ ...box, x: scene.width - box.x - box.width })
  const part = ({ box, shapes, texts, ...others }: Part): Part => {
    const isPicture = (shape: string) => shape.startsWith('<image')
    const move = n(across(box).x - box.x)
    const pictures = shapes
      .filter(isPicture)
      .map((picture) => `<g transform="translate(${move} 0)">${picture}</g>`)
    return {
      ...others,
      box: across(box),
      shapes: [...flip(shapes.filter((shape) => !isPicture(shape))), ...pictures],
      texts: texts.map((text) => ({ ...text, box: across(text.box) })),
    }
  }
  const photo = scene.photo && { ...scene.photo, box: across(scene.photo.box) }
  const products = scene.products?.map((one) => ({ ...one, box: across(one.box) }))
  return {
    ...scene,
    ...defined({ photo, products, under: scene.under && flip(scene.under) }),
    shapes: flip(scene.shapes),
    parts: scene.parts.map(part),
  }
}
