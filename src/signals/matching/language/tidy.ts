// Cleans up a text after patterns have removed parts of it, and splits long texts between words.

/** One space between words, none at the ends and before punctuation, and no leftover punctuation. */
export function tidy(text: string): string {
  const inner = text
    .replace(/\s+/g, ' ')
    .replace(/ ([,.;:!?)])/g, '$1')
    .replace(/([,;:])(?: ?[,;:])+/g, '$1')
    .replace(/\( ?\)/g, '')
  return trimmed(inner, AT_THE_START, AT_THE_END)
}

/** A space at either end may be any character that a pattern left behind. */
const AT_THE_START = ' ,.;:!?&/)*•–—-'
const AT_THE_END = ' ,.;:!?&/(*•–—-'

/** Scans from each end: a pattern would restart at every character in a long run of punctuation. */
function trimmed(text: string, atStart: string, atEnd: string): string {
  let from = 0
  let to = text.length
  while (from < to && atStart.includes(text[from] as string)) from += 1
  while (to > from && atEnd.includes(text[to - 1] as string)) to -= 1
  return text.slice(from, to)
}

/** Splits a text into pieces of at most this many characters, between two words. */
export function inPieces(text: string, most: number): string[] {
  const pieces: string[] = []
  let from = 0
  while (text.length - from > most) {
    const space = text.lastIndexOf(' ', from + most)
    const to = space > from ? space : from + most
    pieces.push(text.slice(from, to))
    from = to
  }
  return [...pieces, text.slice(from)]
}
