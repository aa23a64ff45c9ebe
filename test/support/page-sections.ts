// A page of Markdown as a reader who pastes from it sees it: its sections, the commands of each, and what the page
// promises that they print.

export interface Pasted {
  commands: string
  /** Lines that are printed, in this order; `…` represents what varies. */
  promises: readonly string[]
}

export interface Section {
  title: string
  pasted: readonly Pasted[]
}

/** Every block of `sh`, with the block of `text` behind it. */
export function sectionsOf(page: string): Section[] {
  const [, ...sections] = page.split(/^## /m)
  return sections.map((section) => {
    const pasted: Pasted[] = []
    for (const [, language, body = ''] of section.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)) {
      const last = pasted.at(-1)
      if (language === 'sh') pasted.push({ commands: body, promises: [] })
      else if (last) pasted.splice(-1, 1, { ...last, promises: body.trimEnd().split('\n') })
    }
    return { title: section.slice(0, section.indexOf('\n')), pasted }
  })
}

/** The promises that the output does not keep; those behind the first one may be kept later. */
export function unkept(output: string, promises: readonly string[]): readonly string[] {
  let from = 0
  for (const [index, promise] of promises.entries()) {
    const end = endOf(output, from, promise.split('…'))
    if (end === undefined) return promises.slice(index)
    from = end
  }
  return []
}

/** Where a line of the output that has these pieces in their order has had the last of them. */
function endOf(output: string, from: number, pieces: readonly string[]): number | undefined {
  for (let start = from; start < output.length; ) {
    const newline = output.indexOf('\n', start)
    const end = newline < 0 ? output.length : newline
    const found = pieces.reduce((at, piece) => {
      const place = at < 0 ? -1 : output.slice(0, end).indexOf(piece, at)
      return place < 0 ? -1 : place + piece.length
    }, start)
    if (found >= 0) return found
    start = end + 1
  }
  return undefined
}
