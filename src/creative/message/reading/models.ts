// Loads the weights of the sequence model, once in each process. `npm run messages:train` makes them from data/messages.

import { readFileSync } from 'node:fs'
import { BUCKETS } from './features.ts'
import { BORDERS } from './parts.ts'
import { ROLES } from './roles.ts'
import { SECOND_BUCKETS } from './second-features.ts'
import type { SequenceModel } from './sequence-model.ts'

export interface ReaderModels {
  first: SequenceModel
  /** Corrects words that differ from everything around them. */
  second: SequenceModel
}

let loaded: ReaderModels | undefined

export function readerModels(): ReaderModels {
  loaded ??= { first: load('first.bin', BUCKETS), second: load('second.bin', SECOND_BUCKETS) }
  return loaded
}

/** The scale and the transitions as 32-bit floats, then a byte for each bucket and label. */
function load(name: string, buckets: number): SequenceModel {
  const { buffer } = new Uint8Array(readFileSync(new URL(`./weights/${name}`, import.meta.url)))
  const labels = ROLES.length
  const floats = new Float32Array(buffer, 0, 1 + BORDERS * labels * labels)
  return {
    labels,
    scale: floats[0] as number,
    transitions: floats.slice(1),
    weights: new Int8Array(buffer, floats.byteLength, buckets * labels),
  }
}
