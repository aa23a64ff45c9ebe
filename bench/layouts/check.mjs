// What can be measured of a composed advertisement without taste: whether its words can be read on what is
// really behind them, are large enough, stand within the canvas and apart from each other, share an edge,
// and how much of the canvas nothing is said on. `drawGround` draws an SVG to pixels of three bytes.

/** WCAG 1.4.3. */
const LEAST_CONTRAST = 4.5
/** Pixels: smaller type is not read. */
const LEAST_SIZE = 6
/** Of the canvas without texts, button, brand and photo; more looks forgotten. */
const MOST_EMPTY = 0.93
const HAIR = 0.5
/** Pixels: a larger canvas is evaluated at this width. */
const WIDEST = 640

/** The measures, in the order of the tables. */
export const MEASURES = [
  'contrast',
  'smallest',
  'empty',
  'overlaps',
  'clipped',
  'unaligned',
  'lost',
  'undescribed',
]

export async function checkAd(ad, { toSvg, contrast, drawGround }) {
  const texts = ad.parts.flatMap((part) => part.texts)
  const bare = { ...ad.scene, parts: ad.parts.map((part) => ({ ...part, texts: [] })) }
  const drawn = { width: Math.min(ad.width, WIDEST), scale: Math.min(1, WIDEST / ad.width) }
  drawn.pixels = await drawGround(toSvg(bare), drawn.width)
  drawn.height = Math.floor(drawn.pixels.length / 3 / drawn.width)
  const inks = drawGround.isLettered ? await inkBeyond(ad, { toSvg, drawGround }) : 0
  const measures = {
    contrast: Math.min(21, ...texts.map((text) => worstUnder(text, drawn, contrast))),
    smallest: Math.min(...texts.map(({ set }) => set.size)),
    empty: emptyIn(ad),
    overlaps: overlapsIn(ad.parts),
    clipped: texts.filter(({ box }) => !isInside(box, ad)).length + inks,
    unaligned: unalignedIn(ad),
    lost: ad.shortened.filter((role) => role !== 'description').length,
    undescribed: isUndescribed(ad) ? 1 : 0,
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

/** Which measures of one judgement are at fault; a description that is not there is counted, and no fault. */
export function badMeasures({ contrast, smallest, empty, ...counts }) {
  return {
    contrast: contrast < LEAST_CONTRAST - 0.1,
    smallest: smallest < LEAST_SIZE,
    empty: empty > MOST_EMPTY,
    ...Object.fromEntries(MEASURES.slice(3).map((name) => [name, counts[name] > 0])),
  }
}

/** Of the canvas, what neither a part nor a photo takes. */
function emptyIn({ parts, scene, width, height }) {
  const area = (box) => box.width * box.height
  const said = parts.reduce((sum, { box }) => sum + area(box), 0)
  const photo = scene.photo ? area(scene.photo.box) : 0
  return 1 - Math.min(1, Math.max(said, photo) / (width * height))
}

function isUndescribed({ shortened, parts }) {
  return shortened.includes('description') && !parts.some(({ role }) => role === 'description')
}

function worstUnder({ box, fill }, { pixels, width, height, scale }, contrast) {
  const seen = new Set()
  const [left, top] = [
    Math.max(0, Math.floor(box.x * scale)),
    Math.max(0, Math.floor(box.y * scale)),
  ]
  const right = Math.min(width, (box.x + box.width) * scale)
  const bottom = Math.min(height, (box.y + box.height) * scale)
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      const at = (y * width + x) * 3
      seen.add((pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2])
    }
  const colours = [...seen].map((value) => `#${value.toString(16).padStart(6, '0')}`)
  return Math.min(21, ...colours.map((colour) => contrast(colour, fill)))
}

/** Whether letters reach over the edge: all texts drawn black on a canvas with a white rim around it. */
async function inkBeyond(ad, { toSvg, drawGround }) {
  const lettered = ad.parts.map((part) => ({
    ...part,
    shapes: [],
    texts: part.texts.map((text) => ({ ...text, fill: '#000000' })),
  }))
  const { photo: _, ...scene } = ad.scene
  const rim = 8
  const [width, height] = [ad.width + 2 * rim, ad.height + 2 * rim]
  const paper = `<rect x="-${rim}" y="-${rim}" width="${width}" height="${height}" fill="#ffffff"/>`
  const svg = toSvg({ ...scene, shapes: [paper], parts: lettered }).replace(
    /width="\d+" height="\d+" viewBox="[^"]*"/,
    `width="${width}" height="${height}" viewBox="-${rim} -${rim} ${width} ${height}"`,
  )
  const across = Math.min(width, WIDEST)
  const pixels = await drawGround(svg, across)
  const down = Math.floor(pixels.length / 3 / across)
  const edge = Math.floor(rim * (across / width)) - 1
  const isInk = (x, y) => pixels[(y * across + x) * 3] < 128
  for (let x = 0; x < across; x++)
    for (let y = 0; y < edge; y++) if (isInk(x, y) || isInk(x, down - 1 - y)) return 1
  for (let y = 0; y < down; y++)
    for (let x = 0; x < edge; x++) if (isInk(x, y) || isInk(across - 1 - x, y)) return 1
  return 0
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
