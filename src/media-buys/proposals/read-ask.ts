// What a buyer requests for a proposal in free text (spec 4.5): which products to remove, and what share of the
// budget others get. The rest is not interpreted, and is reported as such.

export interface ReadAsk {
  /** Words about products to remove. */
  drops: string[]
  /** Words about products, and their share of the budget in per cent. */
  shifts: { words: string; percent: number }[]
  /** Whether anything else is requested. */
  hasMore: boolean
}

const DROP: ReadonlySet<string> = new Set(['drop', 'remove', 'exclude', 'omit', 'without', 'cut'])
/** Words that may change the meaning of adjacent words. */
const UNSURE: ReadonlySet<string> = new Set([
  'not',
  'don',
  'dont',
  'don’t',
  'never',
  'cannot',
  'can',
  'can’t',
  'no',
  'keep',
  'only',
  'but',
  'except',
  'unless',
  'other',
  'instead',
  'if',
])
/** A plan has few products, and each request costs a search. */
const MOST_WISHES = 6
const TOWARDS: ReadonlySet<string> = new Set(['to', 'on', 'for', 'into', 'towards'])
/** Words that name no product. */
const FILLERS: ReadonlySet<string> = new Set([
  'the',
  'a',
  'all',
  'any',
  'of',
  'my',
  'our',
  'budget',
  'product',
  'products',
  'please',
])

export function readAsk(ask: string): ReadAsk {
  const read: ReadAsk = { drops: [], shifts: [], hasMore: false }
  for (const clause of ask.toLowerCase().split(/[.;,\n]| and | then /)) {
    const words = clause.split(/[\s"'()]+/).filter((word) => word !== '')
    if (words.length === 0) continue
    const drop = words.findIndex((word) => DROP.has(word))
    const percent = words.findIndex((word) => /^\d{1,3}%$/.test(word))
    const towards = words.findIndex((word, index) => index > percent && TOWARDS.has(word))
    const isFull = read.drops.length + read.shifts.length >= MOST_WISHES
    if (isFull || words.some((word) => UNSURE.has(word))) read.hasMore = true
    else if (drop >= 0 && percent < 0) read.drops.push(named(words.slice(drop + 1)))
    else if (drop < 0 && percent >= 0 && towards >= 0) {
      const amount = Number.parseInt(words[percent] as string, 10)
      read.shifts.push({ words: named(words.slice(towards + 1)), percent: amount })
    } else read.hasMore = true
  }
  return read
}

function named(words: readonly string[]): string {
  return words.filter((word) => !FILLERS.has(word)).join(' ')
}
