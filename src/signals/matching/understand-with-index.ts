// Interprets a brief with the words of the catalogue: the vocabulary for spelling repair is built from the index, and
// rebuilt when the index has changed.

import { understandSpec } from './language/understand-spec.ts'
import { createVocabulary } from './language/vocabulary.ts'
import { ALL_LAYERS, type Layers } from './layers.ts'
import type { SignalIndex } from './signal-index.ts'
import type { StaticTable } from './static-table.ts'
import type { Understood, Vocabulary } from './understood.ts'

/** From this many words on, building it takes so long that it is done only every few seconds. */
const MANY_WORDS = 10_000
const RENEW_MS = 5_000

export function createUnderstanding(
  table: StaticTable,
  now: () => number,
  layers: Layers = ALL_LAYERS,
): (spec: string, index: SignalIndex) => Understood {
  const base = [...table.wordPieces.words()]
  let made: { vocabulary: Vocabulary; of: SignalIndex; changes: number; at: number } | undefined
  return (spec, index) => {
    const isCurrent = made?.of === index && made.changes === index.changes
    const isRecent =
      made?.of === index && index.terms.size > MANY_WORDS && now() - made.at < RENEW_MS
    if (!made || !(isCurrent || isRecent)) {
      const vocabulary = createVocabulary(index.words(), base)
      made = { vocabulary, of: index, changes: index.changes, at: now() }
    }
    return understandSpec(spec, made.vocabulary, layers)
  }
}
