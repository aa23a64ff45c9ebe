// A small network that reads each token in its context: a sum of learned vectors, then layers with growing reach to
// both sides, with the means of the clause, of sentences and of the message added between them. It adds to the scores of
// the sequence model. Its time is linear in the number of tokens.

import { type ContextFeatures, rowOf } from './context-features.ts'
import type { TokenRange } from './parts.ts'

export interface ContextModel {
  /** Its index among the networks. */
  number: number
  /** Length of a vector: a multiple of four. */
  size: number
  labels: number
  /** How far each layer looks. */
  reaches: readonly number[]
  /** The number of layers after which the means are added. */
  meansAfter: number
  /** A vector for each row of features. */
  table: Float32Array | Int8Array
  /** The scale of an integer of the table. */
  scale: number
  /** For each layer and output, the weights of the token before, the token itself and the token after. */
  layers: readonly Dense[]
  /** From the means of the clause, its sentence, the sentences before and after it, and the message. */
  means: Dense
  out: Dense
}

export interface Dense {
  weights: Float32Array
  biases: Float32Array
}

/** The means of the networks' scores of each label of each token, token by token. */
export function meanScores(
  models: readonly ContextModel[],
  features: ContextFeatures,
): Float64Array {
  const [sums = new Float64Array(), ...others] = models.map((model) =>
    contextScores(model, features),
  )
  for (const scores of others) for (let at = 0; at < sums.length; at++) sums[at]! += scores[at]!
  return sums.map((sum) => sum / models.length)
}

function contextScores(
  model: ContextModel,
  { hashes, sentences, clauses }: ContextFeatures,
): Float64Array {
  const { size, reaches, layers, meansAfter } = model
  const count = hashes.length
  let hidden = vectorsOf(model, hashes)
  for (const [index, reach] of reaches.entries()) {
    hidden = layerOf(hidden, layers[index] as Dense, { size, count, reach })
    if (index === meansAfter - 1) addMeans(hidden, model.means, { size, sentences, clauses })
  }
  const { weights, biases } = model.out
  const scores = new Float64Array(count * model.labels)
  for (let index = 0; index < count; index++) {
    for (let label = 0; label < model.labels; label++) {
      let sum = biases[label]!
      for (let at = 0; at < size; at++) {
        sum += weights[label * size + at]! * hidden[index * size + at]!
      }
      scores[index * model.labels + label] = sum
    }
  }
  return scores
}

function vectorsOf(
  { number, size, table, scale }: ContextModel,
  hashes: readonly Uint32Array[],
): Float32Array {
  const vectors = new Float32Array(hashes.length * size)
  for (const [index, own] of hashes.entries()) {
    const from = index * size
    for (const hash of own) {
      const row = rowOf(hash, number) * size
      for (let at = 0; at < size; at++) vectors[from + at]! += table[row + at]!
    }
    for (let at = from; at < from + size; at++) vectors[at] = Math.tanh(vectors[at]! * scale)
  }
  return vectors
}

interface Shape {
  size: number
  count: number
  reach: number
}

/** The output of a layer is added to its input. Four outputs at a time: none waits for the sum of another. */
function layerOf(
  hidden: Float32Array,
  { weights, biases }: Dense,
  { size, count, reach }: Shape,
): Float32Array {
  const next = hidden.slice()
  const ordered = inOrder(weights, size)
  const inputs = new Float64Array(3 * size)
  /** A third of the inputs: the vector that begins there, or zeros if there is no token. */
  const setAt = (to: number, from: number) => {
    if (from < 0) inputs.fill(0, to, to + size)
    else for (let at = 0; at < size; at++) inputs[to + at] = hidden[from + at]!
  }
  for (let index = 0; index < count; index++) {
    const own = index * size
    setAt(0, own)
    setAt(size, index >= reach ? own - reach * size : -1)
    setAt(2 * size, index + reach < count ? own + reach * size : -1)
    let from = 0
    for (let output = 0; output < size; output += 4) {
      let first = biases[output]!
      let second = biases[output + 1]!
      let third = biases[output + 2]!
      let fourth = biases[output + 3]!
      for (let at = 0; at < inputs.length; at++) {
        const value = inputs[at]!
        first += ordered[from]! * value
        second += ordered[from + 1]! * value
        third += ordered[from + 2]! * value
        fourth += ordered[from + 3]! * value
        from += 4
      }
      if (first > 0) next[own + output]! += first
      if (second > 0) next[own + output + 1]! += second
      if (third > 0) next[own + output + 2]! += third
      if (fourth > 0) next[own + output + 3]! += fourth
    }
  }
  return next
}

/** Those of the token itself, the one before and the one after, with four outputs interleaved. */
function inOrder(weights: Float32Array, size: number): Float64Array {
  const ordered = new Float64Array(weights.length)
  let to = 0
  for (let output = 0; output < size; output += 4) {
    for (const part of [1, 0, 2]) {
      for (let at = 0; at < size; at++) {
        for (let more = 0; more < 4; more++) {
          ordered[to++] = weights[((output + more) * 3 + part) * size + at]!
        }
      }
    }
  }
  return ordered
}

/**
 * To the tokens of each clause: what follows from its mean, from those of its sentence and of the sentences beside it,
 * and from that of the message.
 */
function addMeans(
  hidden: Float32Array,
  { weights, biases }: Dense,
  { size, sentences, clauses }: Omit<ContextFeatures, 'hashes'> & { size: number },
): void {
  const count = hidden.length / size
  const whole = meanOf(hidden, { from: 0, to: count }, size)
  const ofSentences = sentences.map((sentence) => meanOf(hidden, sentence, size))
  const none = new Float32Array(size)
  const added = clauses.map((clause) => {
    const inputs = [
      meanOf(hidden, clause, size),
      ofSentences[clause.sentence] as Float32Array,
      ofSentences[clause.sentence - 1] ?? none,
      ofSentences[clause.sentence + 1] ?? none,
      whole,
    ]
    return Float64Array.from(biases, (bias, output) => {
      let sum = bias
      let from = output * inputs.length * size
      for (const input of inputs) {
        for (let at = 0; at < size; at++) sum += weights[from + at]! * input[at]!
        from += size
      }
      return sum
    })
  })
  for (const [number, { from, to }] of clauses.entries()) {
    const own = added[number] as Float64Array
    for (let index = from; index < to; index++) {
      for (let at = 0; at < size; at++) {
        if (own[at]! > 0) hidden[index * size + at]! += own[at]!
      }
    }
  }
}

function meanOf(hidden: Float32Array, { from, to }: TokenRange, size: number): Float32Array {
  const mean = new Float32Array(size)
  for (let index = from; index < to; index++) {
    for (let at = 0; at < size; at++) mean[at]! += hidden[index * size + at]! / (to - from)
  }
  return mean
}
