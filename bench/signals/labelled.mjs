// The labelled questions, and what an answer to one of them is worth.
import { readdirSync, readFileSync } from 'node:fs'

const FOLDER = new URL('./labelled/', import.meta.url)
export const LOOKED_AT = 10
/** Kinds that were added later: apart in the sums, so that these stay comparable. */
export const LATER = ['nonsense', 'stage', 'tier']

export function questionsOf(split) {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.jsonl'))
    .flatMap((file) => readFileSync(new URL(file, FOLDER), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line))
    .filter((question) => question.split === split)
}

/** Asks each question; `search` is what a matching service has. */
export async function askAll(questions, search) {
  const rows = []
  for (const { query, kind, relevant, below = [], absent = [] } of questions) {
    const requested = { signal_spec: query, limit: LOOKED_AT, offset: 0 }
    const { hits, total } = await search(requested, new AbortController().signal)
    const ids = hits.map(({ signal_agent_segment_id: id }) => id)
    const apart = isApart(ids, { relevant, below, absent }) ? 1 : 0
    rows.push({ kind, query, relevant, total, apart, figures: figuresOf(ids, relevant) })
  }
  return rows
}

/** Whether none of `below` ranks above what was requested, and none of `absent` is there at all. */
function isApart(ids, { relevant, below, absent }) {
  const first = ids.findIndex((id) => relevant[id] > 1)
  const above = first < 0 ? ids : ids.slice(0, first)
  return !below.some((id) => above.includes(id)) && !absent.some((id) => ids.includes(id))
}

/** hit@1, hit@3, hit@10, MRR and nDCG@10. Where nothing fits, nothing is the right answer. */
export function figuresOf(ids, relevant) {
  if (Object.keys(relevant).length === 0) {
    const isRight = ids.length === 0 ? 1 : 0
    return [isRight, isRight, isRight, isRight, isRight]
  }
  const first = ids.findIndex((id) => relevant[id] > 0)
  const within = (place) => (first >= 0 && first < place ? 1 : 0)
  const gain = (grades) =>
    grades.reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0)
  const best = Object.values(relevant).sort((a, b) => b - a)
  return [
    within(1),
    within(3),
    within(10),
    first < 0 ? 0 : 1 / (first + 1),
    gain(ids.map((id) => relevant[id] ?? 0)) / gain(best.slice(0, LOOKED_AT)),
  ]
}

export function meanOf(rows, figureOf) {
  return rows.reduce((sum, row) => sum + figureOf(row), 0) / rows.length
}
