// Makes an advertisement from a brand and what it offers, with no network and no model (spec 4.2,
// build_creative): the words, the colours and the layout follow from the input, and the same input
// gives the same advertisement.

import { isUrl } from '../../lib/is-url.ts'
import type { AdInput, AdTexts, LayoutName } from './ad-input.ts'
import { arrange } from './arrange.ts'
import { type Dice, diceOf } from './dice.ts'
import { drawable } from './faces.ts'
import { familyOf, marginOf, unitOf } from './layouts/family.ts'
import { chooseLayout, stageOf } from './layouts/stage.ts'
import { type Palette, paletteOf } from './palette.ts'
import { type AdContent, type Part, ROLES, type Role, type Scene } from './scene.ts'
import { textsOf, toneFor } from './texts.ts'
import { toSvg } from './to-svg.ts'

export { composeHtml } from './compose-html.ts'

export interface ComposedAd {
  /** Of the size asked for, complete in itself. */
  svg: string
  texts: AdTexts
  colours: Palette
  layout: LayoutName
  width: number
  height: number
  /** What can be seen, and where, in pixels. */
  parts: readonly Part[]
  /** Letters of the texts that the typeface lacks; they are left out of the picture. */
  missing: string[]
  /** What could not be shown in full, for want of room. */
  shortened: Role[]
}

export function composeAd(input: AdInput): ComposedAd {
  const { brand, offering, message, texts: given, width, height } = input
  const texts = textsOf(input)
  const content = contentOf(input, texts)
  const said = [brand.name, brand.url, offering?.name, message, input.seed ?? '']
  const name = JSON.stringify([...said, ...Object.values(given ?? {})])
  const palette = paletteOf(brand.colors, diceOf(`colours of ${brand.name ?? brand.url ?? ''}`))
  const layout = input.layout ?? chooseLayout(familyOf(width, height), diceOf(`layout of ${name}`))
  const scene = sceneOf(input, { content, palette, layout, dice: diceOf(`decoration of ${name}`) })
  return {
    svg: toSvg(scene),
    texts,
    colours: palette,
    layout,
    width,
    height,
    parts: scene.parts,
    missing: missingIn(Object.values(texts)),
    shortened: shortenedIn(scene, content),
  }
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
    margin: marginOf(family, width, height),
    unit: unitOf(family, width, height),
    palette,
    dice,
    content,
  }
  return arrange(stageOf(layout, frame), frame)
}

function contentOf({ brand, message }: AdInput, texts: AdTexts): AdContent {
  const brandName = drawable(brand.name ?? hostOf(brand.url))
  const logo = brand.logos?.find(
    ({ dataUri, width, height }) => RASTER.test(dataUri) && width > 0 && height > 0,
  )
  const words = (brand.disclaimers ?? []).filter(({ required }) => required !== false)
  const tone = toneFor(brand, message)
  return {
    texts: {
      headline: drawable(texts.headline) || brandName,
      description: drawable(texts.description),
      call_to_action: drawable(texts.call_to_action),
    },
    brandName,
    initial: [...brandName.replace(/[^\p{L}\p{N}]/gu, '')][0]?.toUpperCase() ?? '',
    ...(logo !== undefined && { logo }),
    disclaimer: drawable(words.map(({ text }) => text).join(' ')),
    roundness: tone === 'premium' ? 0.12 : tone === 'urgent' ? 0.22 : 0.5,
  }
}

/** A picture in the document itself; SVG is not among them, since it may refer to other files. */
const RASTER = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*$/

function hostOf(url: string | undefined): string {
  const host = url !== undefined && isUrl(url) ? new URL(url).hostname : ''
  return host.replace(/^www\./, '')
}

function missingIn(texts: readonly string[]): string[] {
  const letters = [...new Set(texts.join('').normalize('NFC'))]
  return letters.filter((letter) => letter !== ' ' && drawable(letter) === '')
}

function shortenedIn({ parts }: Scene, { texts, disclaimer }: AdContent): Role[] {
  const wanted = { ...texts, disclaimer }
  const shown = (role: Role) =>
    parts
      .find((part) => part.role === role)
      ?.texts.flatMap(({ set }) => set.lines)
      .join(' ') ?? ''
  return ROLES.filter((role) => role !== 'brand' && shown(role) !== wanted[role])
}
