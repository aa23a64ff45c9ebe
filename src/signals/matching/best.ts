// The best few of very many, without sorting the rest: a bounded heap with the worst kept item at its root.

export interface Best {
  /** Items with a lower score are not kept: checking this first avoids most calls of offer. */
  least: number
  offer(item: number, score: number): void
  /** The best first. */
  take(): { item: number; score: number }[]
}

/** `isBefore` decides between equal scores, so that the result does not depend on the order of offers. */
export function keepBest(size: number, isBefore: (a: number, b: number) => boolean): Best {
  const items: number[] = []
  const scores: number[] = []
  const isWorse = (a: number, b: number) =>
    scores[a] === scores[b] ? isBefore(items[b]!, items[a]!) : scores[a]! < scores[b]!

  function swap(a: number, b: number): void {
    const [item, score] = [items[a]!, scores[a]!]
    items[a] = items[b]!
    scores[a] = scores[b]!
    items[b] = item
    scores[b] = score
  }

  function rise(from: number): void {
    let at = from
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!isWorse(at, parent)) return
      swap(at, parent)
      at = parent
    }
  }

  function sink(): void {
    let at = 0
    for (;;) {
      let worst = at
      for (const child of [2 * at + 1, 2 * at + 2])
        if (child < items.length && isWorse(child, worst)) worst = child
      if (worst === at) return
      swap(at, worst)
      at = worst
    }
  }

  const best: Best = {
    least: size === 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY,
    offer: (item, score) => {
      if (items.length < size) {
        items.push(item)
        scores.push(score)
        rise(items.length - 1)
      } else {
        if (size === 0 || score < scores[0]!) return
        if (score === scores[0] && !isBefore(item, items[0]!)) return
        items[0] = item
        scores[0] = score
        sink()
      }
      if (items.length === size) best.least = scores[0]!
    },
    take: () =>
      items
        .map((item, at) => ({ item, score: scores[at]! }))
        .sort((a, b) => b.score - a.score || (isBefore(a.item, b.item) ? -1 : 1)),
  }
  return best
}
