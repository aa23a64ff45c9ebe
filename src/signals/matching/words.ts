// Words of a text as the lexical part of the search compares them: lower case without accents, and a
// stem that inflections share. Light on purpose: the vectors are there for meaning.

/** Lower case, without accents, cut at everything that is neither letter nor digit. */
export function wordsOf(text: string): readonly string[] {
  const plain = text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .replace(/['’]s?\b/g, '')
  return plain.match(/[\p{L}\p{N}]+/gu) ?? []
}

/** The words that carry meaning; all of them when none does. */
export function contentWords(text: string): readonly string[] {
  const words = wordsOf(text)
  const content = words.filter((word) => !isStopWord(word))
  return content.length > 0 ? content : words
}

export function isStopWord(word: string): boolean {
  return word.length < 2 || STOP_WORDS.has(word)
}

/** No inflection is told from a longer one, which is no word. */
const MAX_STEMMED = 48

/** What "shopper", "shoppers", "shopping" and "shop" have in common. */
export function stemOf(word: string): string {
  if (word.length < 4 || word.length > MAX_STEMMED || /\d/.test(word)) return word
  let stem = word
  if (stem.endsWith('ies')) stem = `${stem.slice(0, -3)}y`
  else if (/(?:ss|sh|ch|x|z)es$/.test(stem)) stem = stem.slice(0, -2)
  else if (stem.endsWith('s') && !/(?:ss|us|is)$/.test(stem)) stem = stem.slice(0, -1)
  const bare = stem.replace(/(?:ing|ed|er|or)$/, '')
  if (bare !== stem && bare.length >= 3 && canStandAlone(bare)) stem = undouble(bare)
  if (stem.endsWith('e') && stem.length > 4) stem = stem.slice(0, -1)
  return stem.endsWith('y') && stem.length > 3 ? `${stem.slice(0, -1)}i` : stem
}

/** A vowel that is not all of what is left: "bring" and "red" keep their endings. */
function canStandAlone(bare: string): boolean {
  const first = bare.search(/[aeiouy]/)
  return /[aeiouy]/.test(bare.slice(2)) || (first >= 0 && first < bare.length - 1)
}

function undouble(stem: string): string {
  return /([bdfgmnprt])\1$/.test(stem) ? stem.slice(0, -1) : stem
}

// Words of every brief and every description: they say how something is told, not what.
const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above across after all also am an and any are as at be because been being but by can could
  did do does doing down each either else etc ever every few for from further get gets getting had has
  have having he her here hers him his how i if in into is it its itself just let like lot lots many may
  me might more most much must my need needs no nor not now of off on once one only or other our ours out
  over own please s same shall she should so some such than that the their theirs them then there these
  they this those through to too under until up upon us very was we were what when where which while who
  whom whose why will with within would you your yours
  people folks audience audiences segment segments consumer consumers individual individuals someone
  anyone everyone person user users target reach find want wants looking signal signals`.split(
    /\s+/,
  ),
)
