// Whether a text is about the expensive or the cheap kind of a thing (spec 4.3): a request for premium does not
// return value.

export type Tier = 'dear' | 'cheap'

const DEAR = /\b(?:premium|luxur(?:y|ious)|high[- ]end|up-?market|upscale|deluxe|posh)\b/
const CHEAP =
  /\b(?:cheap(?:er|est)?|low[- ]cost|discount(?:ed)?|bargains?|affordable|inexpensive)\b/
/** Words with other meanings: the kind of thing named after them decides. */
const CHEAP_KIND =
  /\b(?:value|budget)[- ](?!of\b|for\b|is\b|and\b|to\b|will\b|add|prop)[a-z]|\bon a budget\b/

/** Also undefined for a text that is about both. */
export function tierOf(text: string): Tier | undefined {
  const lower = text.toLowerCase()
  const isDear = DEAR.test(lower)
  const isCheap = CHEAP.test(lower) || CHEAP_KIND.test(lower)
  if (isDear === isCheap) return undefined
  return isDear ? 'dear' : 'cheap'
}
