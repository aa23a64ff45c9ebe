// Trains the reader: networks that read each token in its context, each with the transitions between roles, by the likelihood of
// the labelled roles. The result is the mean of the last two epochs. The same data gives the same weights, to the byte.
import { contextFeaturesOf } from '../../src/creative/message/reading/context-features.ts'
import { bordersOf } from '../../src/creative/message/reading/parts.ts'
import { newSequenceModel, sumsOf } from '../../src/creative/message/reading/sequence-model.ts'
import { asRead, backwards, denseOf, forwards, newNetwork } from './context-network.mjs'
import { READ_ROLES, randomFrom, shuffle } from './labelled.mjs'

const DEFAULTS = {
  epochs: 4,
  /** Of the transitions. */
  rate: 0.1,
  dropout: 0.2,
  contextRate: 2e-3,
  tableRate: 0.05,
  /** Messages whose gradients are added before the dense weights move. */
  batch: 4,
  seed: 7,
  /** Of the network, for networks that are trained apart. */
  number: 0,
}
/** Longer messages take much time and teach little. */
const MAX_TOKENS = 400
const LABELS = READ_ROLES.length
/** A gradient that changes nothing. */
const LEAST = 0.001

export function exampleOf({ tokens, roles }) {
  return { roles, borders: bordersOf(tokens), context: contextFeaturesOf(tokens) }
}

/** `afterEpoch` is called with the number of each epoch, from 1. */
export function trainReader(examples, options) {
  const settings = { ...DEFAULTS, ...options }
  const random = randomFrom(settings.seed)
  const sequence = newSequenceModel(LABELS)
  const network = newNetwork(LABELS, settings.number, { random, maxTokens: MAX_TOKENS })
  const known = examples.filter(({ roles }) => roles.length > 0 && roles.length <= MAX_TOKENS)
  const steps = (settings.epochs * known.length) / settings.batch
  const moveTransitions = transitionMoves(sequence, settings)
  const moves = networkMoves(network, settings, steps)
  const order = known.map((_example, index) => index)
  const mean = meanOf([
    sequence.transitions,
    network.table,
    ...denseOf(network).flatMap(({ weights, biases }) => [weights, biases]),
  ])
  for (let epoch = 0; epoch < settings.epochs; epoch++) {
    const isLate = epoch >= settings.epochs - 2
    shuffle(order, random)
    for (const [place, number] of order.entries()) {
      if (isLate && place > 0 && place % Math.ceil(order.length / 3) === 0) mean.add()
      const { roles, borders, context } = known[number]
      const passed = forwards(network, context, { dropout: settings.dropout, random })
      const sums = sumsOf(sequence, passed.scores, { borders })
      const gradients = sums.marginals.map(
        (value, at) => (roles[Math.floor(at / LABELS)] === at % LABELS ? 1 : 0) - value,
      )
      moves.add(context, passed, gradients)
      moveTransitions(roles, borders, sums)
      if (place % settings.batch === settings.batch - 1) moves.step()
    }
    if (isLate) mean.add()
    options.afterEpoch(epoch + 1)
  }
  mean.finish()
  return { sequence, context: asRead(network) }
}

function transitionMoves({ transitions }, { rate }) {
  const squares = new Float32Array(transitions.length).fill(1)
  const pair = new Float64Array(LABELS * LABELS)
  return (roles, borders, { forward, backward, own, factors }) => {
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
        if (Math.abs(gradient) < LEAST) continue
        squares[from + at] += gradient * gradient
        transitions[from + at] += (rate * gradient) / Math.sqrt(squares[from + at])
      }
    }
  }
}

/** Adam for the dense weights, with a warm start and a rate that falls; AdaGrad for the rows of the table. */
function networkMoves(network, { contextRate, tableRate, batch }, steps) {
  const { kernels, gradients } = network
  const groups = denseOf(network).flatMap((pair, number) =>
    ['weights', 'biases'].map((name) => {
      const { length } = pair[name]
      const arrays = [
        pair[name],
        gradients[number][name],
        kernels.allot(length),
        kernels.allot(length),
      ]
      return [...arrays.map(({ byteOffset }) => byteOffset), Math.ceil(length / 4)]
    }),
  )
  let step = 0
  /** What the moving means, which begin at zero, still lack. */
  let [firstLack, secondLack] = [1, 1]
  return {
    add(context, { rows }, scores) {
      backwards(network, context, { rows, scores, tableRate })
    },
    step() {
      step++
      const rate = contextRate * Math.min(1, step / 200) * (1 - (0.95 * step) / steps)
      firstLack *= 0.9
      secondLack *= 0.999
      for (const group of groups) {
        kernels.adapt(...group, 1 / batch, rate / (1 - firstLack), 1 / (1 - secondLack))
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
