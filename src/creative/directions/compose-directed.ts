// Composes an advertisement that follows as many directions as possible (spec 4.2). Each direction is tried on top of
// the result of the previous ones. It is kept if it is visible in what was drawn, costs no word and no readability,
// and undoes none of the others.

import { defined } from '../../lib/defined.ts'
import { type AdInput, LAYOUTS, type LayoutName } from '../layout-engine/ad-input.ts'
import { BLACK, contrast, readColour, WHITE } from '../layout-engine/colours.ts'
import { type ComposedAd, composeAd } from '../layout-engine/compose.ts'
import { familyOf } from '../layout-engine/layouts/family.ts'
import { cropOf, photoLayoutsOf } from '../layout-engine/layouts/photo-area.ts'
import { type Attempt, attemptsFor, buttonIn } from './attempts.ts'
import { detailOf } from './details.ts'
import { type Direction, OF_WORDS } from './direction.ts'
import { type DrawnState, drawnIn, groundUnder, isWorse } from './drawn.ts'
import type { Outcome } from './instruction.ts'
import { isDrawn, LEAST_STEP } from './is-drawn.ts'
import { withAttempt } from './with-attempt.ts'

export interface DirectedAd {
  ad: ComposedAd
  /** One for each direction, in their order. */
  results: readonly DirectionResult[]
}

export interface DirectionResult {
  direction: Direction
  outcome: Outcome
  /** What was done, or why it was not. */
  detail: string
}

export interface Means {
  /** What the offering costs, in human-readable form. */
  price?: string | undefined
}

/** The maximum number of advertisements composed to follow the directions of one. */
const MAX_COMPOSED = 60

export function composeDirected(
  input: AdInput,
  directions: readonly Direction[],
  means: Means = {},
): DirectedAd {
  const run: Run = { input, means, isNative: input.setting === 'native', left: MAX_COMPOSED }
  let made: Made = { state: input, ad: composeAd(input) }
  const kept: Kept[] = []
  const results = new Map<Direction, DirectionResult>()
  for (const requested of inOrder(directions)) {
    const wanted = wantedOf(resolved(requested, input), made, run)
    const tried = follow({ wanted, made, kept, run })
    results.set(requested, resultOf(requested, wanted, { tried, run }))
    if (typeof tried === 'string') continue
    kept.push(wanted)
    made = tried
  }
  return { ad: made.ad, results: directions.map((one) => results.get(one) as DirectionResult) }
}

interface Run {
  input: AdInput
  means: Means
  isNative: boolean
  /** The number of advertisements that may still be composed. */
  left: number
}

interface Made {
  /** What the advertisement was composed from. */
  state: AdInput
  ad: ComposedAd
}

/** A direction and what it is compared with. */
interface Kept {
  direction: Direction
  before: DrawnState
  buttonWords: string
}

function wantedOf(direction: Direction, { state, ad }: Made, { input: { setting } }: Run): Kept {
  const positive = direction.kind === 'not' ? direction.of : direction
  const buttonWords = positive.kind === 'button_language' ? buttonIn(positive.language, state) : ''
  return { direction, before: drawnIn(ad, setting), buttonWords }
}

/** A direction to follow, and what it is followed on top of. */
interface Following {
  wanted: Kept
  made: Made
  kept: readonly Kept[]
  run: Run
}

/** What was composed for it, or why nothing was. */
function follow(following: Following): Made | string {
  const { wanted, made, run } = following
  const { direction } = wanted
  const { state, ad } = made
  const refused = refusalOf(direction, { input: state, ad, isNative: run.isNative })
  if (refused !== undefined) return refused
  const layouts = run.isNative ? [ad.layout] : layoutsOf(state, ad)
  const start = { input: state, layouts, ground: groundUnder(ad), price: run.means.price }
  let failure: Failure = 'unseen'
  for (const attempt of attemptsFor(direction, start)) {
    const isSame = Object.keys(attempt).length === 0
    if (!isSame && run.left-- <= 0) break
    const next = isSame ? made : composed(changed(state, attempt, ad))
    const found = failureOf(next, attempt, following)
    if (found === undefined) return next
    if (found !== 'unseen') failure = found
  }
  const { width, height } = run.input
  return FAILURES[failure](`${width}x${height}`)
}

function composed(state: AdInput): Made {
  return { state, ad: composeAd(state) }
}

/** Undefined if the direction is followed at no cost. */
function failureOf(
  { ad }: Made,
  { isWithoutPhoto }: Attempt,
  { wanted, made, kept, run }: Following,
): Failure | undefined {
  const returned = drawnIn(ad, run.input.setting)
  const isMet = ({ direction, before, buttonWords }: Kept) =>
    isDrawn(direction, { returned, before }, buttonWords)
  if (!isMet(wanted)) return 'unseen'
  const isPhotoLost = ad.scene.photo === undefined && made.ad.scene.photo !== undefined
  if (isWorse(ad, made.ad) || (isPhotoLost && !isWithoutPhoto)) return 'costly'
  return kept.every(isMet) ? undefined : 'contradicted'
}

function resultOf(
  direction: Direction,
  { direction: resolved, before }: Kept,
  { tried, run }: { tried: Made | string; run: Run },
): DirectionResult {
  if (typeof tried !== 'string') {
    const detail = detailOf(resolved, drawnIn(tried.ad, run.input.setting), before)
    return { direction, outcome: 'followed', detail }
  }
  if (direction.kind === 'not_supported') {
    return { direction, outcome: 'not_supported', detail: direction.reason }
  }
  if (direction.kind === 'mention') {
    return { direction, outcome: 'not_supported', detail: 'To print words, send them in copy.' }
  }
  return { direction, outcome: 'not_possible', detail: tried }
}

type Failure = 'unseen' | 'costly' | 'contradicted'

const FAILURES: Readonly<Record<Failure, (size: string) => string>> = {
  unseen: (size) => `No layout of ${size} can show that.`,
  costly: (size) => `It would cost words or readability in ${size}.`,
  contradicted: () => 'It contradicts another instruction.',
}

/** What the words say is settled before their size, and colours before positions. */
const ORDER: readonly Direction['kind'][] = [
  ...([
    'avoid',
    'price',
    'emoji',
    'exclamation_marks',
    'text_length',
    'tone',
    'button_words',
  ] as const),
  ...([
    'button_language',
    'letter_case',
    'photo',
    'logo',
    'button',
    'greyscale',
    'background',
  ] as const),
  ...([
    'main_colour',
    'text_colour',
    'button_colour',
    'photo_place',
    'text_place',
    'logo_place',
  ] as const),
  ...(['logo_size', 'headline_size', 'text_size', 'mention', 'advertisement'] as const),
]

function inOrder(directions: readonly Direction[]): Direction[] {
  const rank = (one: Direction) => ORDER.indexOf(one.kind === 'not' ? one.of.kind : one.kind)
  return [...directions].sort((a, b) => rank(a) - rank(b))
}

/** With the name of the brand replaced by its colour. */
function resolved(direction: Direction, { brand }: AdInput): Direction {
  if (direction.kind === 'not') {
    const of = resolved(direction.of, { brand } as AdInput)
    return of.kind === 'not' || of.kind === 'not_supported' ? of : { kind: 'not', of }
  }
  if (direction.kind !== 'background' || direction.colour !== 'brand') return direction
  const colour = readColour(brand.colors?.primary)
  return colour === undefined ? direction : { ...direction, colour }
}

/** The current layout, then the others that show as much. */
function layoutsOf({ width, height, photo }: AdInput, ad: ComposedAd): LayoutName[] {
  const family = familyOf(width, height)
  const others: readonly LayoutName[] =
    ad.scene.photo && photo
      ? photoLayoutsOf(family).filter((name) => photo[cropOf(name)] !== undefined)
      : LAYOUTS.filter((name) => family !== 'strip' || name !== 'card')
  return [ad.layout, ...others.filter((name) => name !== ad.layout)]
}

function changed(state: AdInput, attempt: Attempt, ad: ComposedAd): AdInput {
  const { layout = ad.layout, isWithoutPhoto } = attempt
  const { photo, layout: _, ...others } = withAttempt(state, attempt)
  const hasPhoto = ad.scene.photo !== undefined
  // Without its photo, an advertisement can use any layout.
  const fixed = isWithoutPhoto && hasPhoto ? undefined : layout
  return {
    ...others,
    ...defined({ layout: fixed, photo: isWithoutPhoto || !hasPhoto ? undefined : photo }),
  }
}

interface Given {
  input: AdInput
  ad: ComposedAd
  isNative: boolean
}

/** Why this input makes it impossible to follow, whatever is drawn. */
function refusalOf(direction: Direction, { input, ad, isNative }: Given): string | undefined {
  if (direction.kind === 'not' || direction.kind === 'not_supported') return undefined
  const { kind } = direction
  const isAboutLogo = kind === 'logo_size' || kind === 'logo_place'
  if (isAboutLogo || (kind === 'logo' && direction.isWanted)) {
    const hasLogo = ad.parts.some(
      (part) => part.role === 'brand' && part.shapes.join('').includes('<image'),
    )
    if ((input.brand.logos ?? []).length === 0)
      return 'There is no logo: give one in logos of the brand manifest.'
    if (!hasLogo) return 'The picture of this format has no logo.'
  }
  if (isNative && NEEDS_WORDS.has(kind))
    return 'The picture of this format has no words of its own.'
  const isAboutPhoto = kind === 'photo_place' || (kind === 'photo' && direction.isWanted)
  if (isAboutPhoto && !ad.scene.photo) return 'There is no photo in it: give one as an image asset.'
  if (kind === 'background' && isExtreme(direction.colour, ad)) {
    return `The background is as ${direction.colour === 'darker' ? 'dark' : 'light'} as it can be.`
  }
  if (kind === 'background' && direction.colour === 'brand')
    return 'The brand has no colour: give colors.primary.'
  return undefined
}

/** Too close to black or white for a visible step. */
function isExtreme(shade: string, ad: ComposedAd): boolean {
  const ground = groundUnder(ad)
  if (ground === undefined || (shade !== 'darker' && shade !== 'lighter')) return false
  return contrast(ground, shade === 'darker' ? BLACK : WHITE) < LEAST_STEP
}

const NEEDS_WORDS: ReadonlySet<Direction['kind']> = new Set([
  ...(['text_colour', 'button_colour', 'headline_size', 'text_size', 'text_place'] as const),
  ...OF_WORDS,
])
