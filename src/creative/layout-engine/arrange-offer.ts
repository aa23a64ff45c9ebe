// Headline, offer and description on a canvas that is no strip: the offer below the headline or, where there is more
// width than height, beside it. The largest type that leaves room for all of them.

import { fitSentences, fitText } from './fit-text.ts'
import { offerBlock } from './offer-block.ts'
import { moved, placeText, textPart } from './place-text.ts'
import { type Frame, type Part, type Rect, type SceneRole, type Stage, saidBy } from './scene.ts'
import { HEADLINE, type TextBlock } from './text-block.ts'

/** The figure of an offer, as a share of the unit. */
const FIGURE = { strip: 0.2, wide: 0.24, box: 0.2, tall: 0.21, column: 0.24 } as const
const LEAST_FIGURE = 0.08
/** The figure grows with the height only where there is height. */
const MOST_SHARE = { strip: 1, wide: 1.3, box: 1.6, tall: 1.6, column: 1.3 } as const
/** The share of the height that headline, offer and description leave free if the figure is larger than usual. */
const AIR = 0.04
/** The sizes of the offer to try, as shares of the usual one. */
const OFFER_SHARES = [1.6, 1.3, 1, 0.8, 0.64, 0.5] as const
/** The share of the height that an offer may take. */
const MOST_OFFERED = 0.74

/** With the offer between headline and description. Undefined if it finds no room. */
export function offeredIn(frame: Frame, room: Rect, stage: Stage): TextBlock | undefined {
  const { content, unit, family, design } = frame
  const { offer } = content
  if (!offer) return undefined
  const beside = stage.align === 'start' ? offerBeside(frame, room, stage) : undefined
  if (beside) return beside
  const { bodyScale = 1 } = design
  const words = { least: Math.max(9, unit * 0.035) * bodyScale, most: unit * 0.06 * bodyScale }
  let best: { block: TextBlock; lack: number } | undefined
  // A size that did not fit is not tried again.
  let last = Number.POSITIVE_INFINITY
  for (const share of OFFER_SHARES) {
    const largest = unit * FIGURE[family] * share
    if (share > (stage.isSnug ? 1 : MOST_SHARE[family]) || largest >= last) continue
    const figure = offerBlock(
      offer,
      { ...content, surface: stage.content.surface },
      {
        width: room.width,
        height: room.height * MOST_OFFERED,
        largest,
        smallest: Math.max(13, unit * LEAST_FIGURE),
        words,
        align: stage.align,
      },
    )
    if (!figure) break
    last = Math.max(...figure.texts.map(({ set }) => set.size))
    for (const isDescribed of offer.rest === '' ? [false] : [true, false]) {
      const block = aroundOffer(frame, { room, stage, figure, share, isDescribed })
      const lack = lackOf(block, frame, share > 1 ? room.height * (1 - AIR) : room.height)
      if (!best || lack < best.lack) best = { block, lack }
      if (lack === 0) return block
    }
  }
  return best?.block
}

/** What headline and description lack beside the offer: words, size, or room. */
function lackOf({ parts, height }: TextBlock, frame: Frame, tallest: number): number {
  const { content, unit, family } = frame
  const said = (role: SceneRole) => saidBy(parts.find((part) => part.role === role))
  const isCut = said('headline') !== content.texts.headline
  const size = parts.find(({ role }) => role === 'headline')?.texts[0]?.set.size ?? 0
  const small = Math.max(0, 1 - size / (unit * HEADLINE[family] * LEAST_TITLE))
  const isBare = said('description') !== (content.offer?.rest ?? '')
  return (isCut ? 20 : 0) + (isBare ? 4 : 0) + small * 3 + (height > tallest ? 2 : 0)
}

/** The share of its usual size that a headline keeps beside an offer. */
const LEAST_TITLE = 0.44

/** From this ratio of width to height on, the offer is beside the headline. */
const FLAT = 2.5

/** The offer at the right of the headline. Undefined if there is not enough room for both. */
function offerBeside(frame: Frame, room: Rect, stage: Stage): TextBlock | undefined {
  const { content, unit, family, design } = frame
  const { offer } = content
  if (!offer?.hero || room.width < room.height * FLAT) return undefined
  const { bodyScale = 1 } = design
  const gap = unit * 0.1
  const figure = offerBlock(
    offer,
    { ...content, surface: stage.content.surface },
    {
      width: room.width * 0.48,
      height: room.height,
      largest: unit * FIGURE[family] * 1.4,
      smallest: unit * FIGURE[family] * 0.4,
      words: { least: Math.max(10, unit * 0.04) * bodyScale, most: unit * 0.06 * bodyScale },
      align: 'start',
    },
  )
  if (!figure) return undefined
  const left = { ...room, width: room.width - figure.box.width - gap }
  const words = [true, false].map((isDescribed) =>
    aroundOffer(frame, { room: left, stage, figure: NOTHING, share: 1.3, isDescribed }),
  )
  const plain = words.find((block) => lackOf(block, frame, room.height) === 0) ?? words[1]
  if (!plain || lackOf(plain, frame, room.height) > 4) return undefined
  const height = Math.max(plain.height, figure.box.height)
  const x = room.x + room.width - figure.box.width
  const middle = (tall: number) => (height - tall) / 2
  const own = plain.parts.filter(({ role }) => role !== 'offer')
  return {
    parts: [
      ...own.map((part) => moved(part, 0, middle(plain.height))),
      moved(figure, x, middle(figure.box.height)),
    ],
    height,
  }
}

const NOTHING: Part = {
  role: 'offer',
  box: { x: 0, y: 0, width: 0, height: 0 },
  shapes: [],
  texts: [],
}

interface OfferContext {
  room: Rect
  stage: Stage
  figure: Part
  share: number
  /** Whether the rest of the description is below it. */
  isDescribed: boolean
}

/** Smaller than the offer, which is what the advertisement is about. */
const HEADLINE_BESIDE = 0.66

function aroundOffer(
  frame: Frame,
  { room, stage, figure, share, isDescribed }: OfferContext,
): TextBlock {
  const { unit, content, family, design } = frame
  const { offer, texts } = content
  const { headlineScale = 1 } = design
  const gap = unit * (share < 1 ? 0.03 : 0.04) * (figure === NOTHING ? 0.5 : 1)
  const rest = isDescribed ? (offer?.rest ?? '') : ''
  const free = room.height - figure.box.height - gap
  const { ground, text, quiet } = stage.content.surface
  const style = { align: stage.align, ground }
  const usual = unit * HEADLINE[family] * HEADLINE_BESIDE * (0.5 + share / 2)
  const title = fitText({
    text: offer?.headline ?? texts.headline,
    writing: content.writing,
    face: 'black',
    width: room.width,
    height: rest === '' ? free : free * 0.64,
    largest: Math.max(12, usual * Math.max(1, (stage.emphasis ?? 1) * 0.8)) * headlineScale,
    smallest: Math.max(10, unit * 0.045),
    lines: family === 'column' || family === 'tall' ? 5 : 3,
    leading: 1.08,
  })
  const parts: Part[] = []
  let y = 0
  if (title) {
    const placed = placeText(title, { ...room, y: 0 }, { ...style, fill: text })
    const isWhole = title.text === offer?.headline
    parts.push({ ...textPart('headline', placed), ...(isWhole && { said: texts.headline }) })
    y = title.height + gap
  }
  if (figure === NOTHING) y -= gap * 0.5
  else parts.push(moved(figure, room.x, y))
  y += figure.box.height
  const size = Math.max(10, unit * 0.039) * (design.bodyScale ?? 1)
  const body = fitSentences({
    text: rest,
    writing: content.writing,
    face: 'regular',
    width: Math.min(room.width, size * 26),
    height: room.height - y - gap * 0.7,
    largest: size,
    smallest: Math.max(9, size * 0.8),
    lines: family === 'column' || family === 'tall' ? 6 : 3,
    leading: 1.3,
  })
  if (!body) return { parts, height: y }
  const placed = placeText(body, { ...room, y: y + gap * 0.7 }, { ...style, fill: quiet })
  parts.push(textPart('description', placed))
  return { parts, height: y + gap * 0.7 + body.height }
}
