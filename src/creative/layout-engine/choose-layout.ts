// Chooses a layout: the first in order that suits the content, otherwise the one that suits it best. Words matter
// more than looks: lost text counts most, then a missing description, a photo whose subject the words would cover or
// the crop would cut, and a canvas that remains half empty.

import type { LayoutName } from './ad-input.ts'
import { LEAST_DESCRIBED } from './layouts/beside.ts'
import type { AdContent, Scene, Stage } from './scene.ts'
import { DEAR_LOSS, lossIn, shortenedIn } from './what-is-lost.ts'

interface Drawing {
  scene: Scene
  stage: Stage
  /** The share of the photo's content that is left in it, 0 to 1. Default 1. */
  kept?: number | undefined
  /** The share of its area that a completely visible product fills, 0 to 1. Default 1. */
  filled?: number | undefined
}

export interface Chosen {
  scene: Scene
  layout: LayoutName
}

interface Tried extends Chosen {
  loss: number
  misfit: number
}

/** The layouts to choose from, each in order of preference. */
interface Layouts {
  withPhoto: readonly LayoutName[]
  plain: readonly LayoutName[]
}

/** With the photo, unless that loses words that would fit without it. */
export function chooseLayout(
  { withPhoto, plain }: Layouts,
  content: AdContent,
  draw: (layout: LayoutName) => Drawing,
): Chosen {
  if (withPhoto.length === 0) return bestOf(plain, { content, draw })
  // Several products are displayed together if no required word is lost.
  if (withPhoto[0] === 'grid') {
    const grid = bestOf(['grid'], { content, draw })
    if (grid.loss < DEAR_LOSS) return grid
  }
  // The crops differ more than the layouts do, so all of them are considered.
  const best = bestOf(withPhoto, { content, draw, most: withPhoto.length })
  if (best.loss < DEAR_LOSS) return best
  const without = bestOf(plain, { content, draw })
  return best.loss - without.loss < DEAR_LOSS ? best : without
}

const MOST_TRIED = 3
/** For another layout than that of the other sizes: hardly anything but words is worth it. */
const STRANGE = 2.5

interface TryOptions {
  content: AdContent
  draw: (layout: LayoutName) => Drawing
  /** Layouts to try once every word fits. Default 3: a better look is not worth setting them all. */
  most?: number
}

function bestOf(
  layouts: readonly LayoutName[],
  { content, draw, most = MOST_TRIED }: TryOptions,
): Tried {
  let best: Tried | undefined
  for (const [index, layout] of layouts.entries()) {
    if (best?.loss === 0 && index >= most) break
    const drawing = draw(layout)
    const loss = lossIn(drawing.scene.parts, content)
    const own = misfitOf(drawing, content)
    const misfit = loss * 100 + own + (index > 0 ? STRANGE : 0)
    if (best === undefined || misfit < best.misfit) {
      best = { scene: drawing.scene, layout, loss, misfit }
    }
    if (loss === 0 && own === 0) break
  }
  return best as Tried
}

/**
 * The share of the photo's content that may lie under the words, and the share from which another layout is better.
 */
const MOST_COVERED = 0.3
const SOME_COVERED = 0.12
/** The minimum that a crop keeps of it. */
const LEAST_KEPT = 0.74
/** The minimum share of its area that a product fills: a bottle in a flat box is lost. */
const LEAST_SHOWN = 0.2
/** The minimum share of a layout's text area that the words fill. */
const LEAST_FILLED = 0.24
/** For an offer that is set as a sentence, because it finds no room apart. */
const HIDDEN_OFFER = 6

function misfitOf({ scene, stage, kept = 1, filled = 1 }: Drawing, content: AdContent): number {
  const { parts, width, height } = scene
  const isFlat = height < LEAST_DESCRIBED
  const isCut = !isFlat && shortenedIn(parts, content).includes('description')
  const hasNone = isCut && !parts.some(({ role }) => role === 'description')
  const { covers = 0 } = stage
  const covered = covers > MOST_COVERED ? 8 : covers > SOME_COVERED ? 3.5 : 0
  const hollow = filledOf(scene, stage) < LEAST_FILLED && width / height < 4.6 ? 3 : 0
  const cropped = kept < LEAST_KEPT ? 1.5 + (LEAST_KEPT - kept) * 20 : 0
  const lost = filled < LEAST_SHOWN ? 4 : 0
  const isApart = parts.some(({ role }) => role === 'offer')
  const hidden = content.offer && !isApart ? HIDDEN_OFFER : 0
  const cut = hasNone && !isApart ? 12 : isCut ? 5 : 0
  return cut + covered + cropped + hollow + lost + hidden
}

/** The share of the stage's text area that words, button and brand take. */
function filledOf({ parts }: Scene, { content: { box } }: Stage): number {
  const area = box.width * box.height
  if (area === 0) return 1
  return parts.reduce((sum, part) => sum + part.box.width * part.box.height, 0) / area
}
