// Text search for products: those whose name, description and keywords share the most significant words with the
// brief come first. The text is tokenized and stemmed as in the signal search; its index is in memory and follows
// the catalogue.

import { createPacer } from '../lib/pacer.ts'
import type { CatalogueProduct } from '../protocol/schemas/product.ts'
import { asksForAll } from './asks-for-all.ts'
import type { ProductStore } from './product-store.ts'

/** A significant word: the stem used for searching, and its spelling in the text. */
interface ReadWord {
  stem: string
  written: string
}

/** The significant words of a text, in order, as the signal search parses it. */
export type ReadWords = (text: string) => readonly ReadWord[]

export interface FoundProduct {
  product: CatalogueProduct
  /** 0 when nothing was sought. */
  score: number
  /** Words of the brief that match, spelled as in the brief. */
  matched: readonly string[]
}

export interface ProductSearch {
  /**
   * The best matches first, equal ones by id; all by id without a text, or with one that requests everything.
   * Products that share no word with it are omitted.
   */
  find(words: string | undefined): Promise<readonly FoundProduct[]>
}

/** A search that also reports how many products it reads. */
export interface CountedProductSearch extends ProductSearch {
  count(): Promise<number>
}

interface Entry {
  product: CatalogueProduct
  /** How much each stem counts in it. */
  weights: ReadonlyMap<string, number>
}

interface Index {
  seq: number
  entries: readonly Entry[]
  /** Places in `entries` by stem. */
  postings: ReadonlyMap<string, readonly number[]>
}

const PAGE = 500
/** Maximum number of stems of a brief that are looked up; more do not improve the result. */
const MAX_STEMS = 200

export function createProductSearch(
  products: Pick<ProductStore, 'page' | 'latest'>,
  readWords: ReadWords,
): CountedProductSearch {
  let current: Index | undefined
  let building: Promise<Index> | undefined

  async function index(): Promise<Index> {
    const seq = await products.latest()
    if (current?.seq === seq) return current
    // Concurrent callers share the work.
    building ??= build(products, readWords, seq).finally(() => {
      building = undefined
    })
    current = await building
    return current
  }

  return {
    // For an estimate the index of the previous search is fresh enough.
    count: async () => (current ?? (await index())).entries.length,
    find: async (words) => {
      const { entries, postings } = await index()
      const all = () => entries.map(({ product }) => ({ product, score: 0, matched: [] }))
      if (words === undefined) return all()
      const found = await ranked(entries, postings, firstOfEachStem(readWords(words)))
      return found.length === 0 && asksForAll(words) ? all() : found
    },
  }
}

async function build(
  products: Pick<ProductStore, 'page'>,
  readWords: ReadWords,
  seq: number,
): Promise<Index> {
  const entries: Entry[] = []
  const postings = new Map<string, number[]>()
  const pacer = createPacer()
  let after: string | undefined
  for (;;) {
    const page = await products.page(after, PAGE)
    for (const { product } of page) {
      const weights = weightsOf(product, readWords)
      const place = entries.push({ product, weights }) - 1
      for (const stem of weights.keys()) {
        const places = postings.get(stem)
        if (places) places.push(place)
        else postings.set(stem, [place])
      }
      if (pacer.isDue()) await pacer.pause()
    }
    if (page.length < PAGE) return { seq, entries, postings }
    after = page.at(-1)?.product.product_id
  }
}

/** A word in the name counts more than one in the description. */
function weightsOf(product: CatalogueProduct, readWords: ReadWords): Map<string, number> {
  const weights = new Map<string, number>()
  const { name, description, keywords = [], channels = [], publisher_properties } = product
  const domains = publisher_properties.map(({ publisher_domain }) => publisher_domain)
  const parts: readonly (readonly [string, number])[] = [
    [name, 3],
    [[...keywords, ...channels].join(' '), 2],
    [`${description} ${domains.join(' ')}`, 1],
  ]
  for (const [text, weight] of parts) {
    for (const { stem } of readWords(text)) {
      weights.set(stem, Math.max(weights.get(stem) ?? 0, weight))
    }
  }
  return weights
}

function firstOfEachStem(words: readonly ReadWord[]): readonly ReadWord[] {
  const byStem = new Map<string, ReadWord>()
  for (const word of words) if (!byStem.has(word.stem)) byStem.set(word.stem, word)
  return [...byStem.values()].slice(0, MAX_STEMS)
}

/** Rare words count for more. */
async function ranked(
  entries: readonly Entry[],
  postings: ReadonlyMap<string, readonly number[]>,
  words: readonly ReadWord[],
): Promise<FoundProduct[]> {
  const pacer = createPacer()
  const scores = new Map<number, { score: number; matched: string[] }>()
  for (const { stem, written } of words) {
    const places = postings.get(stem) ?? []
    const rarity = Math.log(1 + entries.length / (1 + places.length))
    for (const place of places) {
      const found = scores.get(place) ?? { score: 0, matched: [] }
      found.score += rarity * ((entries[place] as Entry).weights.get(stem) ?? 0)
      found.matched.push(written)
      scores.set(place, found)
    }
    if (pacer.isDue()) await pacer.pause()
  }
  return [...scores]
    .map(([place, found]) => ({ product: (entries[place] as Entry).product, ...found }))
    .sort((a, b) => b.score - a.score || (a.product.product_id < b.product.product_id ? -1 : 1))
}
