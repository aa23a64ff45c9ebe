// Makes an advertisement from a brand and what it offers, with no network and no model (spec 4.2,
// build_creative): the words, the colours and the layout follow from the input, and the same input
// gives the same advertisement.

import { defined } from '../../lib/defined.ts'
import { languageOf, likelyLanguages } from '../message/language.ts'
import {
  type AdInput,
  type AdStyle,
  type AdTexts,
  GROUNDS,
  LAYOUTS,
  type LayoutName,
  type Logo,
} from './ad-input.ts'
import { addressToRead, hostOf } from './address-to-read.ts'
import { arrange } from './arrange.ts'
import { chooseLayout } from './choose-layout.ts'
import type { Design } from './design.ts'
import { designedPalette, greyedPhoto, greyOf } from './designed-palette.ts'
import { diceOf } from './dice.ts'
import { designedStage } from './layouts/designed-stage.ts'
import { familyOf, marginOf, unitOf } from './layouts/family.ts'
import { cropOf, photoArea } from './layouts/photo-area.ts'
import { isPhotoLayout, layoutsFor, photoLayoutsFor } from './layouts/stage.ts'
import { visiblePartOf } from './layouts/visible-photo.ts'
import { nativeScene } from './native-scene.ts'
import { type Offer, offerIn } from './offer.ts'
import type { Palette } from './palette.ts'
import {
  type AdContent,
  type Frame,
  type Part,
  ROLES,
  type Scene,
  type SceneRole,
} from './scene.ts'
import { drawable } from './shaping/drawable.ts'
import { hyphensFor, withoutSoftHyphens } from './shaping/hyphenation/hyphen-breaks.ts'
import { GRAPHEMES } from './shaping/runs.ts'
import { type Writing, writingOf } from './shaping/writing.ts'
import { SCALE_OF, styleOf } from './style.ts'
import { textsOf, toneFor } from './texts.ts'
import { toSvg } from './to-svg.ts'
import { shortenedIn } from './what-is-lost.ts'

export interface ComposedAd {
  /** In the requested size, self-contained. */
  svg: string
  texts: AdTexts
  colours: Palette
  layout: LayoutName
  /** That of all sizes; at this one its layout may not be suitable. */
  style: AdStyle
  width: number
  height: number
  /** Everything in its place. */
  scene: Scene
  /** What is visible, and where, in pixels. */
  parts: readonly Part[]
  /** Letters that no font has, by script; they are omitted from the picture. */
  missing: readonly MissingLetters[]
  /** What the texts offer, drawn apart or not. Default: nothing. */
  offer?: Offer
  /** What could not be displayed in full, for lack of room. */
  shortened: SceneRole[]
  /** The same design with other words: everything else keeps its position, and empty parts are omitted. */
  retold(change: (content: AdContent) => Partial<AdContent>): Scene
}

export interface MissingLetters {
  role: SceneRole
  letters: readonly string[]
}

export function composeAd(input: AdInput): ComposedAd {
  if (input.layout !== undefined) return composeOne(input, [])
  // Each variant has its own layout while there are others: it does not reuse those of the previous variants.
  const returned: LayoutName[] = []
  for (let variant = 0; variant < (input.variant ?? 0); variant++)
    returned.push(composeOne({ ...input, variant }, returned).layout)
  return composeOne(input, returned)
}

function composeOne(input: AdInput, returned: readonly LayoutName[]): ComposedAd {
  const { brand, offering, message, texts: given, width, height, variant = 0 } = input
  const texts = textsOf(input)
  const { content, missing } = contentOf(input, texts)
  const said = [brand.name, brand.url, offering?.name, message, input.seed ?? '']
  const name = JSON.stringify([...said, ...Object.values(given ?? {})])
  const own = diceOf(`colours of ${brand.name ?? brand.url ?? ''}`)
  const dice = diceOf(`layout of ${name}`)
  const style = styleOf(input, dice)
  const designed = { dice: own, variant: GROUNDS.indexOf(style.ground), design: input.design ?? {} }
  const palette = designedPalette(brand.colors, designed)
  const decoration = () => diceOf(`decoration of ${name}${variant === 0 ? '' : ` ${variant}`}`)
  const frameFor = () => frameOf(input, { content, palette, style, dice: decoration() })
  const draw = (layout: LayoutName) => {
    const frame = frameFor()
    const stage = designedStage(layout, frame)
    const scene = arrange(stage, frame)
    const name = isPhotoLayout(layout) ? cropOf(layout) : undefined
    const crop = name && input.photo?.[name]
    if (!crop) return { stage, scene }
    const isMirrored = content.writing.direction === 'rtl'
    const returned = visiblePartOf(stage, crop, { of: photoArea(name, frame), isMirrored })
    return { stage, scene, kept: (crop.kept ?? 1) * returned, filled: crop.filled }
  }
  const family = familyOf(width, height)
  const isPlain = LAYOUTS.some((name) => name === input.layout)
  const plain = isPlain ? [input.layout as LayoutName] : layoutsFor(family, style)
  const ofPhoto = input.photo ? photoLayoutsFor(family, input.photo, style) : []
  const isRequested = ofPhoto.some((name) => name === input.layout)
  const withPhoto = isRequested ? ofPhoto.filter((name) => name === input.layout) : ofPhoto
  const layouts = { withPhoto: fresh(withPhoto, returned), plain: fresh(plain, returned) }
  const { scene, layout } =
    input.setting === 'native' ? nativeScene(frameFor()) : chooseLayout(layouts, content, draw)
  return {
    svg: toSvg(scene),
    texts,
    colours: palette,
    layout,
    style,
    width,
    height,
    scene,
    parts: scene.parts,
    missing,
    ...defined({ offer: content.offer }),
    shortened: shortenedIn(scene.parts, content).filter((role) => !isSaidBeside(role, input)),
    retold: (change) => {
      const { offer: _, ...others } = content
      const changed = change(content)
      const reported = { ...(changed.texts ? others : content), ...changed }
      const frame = frameOf(input, { content: reported, palette, style, dice: decoration() })
      return arrange(designedStage(layout, frame), frame)
    },
  }
}

/** A native unit names the brand itself: its picture only needs the brand's mark. */
function isSaidBeside(role: SceneRole, { setting }: AdInput): boolean {
  return setting === 'native' && role === 'brand'
}

/** The ones used least often before. */
function fresh<T extends LayoutName>(layouts: readonly T[], returned: readonly LayoutName[]): T[] {
  const times = layouts.map((layout) => returned.filter((one) => one === layout).length)
  const least = Math.min(...times)
  return layouts.filter((_layout, index) => times[index] === least)
}

type Choices = Pick<Frame, 'content' | 'palette' | 'dice'> & { style: AdStyle }

function frameOf(input: AdInput, { style, ...choices }: Choices): Frame {
  const { width, height, photo } = input
  const design = scaledBy(style, input.design ?? {})
  const family = familyOf(width, height)
  return {
    width,
    height,
    family,
    design,
    margin: Math.max(marginOf(family, width, height), input.safeMargin ?? 0),
    unit: unitOf(family, width, height),
    ...choices,
    ...defined({ photo: photo && design.isGreyscale ? greyedPhoto(photo) : photo }),
  }
}

function scaledBy({ scale }: AdStyle, design: Design): Design {
  if (scale === 'even') return design
  return { ...design, headlineScale: (design.headlineScale ?? 1) * SCALE_OF[scale] }
}

function contentOf(input: AdInput, written: AdTexts) {
  const { brand, setting, design = {} } = input
  const texts = textsFor(input, written)
  const words = (brand.disclaimers ?? []).filter(({ required }) => required !== false)
  const wanted: Record<SceneRole, string> = {
    brand: design.hasNoLogo ? '' : (brand.name ?? hostOf(brand.url)),
    ...texts,
    offer: '',
    disclaimer: words.map(({ text }) => text).join(' '),
  }
  // A button says “Learn more” in an ad of any language, so English letters in it do not indicate the language.
  const isReporting = (role: SceneRole) =>
    role !== 'call_to_action' || !/^[ -~]*$/.test(wanted[role])
  const letters = writingOf(ROLES.filter(isReporting).map((role) => wanted[role]))
  const logo = design.hasNoLogo ? undefined : logoOf(input)
  const { drawn, missing } = drawableOf(wanted, letters)
  const writing = withHyphenation(letters, wanted)
  const tone = toneFor(input)
  const shown = {
    headline: setting === 'native' ? '' : drawn.headline || drawn.brand,
    description: drawn.description,
    call_to_action: drawn.call_to_action,
  }
  const content: AdContent = {
    texts: shown,
    brandName: drawn.brand,
    initial: initialOf(drawn.brand),
    ...defined({ logo, offer: offerIn(shown), isAddress: setting === 'screen' ? true : undefined }),
    disclaimer: drawn.disclaimer,
    writing,
    roundness: tone === 'premium' ? 0.12 : tone === 'urgent' ? 0.22 : 0.5,
  }
  // A logo replaces the name.
  return { content, missing: missing.filter(({ role }) => !(role === 'brand' && logo)) }
}

/** The first that can be drawn. */
function logoOf({ brand, design }: AdInput): Logo | undefined {
  const logo = brand.logos?.find(
    ({ dataUri, width, height }) => RASTER.test(dataUri) && width > 0 && height > 0,
  )
  if (!logo || !design?.isGreyscale || logo.ground === undefined) return logo
  return { ...logo, ground: greyOf(logo.ground) }
}

/** The words are a better indicator of the language, and of where they may be hyphenated, than the letters. */
function withHyphenation(letters: Writing, wanted: Readonly<Record<SceneRole, string>>): Writing {
  const { headline, description, disclaimer, brand } = wanted
  const text = withoutSoftHyphens([headline, description, disclaimer].join(' '))
  const languages = EUROPEAN.has(letters.language) ? likelyLanguages(text) : []
  const hyphens = hyphensFor({ languages, marked: Object.values(wanted), names: [brand] })
  const language = languages.length > 0 ? languageOf(text) : undefined
  return { ...letters, hyphens, language: language ?? letters.language }
}

/** What `writingOf` returns for letters shared by many languages. */
const EUROPEAN: ReadonlySet<string> = new Set(['', 'ru', 'el'])

/** The words in the picture: none if a unit displays them, and an address if there is no button. */
function textsFor({ setting, landingPage, brand, design }: AdInput, written: AdTexts): AdTexts {
  if (setting === 'native') return { headline: '', description: '', call_to_action: '' }
  if (design?.hasNoButton) return { ...written, call_to_action: '' }
  if (setting !== 'screen') return written
  return { ...written, call_to_action: addressToRead(landingPage ?? brand.url) }
}

function drawableOf(wanted: Readonly<Record<SceneRole, string>>, { language }: Writing) {
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

/** A picture embedded in the document; SVG is excluded because it may refer to other files. */
const RASTER = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*$/
