// Trains the reader: the sequence model and the context model together, by the likelihood of the labelled roles. The first
// moves by AdaGrad, the second by Adam; the result is the mean of the last two epochs. The same data gives the same
// weights, to the byte.
import {
  CONTEXT_ROWS,
  contextFeaturesOf,
} from '../../src/creative/message/reading/context-features.ts'

import { BUCKETS, featuresOf } from '../../src/creative/message/reading/features.ts'
import {
  newSequenceModel,
  scoresOf,
  sumsOf,
} from '../../src/creative/message/reading/sequence-model.ts'
import { backwards, denseOf, forwards, newNetwork } from './context-network.mjs'
import { READ_ROLES, randomFrom, shuffle } from './labelled.mjs'

const DEFAULTS = {
  epochs: 5,
  rate: 0.1,
  l2: 1e-6,
  /** Of the features of the sequence model. */
  featureDropout: 0.3,
  /** How often the context model learns a message alone. */
  alone: 0.3,
  dropout: 0.2,
  contextRate: 2e-3,
  tableRate: 0.05,
  /** Messages whose gradients are added before the context model moves. */
  batch: 4,
  seed: 7,
  /** Of the network, for networks that are trained apart. */
  number: 0,
}
/** Longer messages take much time and teach little. */
const MAX_TOKENS = 400
const LABELS = READ_ROLES.length
/** Gradients that change nothing. */
const LEAST = 0.01
const LEAST_PAIR = 0.001

export function exampleOf({ tokens, roles }) {
  return { tokens, roles, features: featuresOf(tokens), context: contextFeaturesOf(tokens) }
}

/** Readers that differ by chance: their mean errs less on authors that none of them knows. */
const SEEDS = [7, 8]

export function trainReaders(examples, { afterEpoch, ...options }) {
  return SEEDS.map((seed, number) =>
    trainReader(examples, {
      ...options,
      seed,
      number,
      afterEpoch: (epoch) =>
        afterEpoch?.(number * options.epochs + epoch + 1, SEEDS.length * options.epochs),
    }),
  )
}

function trainReader(examples, options) {
  const settings = { ...DEFAULTS, ...options }
  const random = randomFrom(settings.seed)
  const sequence = newSequenceModel(LABELS, BUCKETS)
  const network = newNetwork(LABELS, settings.number, random)
  const known = examples.filter(({ roles }) => roles.length > 0 && roles.length <= MAX_TOKENS)
  const steps = (settings.epochs * known.length) / settings.batch
  const moves = {
    sequence: sequenceMoves(sequence, settings, random),
    network: networkMoves(network, settings, steps),
  }
  const order = known.map((_example, index) => index)
  const mean = meanOf([
    sequence.weights,
    sequence.transitions,
    network.table,
    ...denseOf(network).flatMap(({ weights, biases }) => [weights, biases]),
  ])
  for (let epoch = 0; epoch < settings.epochs; epoch++) {
    const isLate = epoch >= settings.epochs - 2
    shuffle(order, random)
    for (const [place, number] of order.entries()) {
      if (isLate && place > 0 && place % Math.ceil(order.length / 3) === 0) mean.add()
      learn(known[number], { sequence, network, moves, settings, random })
      if (place % settings.batch === settings.batch - 1) moves.network.step()
    }
    if (isLate) mean.add()
    options.afterEpoch?.(epoch)
  }
  mean.finish()
  return { sequence, context: network }
}

function learn({ roles, features: all, context }, { sequence, network, moves, settings, random }) {
  const isAlone = random() < settings.alone
  const features = isAlone ? all : withoutSome(all, settings.featureDropout, random)
  const passed = forwards(network, context, { dropout: settings.dropout, random })
  const scores = isAlone ? new Float64Array(passed.scores.length) : scoresOf(sequence, features)
  for (let at = 0; at < scores.length; at++) scores[at] += passed.scores[at]
  const sums = sumsOf(sequence, scores, features.borders)
  const gradients = sums.marginals.map(
    (value, at) => (roles[Math.floor(at / LABELS)] === at % LABELS ? 1 : 0) - value,
  )
  moves.network.add(context, passed, gradients)
  if (!isAlone) moves.sequence.move(features, gradients)
  moves.sequence.moveTransitions(roles, features.borders, sums)
}

function withoutSome(features, dropout, random) {
  const some = (buckets) => buckets.filter(() => random() >= dropout)
  return { ...features, own: features.own.map(some), shared: features.shared.map(some) }
}

function sequenceMoves({ weights, transitions }, { rate, l2 }) {
  const squares = new Float32Array(weights.length).fill(0.01)
  const borderSquares = new Float32Array(transitions.length).fill(1)
  const moveBuckets = (buckets, gradients) => {
    for (const bucket of buckets) {
      for (let label = 0; label < LABELS; label++) {
        const at = bucket * LABELS + label
        const own = gradients[label] - l2 * weights[at]
        squares[at] += own * own
        weights[at] += (rate * own) / Math.sqrt(squares[at])
      }
    }
  }
  const isLarge = (gradients) => gradients.some((value) => Math.abs(value) >= LEAST)
  return {
    move({ own, shared, sharedBy }, gradients) {
      const ofShared = shared.map(() => new Float64Array(LABELS))
      for (let index = 0; index < own.length; index++) {
        const mine = gradients.subarray(index * LABELS, (index + 1) * LABELS)
        if (!isLarge(mine)) continue
        for (const number of sharedBy[index]) {
          for (let label = 0; label < LABELS; label++) ofShared[number][label] += mine[label]
        }
        moveBuckets(own[index], mine)
      }
      for (const [number, mine] of ofShared.entries()) {
        if (isLarge(mine)) moveBuckets(shared[number], mine)
      }
    },
    moveTransitions(roles, borders, { forward, backward, own, factors }) {
      const pair = new Float64Array(LABELS * LABELS)
      for (let index = 1; index < roles.length; index++) {
        const from = borders[index] * LABELS * LABELS
        let sum = 0
        for (let before = 0; before < LABELS; before++) {
          for (let label = 0; label < LABELS; label++) {
            const at = index * LABELS + label
            const value =
              forward[(index - 1) * LABELS + before] *
              factors[from + before * LABELS + label] *
              own[at] *
              backward[at]
            pair[before * LABELS + label] = value
            sum += value
          }
        }
        const wanted = roles[index - 1] * LABELS + roles[index]
        for (let at = 0; at < pair.length; at++) {
          const gradient = (wanted === at ? 1 : 0) - pair[at] / sum
          if (Math.abs(gradient) < LEAST_PAIR) continue
          borderSquares[from + at] += gradient * gradient
          transitions[from + at] += (rate * gradient) / Math.sqrt(borderSquares[from + at])
        }
      }
    },
  }
}

/** Adam for the dense weights, with a warm start and a rate that falls; AdaGrad for the rows of the table. */
function networkMoves(network, { contextRate, tableRate, batch }, steps) {
  const { table, size } = network
  const squares = new Float32Array(CONTEXT_ROWS * size).fill(0.05)
  const dense = denseOf(network)
  const gradients = dense.map(({ weights, biases }) => ({
    weights: new Float32Array(weights.length),
    biases: new Float32Array(biases.length),
  }))
  const groups = dense.flatMap((pair, number) =>
    ['weights', 'biases'].map((name) => ({
      values: pair[name],
      gradient: gradients[number][name],
      first: new Float32Array(pair[name].length),
      second: new Float32Array(pair[name].length),
    })),
  )
  let step = 0
  /** What the moving means, which begin at zero, still lack. */
  let [firstLack, secondLack] = [1, 1]
  const moveRow = (row, own) => {
    for (let at = 0; at < size; at++) {
      const value = own[at]
      if (value === 0) continue
      const place = row * size + at
      squares[place] += value * value
      table[place] += (tableRate * value) / Math.sqrt(squares[place])
    }
  }
  return {
    add(context, passed, scores) {
      backwards(network, context, passed, { scores, gradients, moveRow })
    },
    step() {
      step++
      const rate = contextRate * Math.min(1, step / 200) * (1 - (0.95 * step) / steps)
      firstLack *= 0.9
      secondLack *= 0.999
      const [firstShare, secondShare] = [1 - firstLack, 1 - secondLack]
      for (const { values, gradient, first, second } of groups) {
        for (let at = 0; at < values.length; at++) {
          const own = gradient[at] / batch - 1e-5 * values[at]
          first[at] += 0.1 * (own - first[at])
          second[at] += 0.001 * (own * own - second[at])
          values[at] +=
            (rate * (first[at] / firstShare)) / (Math.sqrt(second[at] / secondShare) + 1e-8)
        }
        gradient.fill(0)
      }
    },
  }
}

/** The mean of weights over time errs less than the last ones. */
function meanOf(all) {
  const sums = all.map(({ length }) => new Float64Array(length))
  let count = 0
  return {
    add() {
      count++
      for (const [number, sum] of sums.entries()) {
        for (let at = 0; at < sum.length; at++) sum[at] += all[number][at]
      }
    },
    finish() {
      for (const [number, sum] of sums.entries()) {
        for (let at = 0; at < sum.length; at++) all[number][at] = sum[at] / count
      }
    },
  }
}
