// Trains the sequence model: stochastic gradient ascent of its likelihood, with AdaGrad and feature dropout. The same
// data gives the same weights, to the byte.
import { BUCKETS, featuresOf } from '../../src/creative/message/reading/features.ts'
import {
  newSequenceModel,
  scoresOf,
  sumsOf,
} from '../../src/creative/message/reading/sequence-model.ts'
import { ROLES, randomFrom, shuffle } from './labelled.mjs'

const DEFAULTS = {
  epochs: 6,
  rate: 0.1,
  l2: 1e-6,
  dropout: 0.3,
  initial: 0.01,
  seed: 7,
  buckets: BUCKETS,
}

export function exampleOf({ tokens, roles }) {
  return { tokens, roles, features: featuresOf(tokens) }
}

export function trainSequence(examples, options = {}) {
  const { epochs, rate, l2, dropout, initial, seed, buckets } = { ...DEFAULTS, ...options }
  const labels = ROLES.length
  const model = newSequenceModel(labels, buckets)
  const { weights, transitions } = model
  const squares = new Float32Array(weights.length).fill(initial)
  const borderSquares = new Float32Array(transitions.length).fill(1)
  const random = randomFrom(seed)
  const order = examples.map((_, index) => index)
  const kept = (buckets) => buckets.filter(() => random() >= dropout)
  const move = (buckets, gradient) => {
    for (const bucket of buckets) {
      for (let label = 0; label < labels; label++) {
        const at = bucket * labels + label
        const own = gradient[label] - l2 * weights[at]
        squares[at] += own * own
        weights[at] += (rate * own) / Math.sqrt(squares[at])
      }
    }
  }
  for (let epoch = 0; epoch < epochs; epoch++) {
    shuffle(order, random)
    for (const number of order) {
      const { roles, features: all } = examples[number]
      if (roles.length === 0) continue
      const features = { ...all, own: all.own.map(kept), shared: all.shared.map(kept) }
      const sums = sumsOf(model, scoresOf(model, features), features.borders)
      const sharedGradients = features.shared.map(() => new Float64Array(labels))
      const gradient = new Float64Array(labels)
      for (let index = 0; index < roles.length; index++) {
        let most = 0
        for (let label = 0; label < labels; label++) {
          gradient[label] =
            (roles[index] === label ? 1 : 0) - sums.marginals[index * labels + label]
          most = Math.max(most, Math.abs(gradient[label]))
        }
        if (most < 0.01) continue
        for (const shared of features.sharedBy[index]) {
          for (let label = 0; label < labels; label++)
            sharedGradients[shared][label] += gradient[label]
        }
        move(features.own[index], gradient)
      }
      for (const [shared, own] of sharedGradients.entries()) {
        if (own.some((value) => Math.abs(value) >= 0.01)) move(features.shared[shared], own)
      }
      moveTransitions(model, borderSquares, { roles, borders: features.borders, sums, rate })
    }
  }
  return model
}

function moveTransitions({ labels, transitions }, squares, { roles, borders, sums, rate }) {
  const { forward, backward, own, factors } = sums
  const pair = new Float64Array(labels * labels)
  for (let index = 1; index < roles.length; index++) {
    const from = borders[index] * labels * labels
    let sum = 0
    for (let before = 0; before < labels; before++) {
      for (let label = 0; label < labels; label++) {
        const at = index * labels + label
        const value =
          forward[at - label - labels + before] *
          factors[from + before * labels + label] *
          own[at] *
          backward[at]
        pair[before * labels + label] = value
        sum += value
      }
    }
    const wanted = roles[index - 1] * labels + roles[index]
    for (let at = 0; at < pair.length; at++) {
      const gradient = (wanted === at ? 1 : 0) - pair[at] / sum
      if (Math.abs(gradient) < 0.001) continue
      squares[from + at] += gradient * gradient
      transitions[from + at] += (rate * gradient) / Math.sqrt(squares[from + at])
    }
  }
}
