// Texts that describe no audience: short texts of other kinds (talk, code, trivia, nonsense) with their vectors in
// the sentence model. A query that is closer to one of these than to any signal finds nothing: the distance to the
// nearest signal says little by itself, since every text has a nearest signal.

import { readFileSync } from 'node:fs'
import { cosine, type Quantised, unpackVector } from './quantise.ts'
import { MODEL_DIMENSIONS } from './sentence-model.ts'

const VECTOR_BYTES = 4 + MODEL_DIMENSIONS

let loaded: readonly Quantised[] | undefined

/** How close a query is to the nearest of them; -1 for a vector from another model. */
export function nearOutOfDomain(question: Quantised): number {
  if (question.steps.length !== MODEL_DIMENSIONS) return -1
  loaded ??= readVectors(new URL('./elsewhere/', import.meta.url))
  return loaded.reduce((nearest, one) => Math.max(nearest, cosine(question, one)), -1)
}

function readVectors(folder: URL): Quantised[] {
  const texts = readFileSync(new URL('texts.txt', folder), 'utf8').trimEnd().split('\n')
  const bytes = new Uint8Array(readFileSync(new URL('vectors.bin', folder)))
  if (bytes.length !== texts.length * VECTOR_BYTES) {
    throw new Error(
      `elsewhere/vectors.bin has ${bytes.length} bytes, and ${texts.length} texts need ${texts.length * VECTOR_BYTES}: run scripts/embed-elsewhere.mjs`,
    )
  }
  return texts.map((_, at) =>
    unpackVector(bytes.subarray(at * VECTOR_BYTES, (at + 1) * VECTOR_BYTES)),
  )
}
