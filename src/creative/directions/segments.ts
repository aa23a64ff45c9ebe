// Splits an instruction into clauses, each with the things, qualities and negations it mentions.

import { readColour } from '../layout-engine/colours.ts'
import type { FoundConcept } from '../message/concepts/concepts-in.ts'
import { quotedIn } from '../message/quotes.ts'
import {
  NEGATIONS,
  QUALITIES,
  type Quality,
  THINGS,
  type Thing,
  WEAK_THINGS,
} from './concept-meanings.ts'

export interface Mark {
  start: number
  end: number
}

export interface ThingMark extends Mark {
  thing: Thing
  concept: string
}

export interface QualityMark extends Mark {
  quality: Quality
}

export interface Segment extends Mark {
  text: string
  /** Names of all concepts. */
  has: ReadonlySet<string>
  concepts: readonly FoundConcept[]
  things: readonly ThingMark[]
  qualities: readonly QualityMark[]
  negations: readonly Mark[]
  /** Quoted words, without the quotation marks. */
  quoted: readonly string[]
}

const BOUNDARY = /[,;:!?\n。，、；！？：]|\.(?=\s|$)/gu
const HEX = /#[0-9a-f]{3,8}(?![0-9a-z])/giu

export function segmentsOf(concepts: readonly FoundConcept[], text: string): Segment[] {
  const quotes = quotedIn(text)
  const isQuoted = (at: number) => quotes.some(({ start, end }) => at >= start && at < end)
  const cuts = [...text.matchAll(BOUNDARY)].map(({ index }) => index).filter((at) => !isQuoted(at))
  const starts = [0, ...cuts.map((at) => at + 1)]
  return starts.flatMap((start, index) => {
    const end = cuts[index] ?? text.length
    const own = concepts.filter((one) => one.start >= start && one.end <= end)
    const words = quotes.filter((one) => one.start >= start && one.start < end)
    const segment = segmentOf(
      text,
      { start, end },
      own.filter((one) => !isQuoted(one.start)),
    )
    if (segment.text.trim() === '') return []
    return [{ ...segment, quoted: words.map((one) => one.text) }]
  })
}

function segmentOf(text: string, { start, end }: Mark, found: readonly FoundConcept[]) {
  const said = text.slice(start, end)
  const colours = [...said.matchAll(HEX)].flatMap(({ 0: hex, index }): QualityMark[] => {
    const colour = readColour(hex)
    const at = { start: start + index, end: start + index + hex.length }
    return colour === undefined ? [] : [{ ...at, quality: { of: 'colour', colour } }]
  })
  const concepts = found.filter(
    (one) => !colours.some((hex) => one.start < hex.end && hex.start < one.end),
  )
  const brand = brandColours(concepts)
  const rest = concepts.filter((one) => !brand.some(({ of }) => of.includes(one)))
  const things = rest.flatMap((one): ThingMark[] => {
    const thing = THINGS.get(one.concept)
    return thing ? [{ start: one.start, end: one.end, thing, concept: one.concept }] : []
  })
  const strong = things.filter(({ thing }) => !WEAK_THINGS.has(thing))
  const qualities = rest.flatMap((one): QualityMark[] => {
    const quality = QUALITIES.get(one.concept)
    return quality ? [{ start: one.start, end: one.end, quality }] : []
  })
  return {
    start,
    end,
    text: said,
    has: new Set(concepts.map(({ concept }) => concept)),
    concepts,
    things: strong.length > 0 ? strong : things,
    qualities: [...qualities, ...colours, ...brand].sort((a, b) => a.start - b.start),
    negations: concepts.filter(({ concept }) => NEGATIONS.has(concept)),
  }
}

interface BrandColour extends QualityMark {
  of: readonly FoundConcept[]
}

/** `brand colour`, `Farbe unserer Marke`. */
function brandColours(concepts: readonly FoundConcept[]): BrandColour[] {
  const brand = concepts.find(({ concept }) => concept === 'brand')
  const colour = concepts.find(({ concept }) => concept === 'colour')
  if (!brand || !colour) return []
  const start = Math.min(brand.start, colour.start)
  const end = Math.max(brand.end, colour.end)
  return [{ start, end, quality: { of: 'colour', colour: 'brand' }, of: [brand, colour] }]
}
