// The cost of a typo: typing and hearing mistakes decide between words with the same edit distance.

import { swapsBetween } from '../../../lib/edit-distance.ts'

/**
 * The cost between two words; likely typos cost less than an edit: neighbouring keys, doubled letters, vowels, swaps.
 */
export function slipCost(typed: string, meant: string): number {
  const isSwap = swapsBetween(typed, meant)
  let before: number[] = []
  let above = [0]
  for (let j = 1; j <= meant.length; j++) {
    above.push((above[j - 1] as number) + omission(meant, j - 1))
  }
  for (let i = 1; i <= typed.length; i++) {
    const row = [(above[0] as number) + omission(typed, i - 1)]
    for (let j = 1; j <= meant.length; j++) {
      let cost = Math.min(
        (above[j] as number) + omission(typed, i - 1),
        (row[j - 1] as number) + omission(meant, j - 1),
        (above[j - 1] as number) + substitution(typed[i - 1] as string, meant[j - 1] as string),
      )
      if (isSwap(i, j)) cost = Math.min(cost, (before[j - 2] as number) + 0.7)
      row.push(cost)
    }
    before = above
    above = row
  }
  // People rarely mistype the first letter of a word.
  return (above[meant.length] as number) + (typed[0] === meant[0] ? 0 : 0.6)
}

/** An extra or missing letter: cheap if it only doubles its neighbour. */
function omission(word: string, at: number): number {
  const letter = word[at]
  return letter === word[at - 1] || letter === word[at + 1] ? 0.6 : 1
}

function substitution(typed: string, meant: string): number {
  if (typed === meant) return 0
  if (VOWELS.includes(typed) && VOWELS.includes(meant)) return 0.75
  if (SOUND_ALIKES.has(typed + meant) || SOUND_ALIKES.has(meant + typed)) return 0.75
  return areNeighbours(typed, meant) ? 0.8 : 1
}

const VOWELS = 'aeiou'
const SOUND_ALIKES = new Set(['cs', 'ck', 'sz', 'fv', 'gj', 'kq', 'mn', 'iy', 'ey'])
const KEY_ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm']

function areNeighbours(a: string, b: string): boolean {
  const rowA = KEY_ROWS.findIndex((row) => row.includes(a))
  const rowB = KEY_ROWS.findIndex((row) => row.includes(b))
  if (rowA < 0 || rowB < 0 || Math.abs(rowA - rowB) > 1) return false
  // Each row is set half a key to the right of the one above it.
  const columnA = (KEY_ROWS[rowA] as string).indexOf(a) + rowA / 2
  const columnB = (KEY_ROWS[rowB] as string).indexOf(b) + rowB / 2
  return Math.abs(columnA - columnB) <= 1
}
