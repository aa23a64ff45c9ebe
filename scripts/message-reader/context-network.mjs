// The context model while it is trained: forwards with dropout, backwards with gradients. What it computes without dropout is
// what src/creative/message/reading/context-model.ts computes.
import { CONTEXT_ROWS } from '../../src/creative/message/reading/context-features.ts'

const SHAPE = { size: 32, reaches: [1, 2, 4, 8], meansAfter: 2 }
/** How often the word itself is left out, so that its parts and its concept are learned too, and other rows. */
const DROPPED = { word: 0.25, other: 0.1 }

export function newNetwork(labels, random) {
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
    scale: 1,
    table: filled(CONTEXT_ROWS * size, 0.08),
    layers: reaches.map(() => dense(3 * size, size)),
    means: dense(2 * size, size),
    out: dense(size, labels, 0.05),
  }
}

/** The weights beside the table, as pairs of weights and biases. */
export function denseOf({ layers, means, out }) {
  return [...layers, means, out]
}

/** The scores, and what going backwards needs. `dropout` 0 drops nothing. */
export function forwards(network, { rows: all, sentences }, { dropout, random }) {
  const { size, reaches, layers, meansAfter, table } = network
  const count = all.length
  const rows = dropout > 0 ? all.map((own) => someRows(own, random)) : all
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
      step.means = meansForwards(hidden, network.means, { size, sentences })
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

function layerForwards(input, { weights, biases }, { size, count, reach }) {
  const sums = new Float32Array(count * size)
  const output = input.slice()
  for (let index = 0; index < count; index++) {
    const [before, own, after] = [index - reach, index, index + reach].map((at) => at * size)
    for (let number = 0; number < size; number++) {
      const from = number * 3 * size
      let sum = biases[number]
      if (before >= 0) {
        for (let at = 0; at < size; at++) sum += weights[from + at] * input[before + at]
      }
      for (let at = 0; at < size; at++) sum += weights[from + size + at] * input[own + at]
      if (after < count * size) {
        for (let at = 0; at < size; at++) sum += weights[from + 2 * size + at] * input[after + at]
      }
      sums[own + number] = sum
      if (sum > 0) output[own + number] += sum
    }
  }
  return { sums, output }
}

function meansForwards(hidden, { weights, biases }, { size, sentences }) {
  const count = hidden.length / size
  const own = new Float32Array(sentences.length * size)
  const whole = new Float32Array(size)
  for (const [number, { from, to }] of sentences.entries()) {
    for (let index = from; index < to; index++) {
      for (let at = 0; at < size; at++) {
        own[number * size + at] += hidden[index * size + at] / (to - from)
        whole[at] += hidden[index * size + at] / count
      }
    }
  }
  const sums = new Float32Array(own.length)
  const output = hidden.slice()
  for (const [number, { from, to }] of sentences.entries()) {
    for (let result = 0; result < size; result++) {
      const row = result * 2 * size
      let sum = biases[result]
      for (let at = 0; at < size; at++) {
        sum += weights[row + at] * own[number * size + at] + weights[row + size + at] * whole[at]
      }
      sums[number * size + result] = sum
      if (sum <= 0) continue
      for (let index = from; index < to; index++) output[index * size + result] += sum
    }
  }
  return { own, whole, sums, output }
}

/**
 * Adds to `gradients`, pairs as in denseOf; `moveRow` receives the gradient of each row of the table that was used.
 */
export function backwards(network, { sentences }, passed, { scores, gradients, moveRow }) {
  const { size, reaches, layers, meansAfter, labels } = network
  const count = passed.rows.length
  let flow = outBackwards(network.out, passed, { scores, labels, size, into: gradients.at(-1) })
  for (let number = reaches.length - 1; number >= 0; number--) {
    const step = passed.steps[number]
    if (number === meansAfter - 1) {
      meansBackwards(network.means, step.means, flow, { size, sentences, into: gradients.at(-2) })
    }
    flow = layerBackwards(layers[number], step, flow, {
      size,
      count,
      reach: reaches[number],
      into: gradients[number],
    })
  }
  const own = new Float32Array(size)
  for (let index = 0; index < count; index++) {
    for (let at = 0; at < size; at++) {
      const place = index * size + at
      own[at] = flow[place] * passed.masks[0][place] * (1 - passed.curved[place] ** 2)
    }
    if (own.some((value) => value !== 0)) for (const row of passed.rows[index]) moveRow(row, own)
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

function meansBackwards({ weights }, { own, whole, sums }, flow, { size, sentences, into }) {
  const count = flow.length / size
  const toWhole = new Float32Array(size)
  const toOwn = sentences.map(({ from, to }, number) => {
    const gradients = new Float32Array(size)
    for (let result = 0; result < size; result++) {
      if (sums[number * size + result] <= 0) continue
      let total = 0
      for (let index = from; index < to; index++) total += flow[index * size + result]
      if (total === 0) continue
      const row = result * 2 * size
      into.biases[result] += total
      for (let at = 0; at < size; at++) {
        into.weights[row + at] += total * own[number * size + at]
        into.weights[row + size + at] += total * whole[at]
        gradients[at] += total * weights[row + at]
        toWhole[at] += total * weights[row + size + at]
      }
    }
    return gradients
  })
  for (const [number, { from, to }] of sentences.entries()) {
    for (let index = from; index < to; index++) {
      for (let at = 0; at < size; at++) {
        flow[index * size + at] += toOwn[number][at] / (to - from) + toWhole[at] / count
      }
    }
  }
}

function layerBackwards({ weights }, { input, sums }, flow, { size, count, reach, into }) {
  const next = flow.slice()
  for (let index = 0; index < count; index++) {
    const places = [index - reach, index, index + reach]
    for (let number = 0; number < size; number++) {
      const gradient = sums[index * size + number] > 0 ? flow[index * size + number] : 0
      if (gradient === 0) continue
      into.biases[number] += gradient
      for (let side = 0; side < 3; side++) {
        if (places[side] < 0 || places[side] >= count) continue
        const from = number * 3 * size + side * size
        const place = places[side] * size
        for (let at = 0; at < size; at++) {
          into.weights[from + at] += gradient * input[place + at]
          next[place + at] += gradient * weights[from + at]
        }
      }
    }
  }
  return next
}
