// Which rows of a block contain a word, and its weight there. While a block fills, these are growing lists; once it
// is full, plain arrays with three bytes per entry.

export interface Postings {
  /** Rows come in rising order. */
  add(term: number, row: number, impact: number): void
  of(term: number): Entries | undefined
  terms(): Iterable<number>
  /** Converts to the compact form; nothing is added afterwards. */
  freeze(): void
}

export interface Entries {
  rows: ArrayLike<number>
  /** From 0 to 255. */
  impacts: ArrayLike<number>
}

export function createPostings(): Postings {
  let growing: Map<number, { rows: number[]; impacts: number[] }> | undefined = new Map()
  let frozen: Frozen | undefined
  return {
    add: (term, row, impact) => {
      if (!growing) throw new Error('nothing can be added to postings that are frozen')
      const entries = growing.get(term)
      if (!entries) return void growing.set(term, { rows: [row], impacts: [impact] })
      entries.rows.push(row)
      entries.impacts.push(impact)
    },
    of: (term) => (frozen ? entriesOf(frozen, term) : growing?.get(term)),
    terms: () => frozen?.terms ?? [...(growing?.keys() ?? [])],
    freeze: () => {
      if (!growing) return
      frozen = freeze(growing)
      growing = undefined
    },
  }
}

/** The impact of a term in a row; 0 where it does not occur. */
export function impactIn({ rows, impacts }: Entries, row: number): number {
  let low = 0
  let high = rows.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const there = rows[middle]!
    if (there === row) return impacts[middle]!
    if (there < row) low = middle + 1
    else high = middle - 1
  }
  return 0
}

interface Frozen {
  /** In rising order. */
  terms: Uint32Array
  /** Where the entries of each term begin, and where the last ends. */
  starts: Uint32Array
  rows: Uint16Array
  impacts: Uint8Array
}

function freeze(lists: ReadonlyMap<number, { rows: number[]; impacts: number[] }>): Frozen {
  const terms = Uint32Array.from(lists.keys()).sort()
  const starts = new Uint32Array(terms.length + 1)
  for (const [at, term] of terms.entries()) {
    starts[at + 1] = starts[at]! + lists.get(term)!.rows.length
  }
  const rows = new Uint16Array(starts[terms.length]!)
  const impacts = new Uint8Array(rows.length)
  for (const [at, term] of terms.entries()) {
    const list = lists.get(term)!
    rows.set(list.rows, starts[at]!)
    impacts.set(list.impacts, starts[at]!)
  }
  return { terms, starts, rows, impacts }
}

function entriesOf({ terms, starts, rows, impacts }: Frozen, term: number): Entries | undefined {
  let low = 0
  let high = terms.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    if (terms[middle] === term) {
      const [from, to] = [starts[middle]!, starts[middle + 1]!]
      return { rows: rows.subarray(from, to), impacts: impacts.subarray(from, to) }
    }
    if (terms[middle]! < term) low = middle + 1
    else high = middle - 1
  }
  return undefined
}
