// The stage of a layout as requested: mirrored, with the words on another axis or at another height. The words of a
// mirrored stage still begin at their left edge.

import { defined } from '../../../lib/defined.ts'
import type { LayoutName } from '../ad-input.ts'
import type { Confetti, Frame, PlacedPhoto, Rect, Stage } from '../scene.ts'
import { n } from '../shapes.ts'
import { stageOf } from './stage.ts'

export function designedStage(layout: LayoutName, frame: Frame): Stage {
  const { flip, align, at } = frame.design
  const stage = stageOf(layout, frame)
  const turned = flip ? flipped(stage, frame, flip) : stage
  return { ...turned, ...defined({ align, at }) }
}

function flipped(stage: Stage, { width, height }: Frame, way: 'across' | 'down'): Stage {
  const isAcross = way === 'across'
  const turn = isAcross
    ? `translate(${n(width)} 0) scale(-1 1)`
    : `translate(0 ${n(height)}) scale(1 -1)`
  const draw = (shapes: readonly string[]) =>
    shapes.length === 0 ? [] : [`<g transform="${turn}">${shapes.join('')}</g>`]
  const place = <T extends Rect>(box: T): T =>
    isAcross ? { ...box, x: width - box.x - box.width } : { ...box, y: height - box.y - box.height }
  const photoAt = (photo: PlacedPhoto) => ({ ...photo, box: place(photo.box) })
  const { photo, products, under, mark, action, hides } = stage
  return {
    ...stage,
    shapes: draw(stage.shapes),
    content: { ...stage.content, box: place(stage.content.box) },
    at: isAcross ? stage.at : 1 - stage.at,
    confetti: stage.confetti.map(
      ({ box, shape }): Confetti => ({ box: place(box), shape: draw([shape]).join('') }),
    ),
    ...defined({
      photo: photo && photoAt(photo),
      products: products?.map(photoAt),
      under: under && draw(under),
      mark: mark && { ...mark, box: place(mark.box) },
      action: action && { ...action, box: place(action.box) },
      hides:
        hides &&
        ((x: number, y: number) => (isAcross ? hides(width - x, y) : hides(x, height - y))),
    }),
  }
}
