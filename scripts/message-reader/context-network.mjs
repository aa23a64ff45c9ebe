// The context model while it is trained: forwards with dropout, backwards with gradients. What it computes without dropout is
// what src/creative/message/reading/context-model.ts computes.
import { CONTEXT_ROWS, rowOf } from '../../src/creative/message/reading/context-features.ts'

const SHAPE = { size: 32, reaches: [1, 2, 4, 8], meansAfter: 2 }
/** Of the clause, its sentence, the ones before and after it, and the message. */
const MEANS = 5
/** How often the word itself is left out, so that its parts and its concept are learned too, and other rows. */
const DROPPED = { word: 0.25, other: 0.1 }

export function newNetwork(labels, number, random) {
  const { size, reaches } = SHAPE
  const normal = () => {
    let sum = 0
    for (let count = 0; count < 6; count++) sum += random()
    return (sum - 3) / Math.SQRT1_2
  }
  const filled = (length, spread) => Float32Array.from({ length }, () => normal() * spread)
  const dense = (inputs, outputs, spread = Math.sqrt(1 / inputs)) => ({
    weights: filled(inputs * outputs, spread),
    biases: new Float32Array(outputs),
  })
  return {
    ...SHAPE,
    labels,
    number,
    scale: 1,
    table: filled(CONTEXT_ROWS * size, 0.08),
    layers: reaches.map(() => dense(3 * size, size)),
    means: dense(MEANS * size, size),
    out: dense(size, labels, 0.05),
  }
}

/** The weights beside the table, as pairs of weights and biases. */
export function denseOf({ layers, means, out }) {
  return [...layers, means, out]
}

/** The scores, and what going backwards needs. `dropout` 0 drops nothing. */
export function forwards(network, context, { dropout, random }) {
  const { hashes } = context
  const { size, reaches, layers, meansAfter, table } = network
  const count = hashes.length
  const rows = hashes.map((own) => someRows(own, random).map((hash) => rowOf(hash, network.number)))
  const masks = [0, 1].map(() => maskOf(count * size, dropout, random))
  const sums = new Float32Array(count * size)
  for (const [index, own] of rows.entries()) {
    for (const row of own) {
      for (let at = 0; at < size; at++) sums[index * size + at] += table[row * size + at]
    }
  }
  const curved = sums.map(Math.tanh)
  let hidden = curved.map((value, at) => value * masks[0][at])
  const steps = []
  for (const [number, reach] of reaches.entries()) {
    const step = { input: hidden, ...layerForwards(hidden, layers[number], { size, count, reach }) }
    steps.push(step)
    hidden = step.output
    if (number === meansAfter - 1) {
      step.means = meansForwards(hidden, network.means, size, context)
      hidden = step.means.output
    }
  }
  const { labels, out } = network
  const scores = new Float64Array(count * labels)
  for (let index = 0; index < count; index++) {
    for (let label = 0; label < labels; label++) {
      let sum = out.biases[label]
      for (let at = 0; at < size; at++) {
        const place = index * size + at
        sum += out.weights[label * size + at] * hidden[place] * masks[1][place]
      }
      scores[index * labels + label] = sum
    }
  }
  return { scores, rows, masks, curved, steps, hidden }
}

function someRows(own, random) {
  return own.filter((_row, number) => random() >= (number === 0 ? DROPPED.word : DROPPED.other))
}

function maskOf(length, dropout, random) {
  const mask = new Float32Array(length).fill(1)
  if (dropout === 0) return mask
  for (let at = 0; at < length; at++) mask[at] = random() < dropout ? 0 : 1 / (1 - dropout)
  return mask
}

/** Four outputs at a time: none waits for the sum of another. */
function layerForwards(input, { weights, biases }, { size, count, reach }) {
  const sums = new Float32Array(count * size)
  const output = input.slice()
  for (let index = 0; index < count; index++) {
    const sides = [index - reach, index, index + reach].map((at) => at * size)
    for (let number = 0; number < size; number += 4) {
      let first = biases[number]
      let second = biases[number + 1]
      let third = biases[number + 2]
      let fourth = biases[number + 3]
      for (let side = 0; side < 3; side++) {
        const place = sides[side]
        if (place < 0 || place >= count * size) continue
        const row = (number * 3 + side) * size
        for (let at = 0; at < size; at++) {
          const value = input[place + at]
          first += weights[row + at] * value
          second += weights[row + 3 * size + at] * value
          third += weights[row + 6 * size + at] * value
          fourth += weights[row + 9 * size + at] * value
        }
      }
      const own = index * size + number
      sums[own] = first
      sums[own + 1] = second
      sums[own + 2] = third
      sums[own + 3] = fourth
      if (first > 0) output[own] += first
      if (second > 0) output[own + 1] += second
      if (third > 0) output[own + 2] += third
      if (fourth > 0) output[own + 3] += fourth
    }
  }
  return { sums, output }
}

function meansForwards(hidden, { weights, biases }, size, { sentences, clauses }) {
  const whole = meanOf(hidden, { from: 0, to: hidden.length / size }, size)
  const ofSentences = sentences.map((sentence) => meanOf(hidden, sentence, size))
  const inputs = clauses.map((clause) => {
    const input = new Float32Array(MEANS * size)
    input.set(meanOf(hidden, clause, size))
    for (const [place, number] of sentencesAround(clause)) {
      if (ofSentences[number]) input.set(ofSentences[number], place * size)
    }
    input.set(whole, (MEANS - 1) * size)
    return input
  })
  const sums = new Float32Array(clauses.length * size)
  const output = hidden.slice()
  for (const [number, { from, to }] of clauses.entries()) {
    const input = inputs[number]
    for (let result = 0; result < size; result++) {
      const row = result * input.length
      let sum = biases[result]
      for (let at = 0; at < input.length; at++) sum += weights[row + at] * input[at]
      sums[number * size + result] = sum
      if (sum <= 0) continue
      for (let index = from; index < to; index++) output[index * size + result] += sum
    }
  }
  return { inputs, sums, output }
}

/** The places of their means among the inputs, and their numbers. */
function sentencesAround({ sentence }) {
  return [
    [1, sentence],
    [2, sentence - 1],
    [3, sentence + 1],
  ]
}

function meanOf(hidden, { from, to }, size) {
  const mean = new Float32Array(size)
  for (let index = from; index < to; index++) {
    for (let at = 0; at < size; at++) mean[at] += hidden[index * size + at] / (to - from)
  }
  return mean
}

/**
 * Adds to `gradients`, pairs as in denseOf; `moveRow` receives the gradient of each row of the table that was used.
 */
export function backwards(network, context, passed, { scores, gradients, moveRow }) {
  const { size, reaches, layers, meansAfter, labels } = network
  const count = passed.rows.length
  let flow = outBackwards(network.out, passed, { scores, labels, size, into: gradients.at(-1) })
  for (let number = reaches.length - 1; number >= 0; number--) {
    const step = passed.steps[number]
    if (number === meansAfter - 1) {
      meansBackwards(network.means, step.means, flow, { size, context, into: gradients.at(-2) })
    }
    flow = layerBackwards(layers[number], step, flow, {
      size,
      count,
      reach: reaches[number],
      into: gradients[number],
    })
  }
  const { curved, masks, rows } = passed
  const own = new Float32Array(size)
  for (let index = 0; index < count; index++) {
    for (let at = 0; at < size; at++) {
      const place = index * size + at
      own[at] = flow[place] * masks[0][place] * (1 - curved[place] * curved[place])
    }
    if (own.some((value) => value !== 0)) for (const row of rows[index]) moveRow(row, own)
  }
}

function outBackwards({ weights }, { hidden, masks, rows }, { scores, labels, size, into }) {
  const flow = new Float32Array(hidden.length)
  for (let index = 0; index < rows.length; index++) {
    for (let label = 0; label < labels; label++) {
      const gradient = scores[index * labels + label]
      if (gradient === 0) continue
      into.biases[label] += gradient
      for (let at = 0; at < size; at++) {
        const place = index * size + at
        into.weights[label * size + at] += gradient * hidden[place] * masks[1][place]
        flow[place] += gradient * weights[label * size + at] * masks[1][place]
      }
    }
  }
  return flow
}

function meansBackwards({ weights }, { inputs, sums }, flow, { size, context, into }) {
  const { sentences, clauses } = context
  const ofSentences = sentences.map(() => new Float32Array(size))
  const whole = new Float32Array(size)
  const ofClauses = clauses.map((clause, number) => {
    const toInput = inputBackwards({ weights, clause, into, size, flow }, inputs[number], (at) =>
      Math.max(0, sums[number * size + at]),
    )
    for (const [place, sentence] of sentencesAround(clause)) {
      const toSentence = ofSentences[sentence]
      for (let at = 0; toSentence && at < size; at++) toSentence[at] += toInput[place * size + at]
    }
    for (let at = 0; at < size; at++) whole[at] += toInput[(MEANS - 1) * size + at]
    return toInput
  })
  const count = flow.length / size
  for (const [number, { from, to, sentence }] of clauses.entries()) {
    const own = ofClauses[number]
    const length = sentences[sentence].to - sentences[sentence].from
    for (let index = from; index < to; index++) {
      for (let at = 0; at < size; at++) {
        flow[index * size + at] +=
          own[at] / (to - from) + ofSentences[sentence][at] / length + whole[at] / count
      }
    }
  }
}

/** The gradients of the means that a clause uses; `outputOf` is zero for outputs that were cut off. */
function inputBackwards({ weights, clause: { from, to }, into, size, flow }, input, outputOf) {
  const toInput = new Float32Array(input.length)
  for (let result = 0; result < size; result++) {
    if (outputOf(result) === 0) continue
    let total = 0
    for (let index = from; index < to; index++) total += flow[index * size + result]
    if (total === 0) continue
    const row = result * input.length
    into.biases[result] += total
    for (let at = 0; at < input.length; at++) {
      into.weights[row + at] += total * input[at]
      toInput[at] += total * weights[row + at]
    }
  }
  return toInput
}

function layerBackwards({ weights }, { input, sums }, flow, { size, count, reach, into }) {
  const { weights: toWeights, biases: toBiases } = into
  const next = flow.slice()
  for (let index = 0; index < count; index++) {
    for (let number = 0; number < size; number++) {
      const gradient = sums[index * size + number] > 0 ? flow[index * size + number] : 0
      if (gradient === 0) continue
      toBiases[number] += gradient
      for (let side = -1; side < 2; side++) {
        const place = (index + side * reach) * size
        if (place < 0 || place >= count * size) continue
        const from = (number * 3 + side + 1) * size
        for (let at = 0; at < size; at += 2) {
          const row = from + at
          const to = place + at
          toWeights[row] += gradient * input[to]
          next[to] += gradient * weights[row]
          toWeights[row + 1] += gradient * input[to + 1]
          next[to + 1] += gradient * weights[row + 1]
        }
      }
    }
  }
  return next
}
