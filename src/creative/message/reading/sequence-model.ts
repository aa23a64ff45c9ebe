// A linear-chain conditional random field: the most likely role of each token, with its probability.

import type { MessageFeatures } from './features.ts'
import { BORDERS } from './parts.ts'

export interface SequenceModel {
  labels: number
  /** A weight for each bucket and label, bucket by bucket. */
  weights: Float32Array | Int8Array
  /** The scale of an integer weight. 1 for floats. */
  scale: number
  /** From label to label, row by row, for each kind of boundary; the first is the one before the first token. */
  transitions: Float32Array
}

export interface Sequence {
  /** The likeliest sequence. */
  best: Uint8Array
  /** The probability of each label of each token, token by token. */
  marginals: Float64Array
}

/** `more` are scores to be added. */
export function readSequence(
  model: SequenceModel,
  features: MessageFeatures,
  more: Float64Array,
): Sequence {
  const scores = scoresOf(model, features)
  for (let at = 0; at < scores.length; at++) scores[at]! += more[at]!
  const { marginals } = sumsOf(model, scores, features.borders)
  return { best: likeliest(model, scores, features.borders), marginals }
}

/**
 * The score of each label of each token, token by token.
 * @internal
 */
export function scoresOf(model: SequenceModel, features: MessageFeatures): Float64Array {
  const { labels, scale } = model
  const shared = features.shared.map((buckets) => added(model, buckets, new Float64Array(labels)))
  const scores = new Float64Array(features.own.length * labels)
  for (const [index, buckets] of features.own.entries()) {
    const own = added(model, buckets, scores.subarray(index * labels, (index + 1) * labels))
    for (const number of features.sharedBy[index] as readonly number[]) {
      const others = shared[number] as Float64Array
      for (let label = 0; label < labels; label++) own[label]! += others[label]!
    }
  }
  if (scale !== 1) for (let at = 0; at < scores.length; at++) scores[at]! *= scale
  return scores
}

function added(
  { labels, weights }: SequenceModel,
  buckets: Uint32Array,
  sums: Float64Array,
): Float64Array {
  for (const bucket of buckets) {
    const from = bucket * labels
    for (let label = 0; label < labels; label++) sums[label]! += weights[from + label]!
  }
  return sums
}

function likeliest(
  { labels, transitions }: SequenceModel,
  scores: Float64Array,
  borders: Uint8Array,
): Uint8Array {
  const length = borders.length
  const best = new Uint8Array(length)
  if (length === 0) return best
  let row = scores.slice(0, labels)
  const back = new Uint8Array(length * labels)
  for (let index = 1; index < length; index++) {
    const from = (borders[index] as number) * labels * labels
    const next = new Float64Array(labels)
    for (let label = 0; label < labels; label++) {
      let [most, previous] = [-Infinity, 0]
      for (let before = 0; before < labels; before++) {
        const sum = row[before]! + transitions[from + before * labels + label]!
        if (sum > most) [most, previous] = [sum, before]
      }
      next[label] = most + scores[index * labels + label]!
      back[index * labels + label] = previous
    }
    row = next
  }
  let label = row.indexOf(Math.max(...row))
  for (let index = length - 1; index >= 0; index--) {
    best[index] = label
    label = back[index * labels + label] as number
  }
  return best
}

/** @internal */
export interface Sums {
  marginals: Float64Array
  forward: Float64Array
  backward: Float64Array
  /** The contribution of each label for each token on its own. */
  own: Float64Array
  /** The transitions as factors. */
  factors: Float64Array
}

/**
 * Forward and backward sums, with those of each token normalised to one.
 * @internal
 */
export function sumsOf(model: SequenceModel, scores: Float64Array, borders: Uint8Array): Sums {
  const { labels } = model
  const length = borders.length
  const factors = factorsOf(model)
  const own = new Float64Array(scores.length)
  for (let index = 0; index < length; index++) {
    const at = index * labels
    let most = -Infinity
    for (let label = 0; label < labels; label++) most = Math.max(most, scores[at + label]!)
    for (let label = 0; label < labels; label++)
      own[at + label] = Math.exp(scores[at + label]! - most)
  }
  const forward = own.slice()
  scaleToOne(forward, 0, labels)
  for (let index = 1; index < length; index++) {
    const from = (borders[index] as number) * labels * labels
    for (let label = 0; label < labels; label++) {
      let sum = 0
      for (let before = 0; before < labels; before++) {
        sum += forward[(index - 1) * labels + before]! * factors[from + before * labels + label]!
      }
      forward[index * labels + label] = sum * own[index * labels + label]!
    }
    scaleToOne(forward, index, labels)
  }
  const backward = new Float64Array(scores.length).fill(1)
  for (let index = length - 2; index >= 0; index--) {
    const from = (borders[index + 1] as number) * labels * labels
    for (let label = 0; label < labels; label++) {
      let sum = 0
      for (let next = 0; next < labels; next++) {
        const at = (index + 1) * labels + next
        sum += factors[from + label * labels + next]! * own[at]! * backward[at]!
      }
      backward[index * labels + label] = sum
    }
    scaleToOne(backward, index, labels)
  }
  const marginals = forward.map((value, at) => value * backward[at]!)
  for (let index = 0; index < length; index++) scaleToOne(marginals, index, labels)
  return { marginals, forward, backward, own, factors }
}

const factors = new WeakMap<SequenceModel, Float64Array>()

/** The transitions as factors: computed once for a model that is not being trained. */
function factorsOf(model: SequenceModel): Float64Array {
  const known = factors.get(model)
  if (known) return known
  const { transitions, weights } = model
  const own = new Float64Array(transitions.length)
  for (let at = 0; at < own.length; at++) own[at] = Math.exp(transitions[at]!)
  if (weights instanceof Int8Array) factors.set(model, own)
  return own
}

function scaleToOne(values: Float64Array, index: number, labels: number): void {
  let sum = 0
  for (let label = 0; label < labels; label++) sum += values[index * labels + label]!
  if (sum === 0) return
  for (let label = 0; label < labels; label++) values[index * labels + label]! /= sum
}

/**
 * All weights zero, to be trained.
 * @internal
 */
export function newSequenceModel(labels: number, buckets: number): SequenceModel {
  return {
    labels,
    scale: 1,
    weights: new Float32Array(buckets * labels),
    transitions: new Float32Array(BORDERS * labels * labels),
  }
}
