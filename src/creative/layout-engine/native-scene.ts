// The picture of a native unit, which shows the words itself (spec 2.3): the photo alone, or the mark of the brand in
// the middle of its colours, plus only what the unit has no place for.

import type { PhotoCrop } from './ad-input.ts'
import { arrange } from './arrange.ts'
import type { Chosen } from './choose-layout.ts'
import { placePhoto } from './layouts/beside.ts'
import { bleed } from './layouts/bleed.ts'
import { canvas } from './layouts/grounds.ts'
import { rings } from './layouts/rings.ts'
import { markOf } from './mark.ts'
import { surfaceOn } from './palette.ts'
import type { AdContent, Frame, Rect, Stage } from './scene.ts'
import { insetBox, rect, touch } from './shapes.ts'

export function nativeScene(frame: Frame): Chosen {
  const { content, design } = frame
  const crop = frame.photo?.bleed
  // Beside a photo, the unit names the brand.
  const { logo: _, ...wordless } = content
  const quiet: AdContent = { ...wordless, brandName: '', initial: '' }
  const wordy: Frame = { ...frame, content: quiet }
  if (crop?.backdrop === undefined && crop !== undefined) {
    return { layout: 'bleed', scene: arrange(bleed(wordy), wordy) }
  }
  if (crop) return { layout: 'bleed', scene: arrange(productAlone(frame, crop), wordy) }
  const stage = rings(frame)
  const mark = markOf({
    content,
    surface: stage.content.surface,
    align: 'middle',
    room: middleOf(frame),
    height: Math.min(frame.width, frame.height) * 0.3 * (design.logoScale ?? 1),
    isCentredVertically: true,
    name: 'none',
  })
  const air = Math.min(frame.width, frame.height) * 0.05
  const confetti = stage.confetti.filter(({ box }) => !(mark && touch(mark.box, box, air)))
  const scene = arrange({ ...stage, confetti }, wordy)
  const parts = mark ? [mark, ...scene.parts] : scene.parts
  return { layout: 'rings', scene: { ...scene, parts } }
}

/** In the middle of its own background, with a line below for mandatory text. */
function productAlone(frame: Frame, crop: PhotoCrop): Stage {
  const { margin, palette } = frame
  const ground = crop.backdrop ?? palette.paper
  return {
    under: [rect(canvas(frame), ground)],
    photo: placePhoto(canvas(frame), crop),
    shapes: [],
    content: { box: insetBox(canvas(frame), margin), surface: surfaceOn(ground, palette) },
    align: 'middle',
    at: 1,
    confetti: [],
  }
}

function middleOf({ width, height }: Frame): Rect {
  return { x: width * 0.15, y: height * 0.2, width: width * 0.7, height: height * 0.6 }
}
