// Sets the content on a stage: from top to bottom, or in a row on a strip. What does not fit is omitted, least
// important first: disclaimer, description, button, brand.

import { defined } from '../../lib/defined.ts'
import { arrangeParts } from './arrange-parts.ts'
import { mirrored } from './mirror.ts'
import type { Frame, Part, Rect, Scene, SceneRole, Stage } from './scene.ts'
import { touch } from './shapes.ts'

export function arrange(stage: Stage, frame: Frame): Scene {
  const parts = arrangeParts(stage, frame)
  const scene: Scene = {
    width: frame.width,
    height: frame.height,
    writing: frame.content.writing,
    ...defined({
      isGreyscale: frame.design.isGreyscale,
      photo: stage.photo,
      products: stage.products,
      under: stage.under,
    }),
    shapes: [...stage.shapes, ...confettiBetween(stage, parts, frame)],
    parts,
  }
  return scene.writing.direction === 'rtl' ? mirrored(scene) : scene
}

/** What touches no part, and not the block that the texts and the button form together. */
function confettiBetween(stage: Stage, parts: readonly Part[], { unit }: Frame): string[] {
  const taken = parts.map((part) => part.box)
  const block = parts.filter(({ role }) => BLOCK.has(role)).map((part) => part.box)
  if (stage.action === undefined && block.length > 0) taken.push(around(block))
  return stage.confetti
    .filter(({ box }) => !taken.some((other) => touch(other, box, unit * 0.045)))
    .map(({ shape }) => shape)
}

const BLOCK: ReadonlySet<SceneRole> = new Set([
  'headline',
  'offer',
  'description',
  'call_to_action',
])

function around(boxes: readonly Rect[]): Rect {
  const x = Math.min(...boxes.map((box) => box.x))
  const y = Math.min(...boxes.map((box) => box.y))
  return {
    x,
    y,
    width: Math.max(...boxes.map((box) => box.x + box.width)) - x,
    height: Math.max(...boxes.map((box) => box.y + box.height)) - y,
  }
}
