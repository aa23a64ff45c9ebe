// The edit distance between two words, up to a limit.

const WIDTH = 64
/** Detecting a swap needs only three rows; they are reused, since a search compares with thousands of words. */
const rows = [new Uint8Array(WIDTH), new Uint8Array(WIDTH), new Uint8Array(WIDTH)] as const

/**
 * Number of edits between two words; a swap of adjacent letters counts as one. Returns limit + 1 if there are more
 * than `limit`, or if a word has 64 letters or more.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit || b.length >= WIDTH) return limit + 1
  const isSwap = swapsBetween(a, b)
  let [before, above, row] = rows as readonly [Uint8Array, Uint8Array, Uint8Array]
  for (let j = 0; j <= b.length; j++) above[j] = j
  for (let i = 1; i <= a.length; i++) {
    const letter = a.charCodeAt(i - 1)
    row.fill(limit + 1, 0, b.length + 1)
    row[0] = Math.min(i, limit + 1)
    let least = row[0]
    // Cells further from the diagonal than the limit exceed it anyway.
    for (let j = Math.max(1, i - limit); j <= Math.min(b.length, i + limit); j++) {
      let cost = (above[j - 1] as number) + (letter === b.charCodeAt(j - 1) ? 0 : 1)
      if (j < i + limit) cost = Math.min(cost, (above[j] as number) + 1)
      cost = Math.min(cost, (row[j - 1] as number) + 1)
      if (isSwap(i, j)) cost = Math.min(cost, (before[j - 2] as number) + 1)
      row[j] = cost
      if (cost < least) least = cost
    }
    if (least > limit) return limit + 1
    ;[before, above, row] = [above, row, before]
  }
  return Math.min(above[b.length] as number, limit + 1)
}

/** Whether the letters before i and j are the same two in reverse order. A closure, since it is called for each pair. */
export function swapsBetween(a: string, b: string): (i: number, j: number) => boolean {
  return (i, j) => {
    if (i < 2 || j < 2 || a.charCodeAt(i - 1) !== b.charCodeAt(j - 2)) return false
    return a.charCodeAt(i - 2) === b.charCodeAt(j - 1)
  }
}
