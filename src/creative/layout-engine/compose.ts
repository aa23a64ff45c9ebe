// Makes an advertisement from a brand and what it offers, with no network and no model (spec 4.2,
// build_creative): the words, the colours and the layout follow from the input, and the same input
// gives the same advertisement.

import { defined } from '../../lib/defined.ts'
import { isUrl } from '../../lib/is-url.ts'
import type { AdInput, AdTexts, LayoutName } from './ad-input.ts'
import { arrange } from './arrange.ts'
import { type Dice, diceOf } from './dice.ts'
import { familyOf, marginOf, unitOf } from './layouts/family.ts'
import { layoutsFor, photoLayoutsFor, stageOf } from './layouts/stage.ts'
import { drawable } from './letters/drawable.ts'
import { hyphensFor, withoutSoftHyphens } from './letters/hyphenation/hyphen-breaks.ts'
import { languagesOfWords } from './letters/hyphenation/language-of-words.ts'
import { GRAPHEMES } from './letters/runs.ts'
import { type Writing, writingOf } from './letters/writing.ts'
import { arranged, type Palette, paletteOf } from './palette.ts'
import { type AdContent, type Part, ROLES, type Role, type Scene } from './scene.ts'
import { textsOf, toneFor } from './texts.ts'
import { toSvg } from './to-svg.ts'
import { DEAR_LOSS, lossIn, shortenedIn } from './what-is-lost.ts'

export interface ComposedAd {
  /** Of the size asked for, complete in itself. */
  svg: string
  texts: AdTexts
  colours: Palette
  layout: LayoutName
  width: number
  height: number
  /** Everything in its place. */
  scene: Scene
  /** What can be seen, and where, in pixels. */
  parts: readonly Part[]
  /** Letters that no font has, by what they are of; they are left out of the picture. */
  missing: readonly MissingLetters[]
  /** What could not be shown in full, for want of room. */
  shortened: Role[]
  /** The same design with other words: everything else stands where it stood, what is empty is left out. */
  retold(change: (content: AdContent) => Partial<AdContent>): Scene
}

export interface MissingLetters {
  role: Role
  letters: readonly string[]
}

export function composeAd(input: AdInput): ComposedAd {
  const { brand, offering, message, texts: given, width, height, variant = 0 } = input
  const texts = textsOf(input)
  const { content, missing } = contentOf(input, texts)
  const said = [brand.name, brand.url, offering?.name, message, input.seed ?? '']
  const name = JSON.stringify([...said, ...Object.values(given ?? {})])
  const own = paletteOf(brand.colors, diceOf(`colours of ${brand.name ?? brand.url ?? ''}`))
  const palette = arranged(own, variant)
  const dice = diceOf(`layout of ${name}`)
  const decoration = () => diceOf(`decoration of ${name}${variant === 0 ? '' : ` ${variant}`}`)
  const draw = (layout: LayoutName) =>
    sceneOf(input, { content, palette, layout, dice: decoration() })
  const family = familyOf(width, height)
  const plain = input.layout ? [input.layout] : turned(layoutsFor(family, dice), variant)
  const withPhoto = input.photo ? turned(photoLayoutsFor(family, input.photo, dice), variant) : []
  const { scene, layout } = roomiest(withPhoto, plain, content, draw)
  return {
    svg: toSvg(scene),
    texts,
    colours: palette,
    layout,
    width,
    height,
    scene,
    parts: scene.parts,
    missing,
    shortened: shortenedIn(scene.parts, content),
    retold: (change) => {
      const told = { ...content, ...change(content) }
      return sceneOf(input, { content: told, palette, layout, dice: decoration() })
    },
  }
}

/** The same choices, beginning with another: each variant has its own first one. */
function turned<T>(choices: readonly T[], by: number): T[] {
  const at = choices.length === 0 ? 0 : by % choices.length
  return [...choices.slice(at), ...choices.slice(0, at)]
}

/** With the photo, unless that costs words which there is room for without it. */
function roomiest(
  withPhoto: readonly LayoutName[],
  plain: readonly LayoutName[],
  content: AdContent,
  draw: (layout: LayoutName) => Scene,
) {
  if (withPhoto.length === 0) return fullest(plain, content, draw)
  const best = fullest(withPhoto, content, draw)
  if (best.loss < DEAR_LOSS) return best
  const without = fullest(plain, content, draw)
  return best.loss - without.loss < DEAR_LOSS ? best : without
}

/** The first layout that shows every word, else the one that loses least. */
function fullest(
  layouts: readonly LayoutName[],
  content: AdContent,
  draw: (layout: LayoutName) => Scene,
) {
  let best: { scene: Scene; layout: LayoutName; loss: number } | undefined
  for (const layout of layouts) {
    const scene = draw(layout)
    const loss = lossIn(scene.parts, content)
    if (best === undefined || loss < best.loss) best = { scene, layout, loss }
    if (loss === 0) break
  }
  return best as { scene: Scene; layout: LayoutName; loss: number }
}

interface Choices {
  content: AdContent
  palette: Palette
  layout: LayoutName
  dice: Dice
}

function sceneOf(input: AdInput, { content, palette, layout, dice }: Choices): Scene {
  const { width, height } = input
  const family = familyOf(width, height)
  const frame = {
    width,
    height,
    family,
    margin: Math.max(marginOf(family, width, height), input.safeMargin ?? 0),
    unit: unitOf(family, width, height),
    palette,
    dice,
    content,
    ...defined({ photo: input.photo }),
  }
  return arrange(stageOf(layout, frame), frame)
}

function contentOf({ brand, message }: AdInput, texts: AdTexts) {
  const words = (brand.disclaimers ?? []).filter(({ required }) => required !== false)
  const wanted: Record<Role, string> = {
    brand: brand.name ?? hostOf(brand.url),
    ...texts,
    disclaimer: words.map(({ text }) => text).join(' '),
  }
  // A button says “Learn more” in whatever advertisement, so its letters tell nothing when they are English.
  const isTelling = (role: Role) => role !== 'call_to_action' || !/^[ -~]*$/.test(wanted[role])
  const letters = writingOf(ROLES.filter(isTelling).map((role) => wanted[role]))
  const logo = brand.logos?.find(
    ({ dataUri, width, height }) => RASTER.test(dataUri) && width > 0 && height > 0,
  )
  const { drawn, missing } = drawableOf(wanted, letters)
  const writing = withHyphenation(letters, wanted)
  const tone = toneFor(brand, message)
  const content: AdContent = {
    texts: {
      headline: drawn.headline || drawn.brand,
      description: drawn.description,
      call_to_action: drawn.call_to_action,
    },
    brandName: drawn.brand,
    initial: initialOf(drawn.brand),
    ...(logo !== undefined && { logo }),
    disclaimer: drawn.disclaimer,
    writing,
    roundness: tone === 'premium' ? 0.12 : tone === 'urgent' ? 0.22 : 0.5,
  }
  // A logo stands in place of the name.
  return { content, missing: missing.filter(({ role }) => !(role === 'brand' && logo)) }
}

/** The words tell more of the language than the letters do, and where they may be parted. */
function withHyphenation(letters: Writing, wanted: Readonly<Record<Role, string>>): Writing {
  const { headline, description, disclaimer, brand } = wanted
  const texts = [headline, description, disclaimer]
  const isEuropean = EUROPEAN.has(letters.language)
  const languages = isEuropean ? languagesOfWords(withoutSoftHyphens(texts.join(' '))) : []
  const [language = letters.language] = languages
  const hyphens = hyphensFor({ languages, marked: Object.values(wanted), names: [brand] })
  return { ...letters, language: languages.length === 1 ? language : letters.language, hyphens }
}

/** What `writingOf` says of letters that many languages share. */
const EUROPEAN: ReadonlySet<string> = new Set(['', 'ru', 'el'])

function drawableOf(wanted: Readonly<Record<Role, string>>, { language }: Writing) {
  const drawn = { ...wanted }
  const missing: MissingLetters[] = []
  for (const role of ROLES) {
    const found = drawable(wanted[role], language)
    drawn[role] = found.text
    if (found.missing.length > 0) missing.push({ role, letters: found.missing })
  }
  return { drawn, missing }
}

/** The first letter as a reader counts them, which may be several characters. */
function initialOf(name: string): string {
  for (const { segment } of GRAPHEMES.segment(name))
    if (/[\p{L}\p{N}]/u.test(segment)) return segment.toUpperCase()
  return ''
}

/** A picture in the document itself; SVG is not among them, since it may refer to other files. */
const RASTER = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*$/

function hostOf(url: string | undefined): string {
  const host = url !== undefined && isUrl(url) ? new URL(url).hostname : ''
  return host.replace(/^www\./, '')
}
