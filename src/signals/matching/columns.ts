// The searchable attributes of a signal apart from its words, in columns of numbers: a block of rows, and the values
// that many rows share, each stored once. There is no object for each signal, so a million fit.

import { defined } from '../../lib/defined.ts'
import { placeKey } from '../../protocol/target-place.ts'
import type { CatalogueSignal } from '../catalogue.ts'
import { createPostings, type Postings } from './postings.ts'
import { BLOCK_ROWS } from './scanner.ts'

/** The part of the catalogue that is stored and read together. */
export interface Block {
  /** The position of its vectors in the scanner. */
  vectors: number
  /** Rows in use, and how many of them still represent a signal. */
  used: number
  live: number
  isLive: Uint8Array
  stage: Uint8Array
  type: Uint32Array
  provider: Uint32Array
  countries: Uint32Array
  places: Uint32Array
  visibility: Uint32Array
  ownPrices: Uint32Array
  coverage: Float64Array
  /** NaN if no option is of this kind. */
  cpm: Float64Array
  /** The currency of that price. Other currencies of a signal are rare, and are stored separately by row. */
  cpmCurrency: Uint32Array
  moreCpms: Map<number, readonly Cpm[]>
  leastPercent: Float64Array
  /** Whether any option is of a kind other than a share of media. */
  hasOther: Uint8Array
  digests: Uint8Array
  ids: TextColumn
  names: TextColumn
  postings: Postings
}

export const DIGEST_BYTES = 32

/** The lowest CPM in one currency; the currency is an index into the shared values. */
interface Cpm {
  currency: number
  cpm: number
}

export function createBlock(vectors: number): Block {
  const numbers = () => new Uint32Array(BLOCK_ROWS)
  return {
    vectors,
    used: 0,
    live: 0,
    isLive: new Uint8Array(BLOCK_ROWS),
    stage: new Uint8Array(BLOCK_ROWS),
    type: numbers(),
    provider: numbers(),
    countries: numbers(),
    places: numbers(),
    visibility: numbers(),
    ownPrices: numbers(),
    coverage: new Float64Array(BLOCK_ROWS),
    cpm: new Float64Array(BLOCK_ROWS),
    cpmCurrency: numbers(),
    moreCpms: new Map(),
    leastPercent: new Float64Array(BLOCK_ROWS),
    hasOther: new Uint8Array(BLOCK_ROWS),
    digests: new Uint8Array(BLOCK_ROWS * DIGEST_BYTES),
    ids: createTextColumn(),
    names: createTextColumn(),
    postings: createPostings(),
  }
}

/** Values that rows share, by number. */
interface Shared<Value> {
  numberOf(value: Value): number
  readonly values: readonly Value[]
}

function createShared<Value>(keyOf: (value: Value) => string): Shared<Value> {
  const values: Value[] = []
  const numbers = new Map<string, number>()
  return {
    values,
    numberOf: (value) => {
      const key = keyOf(value)
      let number = numbers.get(key)
      if (number === undefined) {
        number = values.push(value) - 1
        numbers.set(key, number)
      }
      return number
    },
  }
}

export interface SharedValues {
  types: Shared<string>
  /** In lower case. */
  providers: Shared<string>
  countries: Shared<readonly string[]>
  places: Shared<readonly Place[]>
  visibilities: Shared<readonly string[] | undefined>
  ownPrices: Shared<CatalogueSignal['custom_pricing']>
  currencies: Shared<string>
}

export interface Place {
  type: 'platform' | 'agent'
  /** The platform's name, or the normalized URL of the agent. */
  name: string
  account?: string | undefined
}

export function createSharedValues(): SharedValues {
  const json = (value: unknown) => JSON.stringify(value) ?? ''
  return {
    types: createShared((type: string) => type),
    providers: createShared((name: string) => name),
    countries: createShared<readonly string[]>(json),
    places: createShared<readonly Place[]>(json),
    visibilities: createShared<readonly string[] | undefined>(json),
    ownPrices: createShared<CatalogueSignal['custom_pricing']>(json),
    currencies: createShared((code: string) => code),
  }
}

/** Writes the attributes of a signal that filters need into a row. A closure, since it is called for each signal. */
export function createColumnWriter(
  shared: SharedValues,
): (block: Block, row: number, signal: CatalogueSignal) => void {
  return (block, row, signal) => {
    const { pricing_options: options } = signal
    block.type[row] = shared.types.numberOf(signal.signal_type)
    block.provider[row] = shared.providers.numberOf(signal.data_provider.toLowerCase())
    block.countries[row] = shared.countries.numberOf([...signal.countries].sort())
    block.places[row] = shared.places.numberOf(signal.deployments.map(placeOf))
    block.visibility[row] = shared.visibilities.numberOf(signal.visibility?.principals)
    block.ownPrices[row] = shared.ownPrices.numberOf(signal.custom_pricing)
    block.coverage[row] = signal.coverage_percentage
    writeCpms(block, row, leastCpms(signal, shared))
    block.leastPercent[row] = leastOf(
      options.flatMap((option) => (option.model === 'percent_of_media' ? [option.percent] : [])),
    )
    block.hasOther[row] = options.some(({ model }) => model !== 'percent_of_media') ? 1 : 0
  }
}

/** The lowest CPM in each currency. */
function leastCpms({ pricing_options }: CatalogueSignal, { currencies }: SharedValues): Cpm[] {
  const least = new Map<number, number>()
  for (const option of pricing_options) {
    if (option.model !== 'cpm') continue
    const currency = currencies.numberOf(option.currency)
    least.set(currency, Math.min(option.cpm, least.get(currency) ?? Number.POSITIVE_INFINITY))
  }
  return [...least].map(([currency, cpm]) => ({ currency, cpm }))
}

function writeCpms(block: Block, row: number, [first, ...more]: readonly Cpm[]): void {
  block.cpm[row] = first?.cpm ?? Number.NaN
  block.cpmCurrency[row] = first?.currency ?? 0
  if (more.length > 0) block.moreCpms.set(row, more)
}

function placeOf(deployment: CatalogueSignal['deployments'][number]): Place {
  const { type, account } = deployment
  return { type, name: placeKey(deployment), ...defined({ account }) }
}

function leastOf(prices: readonly number[]): number {
  return prices.length === 0 ? Number.NaN : Math.min(...prices)
}

/** Texts of rows, concatenated as bytes. */
interface TextColumn {
  push(text: string): void
  get(row: number): string
  bytes(row: number): Buffer
}

function createTextColumn(): TextColumn {
  const starts = new Uint32Array(BLOCK_ROWS + 1)
  let held = Buffer.alloc(4_096)
  let count = 0
  const bytes = (row: number) => held.subarray(starts[row]!, starts[row + 1]!)
  return {
    bytes,
    get: (row) => bytes(row).toString('utf8'),
    push: (text) => {
      const from = starts[count]!
      const to = from + Buffer.byteLength(text)
      if (to > held.length) {
        const larger = Buffer.alloc(Math.max(to, Math.ceil(held.length * 1.5)))
        held.copy(larger, 0, 0, from)
        held = larger
      }
      held.write(text, from, 'utf8')
      starts[++count] = to
    },
  }
}
