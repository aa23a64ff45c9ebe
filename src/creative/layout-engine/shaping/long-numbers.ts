// Numbers in several groups, such as telephone numbers and large sums. In right-to-left text the bidirectional
// algorithm would reorder their groups (UAX 9, 4.3, leaves these to a higher-level protocol), and 0123-456 would be
// dialled 456-0123.

export interface LongNumber {
  from: number
  to: number
}

/** Such numbers in a text; two years or two prices with a dash are a range, and keep the order of the script. */
export function longNumbersIn(text: string): LongNumber[] {
  const found: LongNumber[] = []
  for (const { 0: groups, index } of text.matchAll(GROUPED))
    if (isOneNumber(groups)) found.push({ from: index, to: index + groups.length })
  return found
}

const GROUPED = /\+?\p{Nd}{1,8}(?:[ -]\p{Nd}{1,8}){1,6}|\+\p{Nd}{5,15}/gu
const FEWEST_DIGITS = 7

function isOneNumber(groups: string): boolean {
  if (/^\p{Nd}{1,3}(?: \p{Nd}{3})+$/u.test(groups)) return true
  const digits = groups.replace(/\P{Nd}/gu, '').length
  if (digits < FEWEST_DIGITS) return false
  return /^[+0٠۰]/u.test(groups) || groups.split(/[ -]/).length > 2
}

/** The line with isolates around them (LRI, PDI), for renderers that use the same algorithm. */
export function withIsolates(line: string): string {
  let [isolated, at] = ['', 0]
  for (const { from, to } of longNumbersIn(line)) {
    isolated += `${line.slice(at, from)}\u2066${line.slice(from, to)}\u2069`
    at = to
  }
  return isolated + line.slice(at)
}
