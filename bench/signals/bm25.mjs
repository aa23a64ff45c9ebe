// Plain BM25 over name, description and tags: what the search is measured beside.

const words = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** @returns {(query: string, limit: number) => string[]} ids, the best first */
export function createBm25(signals, { k1 = 1.2, b = 0.75 } = {}) {
  const texts = signals.map(({ name, description, tags = [] }) =>
    words(`${name} ${description} ${tags.join(' ')}`),
  )
  const usual = texts.reduce((sum, { length }) => sum + length, 0) / texts.length
  const found = new Map()
  for (const text of texts)
    for (const word of new Set(text)) found.set(word, (found.get(word) ?? 0) + 1)
  const rarity = (word) => {
    const count = found.get(word) ?? 0
    return Math.log(1 + (texts.length - count + 0.5) / (count + 0.5))
  }
  const scoreOf = (text, query) => {
    let score = 0
    for (const word of query) {
      const count = text.filter((other) => other === word).length
      const norm = k1 * (1 - b + (b * text.length) / usual)
      score += (rarity(word) * count * (k1 + 1)) / (count + norm)
    }
    return score
  }
  return (query, limit) => {
    const wanted = [...new Set(words(query))]
    return signals
      .map(({ signal_agent_segment_id: id }, at) => ({ id, score: scoreOf(texts[at], wanted) }))
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score || (one.id < other.id ? -1 : 1))
      .slice(0, limit)
      .map(({ id }) => id)
  }
}
