// What can be measured of a composed advertisement without taste: whether its words can be read on what is
// really behind them, are large enough, stand within the canvas and apart from each other, share an edge,
// and how much of the canvas nothing is said on. `drawGround` draws an SVG to pixels of three bytes.

/** WCAG 1.4.3. */
const LEAST_CONTRAST = 4.5
/** Pixels: smaller type is not read. */
const LEAST_SIZE = 6
/** Of the canvas without texts, button and brand; more looks forgotten. */
const MOST_EMPTY = 0.93
const HAIR = 0.5

export async function judgeAd(ad, { toSvg, contrast, drawGround }) {
  const texts = ad.parts.flatMap((part) => part.texts)
  const bare = { ...ad.scene, parts: ad.parts.map((part) => ({ ...part, texts: [] })) }
  const pixels = await drawGround(toSvg(bare), ad.width, ad.height)
  const measures = {
    contrast: Math.min(21, ...texts.map((text) => worstUnder(text, pixels, ad, contrast))),
    smallest: Math.min(...texts.map(({ set }) => set.size)),
    empty:
      1 -
      ad.parts.reduce((sum, { box }) => sum + box.width * box.height, 0) / (ad.width * ad.height),
    overlaps: overlapsIn(ad.parts),
    clipped: texts.filter(({ box }) => !isInside(box, ad)).length,
    unaligned: unalignedIn(ad),
    lost: ad.shortened.filter((role) => role !== 'description').length,
  }
  return { ...measures, faults: faultsOf(measures) }
}

function faultsOf({ contrast, smallest, empty, overlaps, clipped, unaligned, lost }) {
  return [
    contrast < LEAST_CONTRAST - 0.1 && `contrast ${contrast.toFixed(2)}`,
    smallest < LEAST_SIZE && `type of ${smallest.toFixed(1)} px`,
    empty > MOST_EMPTY && `${Math.round(empty * 100)} % empty`,
    overlaps > 0 && `${overlaps} overlaps`,
    clipped > 0 && `${clipped} texts beyond the canvas`,
    unaligned > 0 && `${unaligned} texts off the edge of the others`,
    lost > 0 && `${lost} texts shortened`,
  ].filter((fault) => fault !== false)
}

function worstUnder({ box, fill }, pixels, { width, height }, contrast) {
  const seen = new Set()
  for (let y = Math.max(0, Math.floor(box.y)); y < Math.min(height, box.y + box.height); y++)
    for (let x = Math.max(0, Math.floor(box.x)); x < Math.min(width, box.x + box.width); x++) {
      const at = (y * width + x) * 3
      seen.add((pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2])
    }
  const colours = [...seen].map((value) => `#${value.toString(16).padStart(6, '0')}`)
  return Math.min(21, ...colours.map((colour) => contrast(colour, fill)))
}

function isInside({ x, y, width, height }, canvas) {
  const isAcross = x >= -HAIR && x + width <= canvas.width + HAIR
  return isAcross && y >= -HAIR && y + height <= canvas.height + HAIR
}

function overlapsIn(parts) {
  const touches = (a, b) =>
    a.x + HAIR < b.x + b.width &&
    b.x + HAIR < a.x + a.width &&
    a.y + HAIR < b.y + b.height &&
    b.y + HAIR < a.y + a.height
  return parts.reduce(
    (sum, { box }, index) =>
      sum + parts.slice(index + 1).filter((other) => touches(box, other.box)).length,
    0,
  )
}

/** Headline and description begin at one edge, or stand on one middle. */
function unalignedIn({ parts, scene }) {
  const boxes = parts
    .filter(({ role }) => role === 'headline' || role === 'description')
    .map(({ box }) => box)
  if (boxes.length < 2) return 0
  const [first, second] = boxes
  const edge = ({ x, width }) => (scene.writing.direction === 'rtl' ? x + width : x)
  const middle = ({ x, width }) => x + width / 2
  const isAligned =
    Math.abs(edge(first) - edge(second)) < 1 || Math.abs(middle(first) - middle(second)) < 1
  return isAligned ? 0 : 1
}
