// The directions of one instruction (spec 4.2), read from the concepts it mentions and not from the words of one
// language. What is not understood is reported: inventing a direction is worse than not following one.

import { avoidedIn } from '../message/avoid.ts'
import type { FoundConcept } from '../message/concepts/concepts-in.ts'
import {
  ADVERTISEMENTS,
  FORMATS,
  MAKING,
  type Quality,
  type Thing,
  TONES,
  VARIANTS,
  WANTING,
} from './concept-meanings.ts'
import type { AdPosition, Direction, Positive } from './direction.ts'
import {
  type Mark,
  type QualityMark,
  type Segment,
  segmentsOf,
  type ThingMark,
} from './segments.ts'
import { unreadParts } from './unread-parts.ts'

/** In text order; one `not_supported` for each part that cannot be followed. */
export function readDirections(concepts: readonly FoundConcept[], text: string): Direction[] {
  const found: Direction[] = []
  let last: ThingMark | undefined
  for (const segment of segmentsOf(concepts, text)) {
    found.push(...directionsIn(segment, last))
    last = segment.things.at(-1) ?? last
  }
  return withoutRepeats(found)
}

/** The maximum number of requests read from one instruction. */
const MAX_DIRECTIONS = 8

function withoutRepeats(directions: readonly Direction[]): Direction[] {
  const seen = new Map(directions.map((one) => [JSON.stringify(one), one]))
  // `Bigger, but not too big`: the second part limits the first.
  return [...seen.values()]
    .filter((one) => one.kind !== 'not' || !seen.has(JSON.stringify(one.of)))
    .filter((one) => !isImplied(one, directions))
    .slice(0, MAX_DIRECTIONS)
}

/** Saying where the logo goes implies that there is a logo. */
function isImplied(direction: Direction, all: readonly Direction[]): boolean {
  const isWanting = 'isWanted' in direction && direction.isWanted
  return isWanting && all.some(({ kind }) => kind.startsWith(`${direction.kind}_`))
}

function directionsIn(segment: Segment, before: ThingMark | undefined): Direction[] {
  const outside = outsideOf(segment)
  if (outside) return [unsupported(outside)]
  const quoted = quotedDirection(segment, before)
  if (quoted) return [quoted]
  const pairs = pairsIn(segment, before)
  const about = new Set(pairs.map(({ thing }) => thing))
  const found = [
    ...pairs.flatMap((pair) => ofPair(pair, segment)),
    ...segment.things.filter((thing) => !about.has(thing)).flatMap((one) => ofThing(one, segment)),
    ...toneIn(segment),
  ]
  if (segment.has.has('black-and-white')) {
    found.push(negatedIf(segment.negations.length > 0, { kind: 'greyscale' }))
  }
  if (found.length > 0) return [...found, ...restOf(segment)]
  return otherwise(segment)
}

/** `Bigger logo and zigzags`: a part that is not understood is not followed. */
function restOf({ text, start, concepts, quoted }: Segment): Direction[] {
  if (quoted.length > 0) return []
  const known = concepts.map((one) => ({
    concept: one.concept,
    start: one.start - start,
    end: one.end - start,
  }))
  return unreadParts(text, known).map((part) => unsupported(undefined, part))
}

/** What belongs to another member of the request, or needs a model. */
function outsideOf({ has, things, text, qualities }: Segment): string | undefined {
  if (has.has('translate') || has.has('translation')) return TRANSLATION
  const isAboutButton = things.some(({ thing }) => thing === 'button')
  const hasLanguage = qualities.some(({ quality }) => quality.of === 'language')
  if ((hasLanguage || has.has('language')) && !isAboutButton) return TRANSLATION
  if (/\d{2,4} ?[x×] ?\d{2,4}/u.test(text)) return SIZES
  if (things.length > 0) return undefined
  const isNamed = (names: ReadonlySet<string>) => [...names].some((name) => has.has(name))
  if (isNamed(VARIANTS)) return VERSIONS
  return isNamed(FORMATS) ? SIZES : undefined
}

const TRANSLATION =
  'Nothing is translated without a language model: send the words in that language, in copy.'
const VERSIONS = 'Use max_variants for several versions.'
const SIZES = 'Use target_format_id or target_format_ids for sizes and formats.'

/** Quoted words: text of the button, or words to avoid. */
function quotedDirection(segment: Segment, before: ThingMark | undefined): Direction | undefined {
  const { quoted, things, negations, text } = segment
  const [words] = quoted
  if (words === undefined) return undefined
  if (negations.length > 0) return { kind: 'avoid', text }
  const about = things.length > 0 ? things : before ? [before] : []
  if (about.some(({ thing }) => thing === 'button')) return { kind: 'button_words', words }
  return { kind: 'mention', words }
}

interface Pair {
  thing: ThingMark | undefined
  quality: QualityMark
  isNegated: boolean
}

/** Each quality with the thing it applies to. */
function pairsIn(segment: Segment, before: ThingMark | undefined): Pair[] {
  const { things, qualities } = segment
  const instead = segment.concepts.find(({ concept }) => concept === 'instead')
  const said = qualities.filter(({ start }) => !instead || start < instead.start)
  const pairs = (said.length > 0 ? said : qualities).map((quality): Pair => {
    const thing = thingOf(quality, things) ?? (things.length === 0 ? before : undefined)
    return { thing, quality, isNegated: isNegated(quality, thing, segment) }
  })
  return [...pairs, ...shared(pairs, things)]
}

/** A position applies to the thing before it, anything else to the nearest one. */
function thingOf({ start, end, quality }: QualityMark, things: readonly ThingMark[]) {
  const earlier = things.filter((thing) => thing.end <= start)
  if (quality.of === 'place' && earlier.length > 0) return earlier.at(-1)
  const far = (thing: Mark) => (thing.end <= start ? start - thing.end : thing.start - end)
  return [...things].sort((a, b) => far(a) - far(b) || b.start - a.start)[0]
}

/** `Logo and headline bigger`: a quality of the second also applies to the first. */
function shared(pairs: readonly Pair[], things: readonly ThingMark[]): Pair[] {
  const has = (thing: ThingMark) => pairs.some((pair) => pair.thing === thing)
  return things.flatMap((thing, index) => {
    const next = things[index + 1]
    if (!next || has(thing) || thing.thing === 'other') return []
    const between = pairs.some(
      ({ quality }) => quality.start >= thing.end && quality.end <= next.start,
    )
    return between
      ? []
      : pairs.filter((pair) => pair.thing === next).map((one) => ({ ...one, thing }))
  })
}

/** A negation applies to the next thing, otherwise to the last one before it. */
function isNegated(
  quality: Mark,
  thing: Mark | undefined,
  { negations, things }: Segment,
): boolean {
  return negations.some((negation) => {
    if (quality.end <= negation.start) return false
    const target = things.find(({ start }) => start >= negation.end) ?? things.at(-1)
    return thing === undefined || target === undefined || target === thing
  })
}

function ofPair({ thing, quality, isNegated: isNot }: Pair, segment: Segment): Direction[] {
  const turned = turnedQuality(quality, segment)
  const direction = positiveOf(turned, thing?.thing, segment)
  if (direction === undefined) return [unsupported(undefined, segment.text)]
  const { text } = segment
  // `Not so big`: less than it is.
  const negation = segment.negations.findLast(({ end }) => end <= quality.start)
  const between = negation
    ? text.slice(negation.end - segment.start, quality.start - segment.start)
    : ''
  const isLess = isNot && AS_MUCH.test(between.trim())
  if (isLess) return [opposite(direction)]
  return [negatedIf(isNot, direction)]
}

const AS_MUCH =
  /^(?:so|that|as|quite|si|aussi|tan|tanto|tão|così|så|zo|tak|так\p{L}{0,6}|这么|那么|這麼|那麼|そんなに|그렇게)$/iu

/** `Too big` and `less big` mean smaller. */
function turnedQuality({ quality, start }: QualityMark, { concepts, negations }: Segment): Quality {
  const before = concepts.findLast(({ end }) => end <= start)
  const isTurned = before?.concept === 'too' ? negations.length === 0 : before?.concept === 'less'
  if (!isTurned) return quality
  if (quality.of === 'size')
    return { of: 'size', change: quality.change === 'larger' ? 'smaller' : 'larger' }
  if (quality.of === 'shade')
    return { of: 'shade', shade: quality.shade === 'darker' ? 'lighter' : 'darker' }
  return quality
}

function opposite(direction: Positive): Direction {
  if ('change' in direction)
    return { ...direction, change: direction.change === 'larger' ? 'smaller' : 'larger' }
  if (direction.kind === 'background' && direction.colour === 'darker')
    return { ...direction, colour: 'lighter' }
  if (direction.kind === 'background' && direction.colour === 'lighter')
    return { ...direction, colour: 'darker' }
  return { kind: 'not', of: direction }
}

/** Undefined for a quality that does not apply to this thing. */
function positiveOf(
  quality: Quality,
  thing: Thing | undefined,
  segment: Segment,
): Positive | undefined {
  switch (quality.of) {
    case 'size':
      return sizeOf(thing, quality.change)
    case 'shade':
      return thing === undefined || thing === 'background' || thing === 'colour'
        ? { kind: 'background', colour: quality.shade }
        : undefined
    case 'colour':
      return colourOf(thing, quality.colour, segment)
    case 'place':
      return placeOf(thing, quality.place)
    case 'letters':
      return thing === 'other' || thing === 'logo'
        ? undefined
        : { kind: 'letter_case', letters: quality.letters }
    case 'language':
      return thing === 'button'
        ? { kind: 'button_language', language: quality.language }
        : undefined
    case 'length':
      return thing === 'headline' || thing === 'other' || thing === 'button'
        ? undefined
        : { kind: 'text_length', length: 'shorter' }
  }
}

function sizeOf(thing: Thing | undefined, change: 'larger' | 'smaller'): Positive | undefined {
  if (thing === 'logo') return { kind: 'logo_size', change }
  if (thing === 'headline') return { kind: 'headline_size', change }
  return thing === 'text' || thing === 'body' ? { kind: 'text_size', change } : undefined
}

function placeOf(thing: Thing | undefined, place: AdPosition): Positive | undefined {
  if (thing === 'logo') return { kind: 'logo_place', place }
  if (thing === 'photo') return { kind: 'photo_place', place }
  return thing === 'text' || thing === 'headline' ? { kind: 'text_place', place } : undefined
}

function colourOf(
  thing: Thing | undefined,
  colour: string,
  segment: Segment,
): Positive | undefined {
  if (thing === 'background') return { kind: 'background', colour }
  // Only a background can be reset to the brand's own colour.
  if (colour === 'brand') return undefined
  if (thing === 'text' || thing === 'headline') return { kind: 'text_colour', colour }
  if (thing === 'button') return { kind: 'button_colour', colour }
  const isMain =
    thing === 'colour' || thing === 'everything' || (thing === undefined && isBare(segment))
  return isMain ? { kind: 'main_colour', colour } : undefined
}

/** Nothing else is mentioned that could have this colour. */
function isBare({ text, start, concepts }: Segment): boolean {
  const letters = [...text]
  let rest = letters.join('')
  for (const one of [...concepts].reverse())
    rest = `${rest.slice(0, one.start - start)} ${rest.slice(one.end - start)}`
  return !/[\p{L}\p{N}]{4}/u.test(rest) && !concepts.some(({ concept }) => OBJECTS.has(concept))
}

const OBJECTS = new Set(
  'car shoes house food coffee beauty hotel software restaurant ticket gift event course children people customer'.split(
    ' ',
  ),
)

function negatedIf(isNot: boolean, direction: Positive): Direction {
  if (!isNot) return direction
  if (direction.kind === 'letter_case') return { kind: 'letter_case', letters: 'no_capitals' }
  return { kind: 'not', of: direction }
}

/** A thing that is only requested or excluded, with no quality. */
function ofThing(mark: ThingMark, segment: Segment): Direction[] {
  const { has, negations, things, text } = segment
  const { thing } = mark
  const isOut = negations.some((negation) => {
    const target = things.find(({ start }) => start >= negation.end) ?? things.at(-1)
    return target === mark
  })
  if (thing === 'headline' && has.has('only') && !isOut) {
    return [{ kind: 'text_length', length: 'headline_only' }]
  }
  const isLess = has.has('less') || (has.has('too') && negations.length === 0)
  if (thing === 'text' && isLess) return [{ kind: 'text_length', length: 'shorter' }]
  if (isOut && (thing === 'emoji' || thing === 'exclamation_marks')) return [{ kind: thing }]
  if (isOut && thing === 'body') return [{ kind: 'text_length', length: 'headline_only' }]
  if (thing === 'logo' || thing === 'photo' || thing === 'button' || thing === 'price') {
    if (isOut) return [{ kind: thing, isWanted: false }]
    const isPlain = segment.qualities.length === 0
    const isRequested = [...WANTING].some((concept) => has.has(concept))
    const isWanted = isPlain && (isRequested || isAlone(segment))
    return isWanted ? [{ kind: thing, isWanted: true }] : []
  }
  return thing === 'other' ? [unsupported(undefined, text)] : []
}

/** `With price`, `logo`: no quality is mentioned. */
function isAlone({ things, text }: Segment): boolean {
  return things.length === 1 && text.trim().split(/\s+/u).length <= 3
}

function toneIn({ concepts, negations, things }: Segment): Direction[] {
  if (things.some(({ thing }) => thing !== 'text')) return []
  return concepts.flatMap(({ concept }) => {
    const tone = TONES.get(concept)
    return tone ? [negatedIf(negations.length > 0, { kind: 'tone', tone })] : []
  })
}

/** A clause that names no thing of an advertisement. */
function otherwise(segment: Segment): Direction[] {
  const { has, negations, text, concepts, things } = segment
  const isOfDesign = concepts.some(({ concept }) => DESIGN.has(concept))
  if (negations.length > 0 && things.length === 0 && !isOfDesign) {
    const { topics, terms, digits } = avoidedIn([text])
    const isClear = topics.size > 0 || terms.length > 0 || digits.length > 0
    if (isClear) return [{ kind: 'avoid', text: text.trim() }]
  }
  const isMade = [...ADVERTISEMENTS].some((concept) => has.has(concept))
  if (isMade && ([...MAKING].some((concept) => has.has(concept)) || concepts.length <= 2)) {
    return [{ kind: 'advertisement' }]
  }
  const mention = concepts.find(({ concept }) => concept === 'mention' || concept === 'write')
  const words = mention ? text.slice(mention.end - segment.start).trim() : ''
  if (words !== '' && negations.length === 0) return [{ kind: 'mention', words }]
  return /\p{L}/u.test(text) && !isPolite(segment) ? [unsupported(undefined, text)] : []
}

/** Not words that an advertisement could say. */
const DESIGN = new Set('corner side style mood brand guidelines design look feel tone'.split(' '))

/** Thanks and greetings request nothing. */
function isPolite({ concepts, text }: Segment): boolean {
  const isAll = concepts.length > 0 && concepts.every(({ concept }) => POLITE.has(concept))
  return isAll && text.trim().split(/\s+/u).length <= concepts.length + 2
}

const POLITE = new Set('please thanks hello regards sorry perfect by-the-way asap team'.split(' '))

function unsupported(reason: string | undefined, text = ''): Direction {
  return { kind: 'not_supported', reason: reason ?? `Cannot be followed here: “${text.trim()}”.` }
}
