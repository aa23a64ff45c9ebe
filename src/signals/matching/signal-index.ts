// The catalogue in memory, as the search reads it: columns for the filters, words with their occurrences, and a
// vector of the distilled table for each signal. A changed signal gets a new row, and its old row is dead; a block
// without live rows is freed.

import type { CatalogueSignal, StoredSignal } from '../catalogue.ts'
import { embeddedText } from '../embedded-text.ts'
import {
  type Block,
  createBlock,
  createColumnWriter,
  createSharedValues,
  DIGEST_BYTES,
  type SharedValues,
} from './columns.ts'
import { createIdPlaces } from './id-places.ts'
import { quantise } from './quantise.ts'
import { BLOCK_ROWS, createScanner, type Scanner } from './scanner.ts'
import { stageNumber, stageOfSignal } from './signal-stage.ts'
import type { StaticTable } from './static-table.ts'
import { isStopWord } from './stop-words.ts'
import { createTerms, type Terms } from './terms.ts'
import { wordsOf } from './words.ts'

export type SignalIndex = ReturnType<typeof createSignalIndex>

export function createSignalIndex(table: StaticTable) {
  const scanner = createScanner()
  const shared = createSharedValues()
  const terms = createTerms()
  const writeRow = createRowWriter({ table, scanner, shared, terms })
  const blocks: (Block | undefined)[] = []
  const blockAt = (place: number) => blocks[Math.floor(place / BLOCK_ROWS)]!
  const places = createIdPlaces((place) => blockAt(place).ids.get(place % BLOCK_ROWS))
  let filling: number | undefined
  /** Incremented with each change: data derived from the words may be outdated. */
  let changes = 0

  function kill(id: string): boolean {
    const place = places.get(id)
    if (place === undefined) return false
    const block = blockAt(place)
    block.isLive[place % BLOCK_ROWS] = 0
    block.live--
    places.delete(id)
    changes++
    return true
  }

  /** The block that receives the next row. */
  function roomy(): number {
    if (filling !== undefined && blocks[filling]!.used < BLOCK_ROWS) return filling
    if (filling !== undefined) blocks[filling]!.postings.freeze()
    const gap = blocks.indexOf(undefined)
    filling = gap >= 0 ? gap : blocks.length
    blocks[filling] = createBlock(scanner.addBlock())
    return filling
  }

  function put(stored: StoredSignal): void {
    const id = stored.signal.signal_agent_segment_id
    kill(id)
    const number = roomy()
    const block = blocks[number]!
    const row = block.used++
    writeRow(block, row, stored)
    block.isLive[row] = 1
    block.live++
    places.set(id, number * BLOCK_ROWS + row)
    changes++
  }

  /** Frees blocks without live rows. Places that were returned before are then no longer valid. */
  function tidy(): void {
    for (const [number, block] of blocks.entries()) {
      if (!block || block.live > 0 || number === filling) continue
      scanner.freeBlock(block.vectors)
      blocks[number] = undefined
    }
  }

  return {
    put,
    remove: kill,
    tidy,
    /** The existing blocks, each with the place of its first row. */
    blocks: () => existing(blocks),
    rowOf: (place: number) => ({ block: blockAt(place), row: place % BLOCK_ROWS }),
    placeOf: (id: string) => places.get(id),
    /** Ids of a block of which more than half is dead: to be added again, so that it can be freed. */
    worn: () => wornIds(blocks, (number) => number === filling),
    /** The words of live rows, each with the number of signals it occurs in. */
    words: () => countWords(blocks, terms),
    scanner,
    shared,
    terms,
    get size() {
      return places.size
    },
    get changes() {
      return changes
    },
  }
}

interface RowPorts {
  table: StaticTable
  scanner: Scanner
  shared: SharedValues
  terms: Terms
}

/** Writes all of a signal into a row. */
function createRowWriter({ table, scanner, shared, terms }: RowPorts) {
  const writeColumns = createColumnWriter(shared)
  return (block: Block, row: number, { signal, text_digest }: StoredSignal): void => {
    block.ids.push(signal.signal_agent_segment_id)
    block.names.push(signal.name)
    block.digests.set(Buffer.from(text_digest, 'base64url'), row * DIGEST_BYTES)
    block.stage[row] = stageNumber(stageOfSignal(signal.name, signal.description))
    writeColumns(block, row, signal)
    scanner.write(block.vectors, row, quantise(table.vectorOf(embeddedText(signal))))
    for (const [term, impact] of impactsOf(signal, terms.numberOf)) {
      block.postings.add(term, row, impact)
    }
  }
}

function* existing(
  blocks: readonly (Block | undefined)[],
): Iterable<{ block: Block; first: number }> {
  for (const [number, block] of blocks.entries()) {
    if (block) yield { block, first: number * BLOCK_ROWS }
  }
}

function* wornIds(
  blocks: readonly (Block | undefined)[],
  isFilling: (number: number) => boolean,
): Iterable<string> {
  for (const [number, block] of blocks.entries()) {
    if (!block || isFilling(number) || block.live * 2 > block.used) continue
    for (let row = 0; row < block.used; row++) if (block.isLive[row]) yield block.ids.get(row)
  }
}

function* countWords(
  blocks: readonly (Block | undefined)[],
  terms: Terms,
): Iterable<readonly [word: string, count: number]> {
  const counts = new Uint32Array(terms.size)
  for (const block of blocks) {
    for (const term of block?.postings.terms() ?? []) {
      const { rows } = block!.postings.of(term)!
      for (let at = 0; at < rows.length; at++) counts[term]! += block!.isLive[rows[at]!]!
    }
  }
  for (const [term, count] of counts.entries()) if (count > 0) yield [terms.wordOf(term), count]
}

/** A word in a name counts more than one in a description; a provider's name says little about people. */
const FIELD_WEIGHTS = { name: 3, tags: 1.5, description: 1, data_provider: 0.5 } as const
const SATURATION = 1.2
const LENGTH_SHARE = 0.6
/** The length of a typical signal, by the weights above. A constant, so that a row does not depend on the others. */
const USUAL_LENGTH = 32

/** BM25 over the fields together: the weight of each word for a signal, from 0 to 255. */
function impactsOf(
  signal: CatalogueSignal,
  numberOf: (word: string) => number,
): Map<number, number> {
  const counts = new Map<number, number>()
  let length = 0
  const count = (text: string, weight: number) => {
    for (const word of wordsOf(text)) {
      if (isStopWord(word)) continue
      const term = numberOf(word)
      counts.set(term, (counts.get(term) ?? 0) + weight)
      length += weight
    }
  }
  count(signal.name, FIELD_WEIGHTS.name)
  count(signal.description, FIELD_WEIGHTS.description)
  for (const tag of signal.tags) count(tag, FIELD_WEIGHTS.tags)
  count(signal.data_provider, FIELD_WEIGHTS.data_provider)
  const norm = SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / USUAL_LENGTH)
  for (const [term, weight] of counts) {
    counts.set(term, Math.max(1, Math.round((255 * weight) / (weight + norm))))
  }
  return counts
}
