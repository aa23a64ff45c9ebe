// Sorts arrays that are too long to sort in one go: in runs of a few hundred that are then merged, with a pause after
// each few thousand comparisons.

const RUN = 512
const STEPS = 2_048

export interface SortOptions {
  compare: (a: number, b: number) => number
  pause: () => Promise<void>
}

export async function sortInSlices(
  items: readonly number[],
  { compare, pause }: SortOptions,
): Promise<number[]> {
  let runs: number[][] = []
  for (let at = 0; at < items.length; at += RUN) {
    if (at > 0) await pause()
    runs.push(items.slice(at, at + RUN).sort(compare))
  }
  while (runs.length > 1) {
    const merged: number[][] = []
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(await merge(runs[at] ?? [], runs[at + 1] ?? [], { compare, pause }))
    }
    runs = merged
  }
  return runs[0] ?? []
}

async function merge(
  one: readonly number[],
  other: readonly number[],
  { compare, pause }: SortOptions,
): Promise<number[]> {
  const out: number[] = []
  let i = 0
  let j = 0
  while (i < one.length || j < other.length) {
    const takesOne =
      j === other.length || (i < one.length && compare(one[i] as number, other[j] as number) <= 0)
    out.push((takesOne ? one[i++] : other[j++]) as number)
    if (out.length % STEPS === 0) await pause()
  }
  return out
}
