// The context model while it is trained: forwards with dropout, backwards with gradients. What it computes without dropout is
// what src/creative/message/reading/context-model.ts computes.
import { CONTEXT_ROWS, rowOf } from '../../src/creative/message/reading/context-features.ts'
import { kernelsFor } from './kernels.mjs'

const SHAPE = { size: 32, reaches: [1, 2, 4, 8], meansAfter: 2 }
/** Of the clause, its sentence, the ones before and after it, and the message. */
const MEANS = 5
/** Before, at and after a token. */
const SIDES = 3
/** How often the word itself is left out, so that its parts and its concept are learned too, and other rows. */
const DROPPED = { word: 0.25, other: 0.1 }
const BYTES = 4

/** For messages of at most `maxTokens`. */
export function newNetwork(labels, number, { random, maxTokens }) {
  const { size, reaches } = SHAPE
  const rows = CONTEXT_ROWS * size
  const vectors = 40 * maxTokens
  const dense = 4 * size * (SIDES * size * reaches.length + MEANS * size + labels + 64)
  const kernels = kernelsFor(size, (2 * rows + vectors * size + dense) * BYTES)
  const filled = (length, spread) => {
    const values = kernels.allot(length)
    for (let at = 0; at < length; at++) values[at] = normal(random) * spread
    return values
  }
  const pair = (inputs, outputs, spread = Math.sqrt(1 / inputs)) => ({
    weights: filled(inputs * outputs, spread),
    biases: kernels.allot(outputs),
  })
  const table = filled(rows, 0.08)
  const layers = reaches.map(() => pair(SIDES * size, size))
  const means = pair(MEANS * size, size)
  const out = pair(size, labels, 0.05)
  const all = [...layers, means, out]
  return {
    labels,
    number,
    kernels,
    table,
    squares: kernels.allot(rows).fill(0.05),
    layers,
    means,
    out,
    gradients: all.map(({ weights, biases }) => ({
      weights: kernels.allot(weights.length),
      biases: kernels.allot(biases.length),
    })),
    room: roomFor(kernels, size, maxTokens),
  }
}

/** Roughly normal: a sum of even numbers. */
function normal(random) {
  let sum = 0
  for (let count = 0; count < 6; count++) sum += random()
  return (sum - 3) / Math.SQRT1_2
}

/** For what is computed of a message, used again for the next. */
function roomFor(kernels, size, maxTokens) {
  const vectors = () => kernels.allot(maxTokens * size)
  const many = (count) => Array.from({ length: count }, vectors)
  const layers = SHAPE.reaches.length
  return {
    curved: vectors(),
    masks: many(2),
    hidden: many(layers + 1),
    sums: many(layers),
    withMeans: vectors(),
    inputs: many(MEANS),
    toInputs: many(MEANS),
    meanSums: vectors(),
    flow: vectors(),
    nextFlow: vectors(),
    cut: vectors(),
    row: kernels.allot(size),
  }
}

/** The weights beside the table, as pairs of weights and biases: weights are stored input by input, those of `out` by output. */
export function denseOf({ layers, means, out }) {
  return [...layers, means, out]
}

/** The network as src/creative/message/reading/context-model.ts has it: all weights output by output. */
export function asRead({ labels, number, table, layers, means, out }) {
  const { size } = SHAPE
  const byOutput = ({ weights, biases }) => {
    const inputs = weights.length / size
    const turned = new Float32Array(weights.length)
    for (let input = 0; input < inputs; input++) {
      for (let output = 0; output < size; output++) {
        turned[output * inputs + input] = weights[input * size + output]
      }
    }
    return { weights: turned, biases: Float32Array.from(biases) }
  }
  return {
    ...SHAPE,
    labels,
    number,
    table: Float32Array.from(table),
    layers: layers.map(byOutput),
    means: byOutput(means),
    out: { weights: Float32Array.from(out.weights), biases: Float32Array.from(out.biases) },
  }
}

/** The scores, and the rows that were used. The rest of what going backwards needs stays in `network.room`. */
export function forwards(network, context, { dropout, random }) {
  const { size, reaches, meansAfter } = SHAPE
  const { room, layers, means } = network
  const count = context.hashes.length
  const rows = context.hashes.map((own) =>
    someRows(own, random).map((hash) => rowOf(hash, network.number)),
  )
  embed(network, rows)
  for (const mask of room.masks) fillMask(mask, count * size, { dropout, random })
  for (let at = 0; at < count * size; at++) {
    room.hidden[0][at] = room.curved[at] * room.masks[0][at]
  }
  let hidden = room.hidden[0]
  for (const [number, reach] of reaches.entries()) {
    layerForwards(network, layers[number], { hidden, number, count, reach })
    hidden = room.hidden[number + 1]
    if (number === meansAfter - 1) {
      meansForwards(network, means, hidden, context)
      hidden = room.withMeans
    }
  }
  const { labels, out } = network
  const scores = new Float64Array(count * labels)
  for (let index = 0; index < count; index++) {
    for (let label = 0; label < labels; label++) {
      let sum = out.biases[label]
      for (let at = 0; at < size; at++) {
        const place = index * size + at
        sum += out.weights[label * size + at] * hidden[place] * room.masks[1][place]
      }
      scores[index * labels + label] = sum
    }
  }
  return { scores, rows }
}

function someRows(own, random) {
  return own.filter((_row, number) => random() >= (number === 0 ? DROPPED.word : DROPPED.other))
}

function embed({ table, room }, rows) {
  const { size } = SHAPE
  const { curved, row: sum } = room
  for (const [index, own] of rows.entries()) {
    sum.fill(0)
    for (const row of own) {
      for (let at = 0; at < size; at++) sum[at] += table[row * size + at]
    }
    for (let at = 0; at < size; at++) curved[index * size + at] = Math.tanh(sum[at])
  }
}

function fillMask(mask, length, { dropout, random }) {
  const kept = 1 / (1 - dropout)
  for (let at = 0; at < length; at++) mask[at] = random() < dropout ? 0 : kept
}

/** For each side of a layer: which vectors are its inputs, which its outputs, and how many. */
function sidesOf(count, reach) {
  return [-reach, 0, reach].map((shift) => ({
    input: Math.max(0, shift),
    output: Math.max(0, -shift),
    count: Math.max(0, count - Math.abs(shift)),
  }))
}

function fillBiases(sums, biases, count) {
  for (let index = 0; index < count; index++) sums.set(biases, index * biases.length)
}

function layerForwards({ kernels, room }, { weights, biases }, { hidden, number, count, reach }) {
  const { size } = SHAPE
  const [sums, output] = [room.sums[number], room.hidden[number + 1]]
  fillBiases(sums, biases, count)
  for (const [side, part] of sidesOf(count, reach).entries()) {
    kernels.multiply(
      hidden.byteOffset + part.input * size * BYTES,
      weights.byteOffset + side * size * size * BYTES,
      sums.byteOffset + part.output * size * BYTES,
      part.count,
    )
  }
  for (let at = 0; at < count * size; at++) {
    output[at] = sums[at] > 0 ? hidden[at] + sums[at] : hidden[at]
  }
}

function meansForwards(
  { kernels, room },
  { weights, biases },
  hidden,
  { sentences, clauses, hashes },
) {
  const { size } = SHAPE
  const count = hashes.length
  const whole = meanOf(hidden, { from: 0, to: count }, size)
  const ofSentences = sentences.map((sentence) => meanOf(hidden, sentence, size))
  const none = new Float32Array(size)
  for (const [number, clause] of clauses.entries()) {
    const at = number * size
    const { sentence } = clause
    room.inputs[0].set(meanOf(hidden, clause, size), at)
    for (const [place, near] of [sentence, sentence - 1, sentence + 1].entries()) {
      room.inputs[place + 1].set(ofSentences[near] ?? none, at)
    }
    room.inputs[MEANS - 1].set(whole, at)
  }
  fillBiases(room.meanSums, biases, clauses.length)
  for (const [place, input] of room.inputs.entries()) {
    kernels.multiply(
      input.byteOffset,
      weights.byteOffset + place * size * size * BYTES,
      room.meanSums.byteOffset,
      clauses.length,
    )
  }
  room.withMeans.set(hidden.subarray(0, count * size))
  for (const [number, { from, to }] of clauses.entries()) {
    for (let result = 0; result < size; result++) {
      const sum = room.meanSums[number * size + result]
      if (sum <= 0) continue
      for (let index = from; index < to; index++) room.withMeans[index * size + result] += sum
    }
  }
}

function meanOf(hidden, { from, to }, size) {
  const mean = new Float32Array(size)
  for (let index = from; index < to; index++) {
    for (let at = 0; at < size; at++) mean[at] += hidden[index * size + at] / (to - from)
  }
  return mean
}

/** Adds to the gradients of the network, and moves the rows of the table that were used. `scores` are gradients of scores. */
export function backwards(network, context, { rows, scores, tableRate }) {
  const { reaches, meansAfter, size } = SHAPE
  const { room } = network
  const count = rows.length
  outBackwards(network, scores, count)
  for (let number = reaches.length - 1; number >= 0; number--) {
    if (number === meansAfter - 1) meansBackwards(network, context, count)
    const input = number === meansAfter ? room.withMeans : room.hidden[number]
    layerBackwards(network, input, { number, count, reach: reaches[number] })
  }
  const { kernels, table, squares } = network
  for (const [index, own] of rows.entries()) {
    for (let at = 0; at < size; at++) {
      const place = index * size + at
      const curved = room.curved[place]
      room.row[at] = room.flow[place] * room.masks[0][place] * (1 - curved * curved)
    }
    for (const row of own) {
      const from = row * size * BYTES
      const { byteOffset } = room.row
      kernels.move(table.byteOffset + from, squares.byteOffset + from, byteOffset, tableRate)
    }
  }
}

function outBackwards({ room, out: { weights }, gradients, labels }, scores, count) {
  const { size, reaches } = SHAPE
  const into = gradients.at(-1)
  const { flow } = room
  const hidden = room.hidden[reaches.length]
  const mask = room.masks[1]
  flow.fill(0, 0, count * size)
  for (let index = 0; index < count; index++) {
    for (let label = 0; label < labels; label++) {
      const gradient = scores[index * labels + label]
      if (gradient === 0) continue
      into.biases[label] += gradient
      for (let at = 0; at < size; at++) {
        const place = index * size + at
        into.weights[label * size + at] += gradient * hidden[place] * mask[place]
        flow[place] += gradient * weights[label * size + at] * mask[place]
      }
    }
  }
}

function meansBackwards({ kernels, room, means, gradients }, { sentences, clauses }, count) {
  const { size } = SHAPE
  const { flow, cut, meanSums, inputs, toInputs } = room
  const into = gradients.at(-2)
  for (const [number, { from, to }] of clauses.entries()) {
    for (let result = 0; result < size; result++) {
      const place = number * size + result
      let total = 0
      for (let index = from; index < to; index++) total += flow[index * size + result]
      cut[place] = meanSums[place] > 0 ? total : 0
      into.biases[result] += cut[place]
    }
  }
  for (const [place, toInput] of toInputs.entries()) {
    toInput.fill(0, 0, clauses.length * size)
    const from = place * size * size * BYTES
    kernels.back(
      inputs[place].byteOffset,
      means.weights.byteOffset + from,
      cut.byteOffset,
      toInput.byteOffset,
      into.weights.byteOffset + from,
      clauses.length,
    )
  }
  const ofSentences = sentences.map(() => new Float32Array(size))
  const whole = new Float32Array(size)
  for (const [number, { sentence }] of clauses.entries()) {
    for (const [place, near] of [sentence, sentence - 1, sentence + 1].entries()) {
      const toSentence = ofSentences[near]
      for (let at = 0; toSentence && at < size; at++) {
        toSentence[at] += toInputs[place + 1][number * size + at]
      }
    }
    for (let at = 0; at < size; at++) whole[at] += toInputs[MEANS - 1][number * size + at]
  }
  for (const [number, { from, to, sentence }] of clauses.entries()) {
    const length = sentences[sentence].to - sentences[sentence].from
    for (let at = 0; at < size; at++) {
      const own =
        toInputs[0][number * size + at] / (to - from) +
        ofSentences[sentence][at] / length +
        whole[at] / count
      for (let index = from; index < to; index++) flow[index * size + at] += own
    }
  }
}

function layerBackwards({ kernels, room, layers, gradients }, input, { number, count, reach }) {
  const { size } = SHAPE
  const { cut, flow, nextFlow } = room
  const sums = room.sums[number]
  const into = gradients[number]
  nextFlow.set(flow.subarray(0, count * size))
  for (let at = 0; at < count * size; at++) {
    cut[at] = sums[at] > 0 ? flow[at] : 0
    into.biases[at % size] += cut[at]
  }
  for (const [side, part] of sidesOf(count, reach).entries()) {
    const from = side * size * size * BYTES
    kernels.back(
      input.byteOffset + part.input * size * BYTES,
      layers[number].weights.byteOffset + from,
      cut.byteOffset + part.output * size * BYTES,
      nextFlow.byteOffset + part.input * size * BYTES,
      into.weights.byteOffset + from,
      part.count,
    )
  }
  room.flow = nextFlow
  room.nextFlow = flow
}
