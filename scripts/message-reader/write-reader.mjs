// The weights of a trained reader as one file: a head in JSON, floats, then bytes. See reading/models.ts, which reads it.
import { denseOf } from './context-network.mjs'

/**
 * The hashed features know the authors of the training too well: of authors that are left out, a part of their weight reads more
 * messages right than all of it.
 */
const SEQUENCE_SHARE = 0.25
/** All scores are divided by it: what is trained is surer of authors that it does not know than it is right. */
const CALM = 1.5

/** `readers` are trained apart: their sequence models become one, their networks stay. */
export function readerBytes(readers) {
  const weights = meanOf(readers.map(({ sequence }) => sequence.weights))
  const transitions = meanOf(readers.map(({ sequence }) => sequence.transitions))
  const floats = [
    transitions.map(calmed),
    ...readers.flatMap(({ context }) =>
      denseOf(context).flatMap((dense) =>
        [dense.weights, dense.biases].map((part) =>
          dense === context.out ? part.map(calmed) : part,
        ),
      ),
    ),
  ]
  const ofWeights = inSteps(weights)
  const ofTables = readers.map(({ context }) => inSteps(context.table))
  const steps = [ofWeights, ...ofTables]
  const { labels, size, reaches, meansAfter } = readers[0].context
  const head = Buffer.from(
    JSON.stringify({
      labels,
      size,
      reaches,
      meansAfter,
      scales: [calmed(ofWeights.scale * SEQUENCE_SHARE), ...ofTables.map(({ scale }) => scale)],
      floats: floats.map(({ length }) => length),
      bytes: steps.map(({ values }) => values.length),
    }),
  )
  const start = Buffer.alloc(Math.ceil((4 + head.length) / 4) * 4, 32)
  start.writeUInt32LE(head.length, 0)
  head.copy(start, 4)
  return Buffer.concat([
    start,
    ...floats.map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength)),
    ...steps.map(({ values }) => Buffer.from(values.buffer)),
  ])
}

function meanOf(parts) {
  return parts[0].map((_value, at) => parts.reduce((sum, part) => sum + part[at], 0) / parts.length)
}

function calmed(score) {
  return score / CALM
}

/** Each weight as a number of steps, the largest as 127. */
function inSteps(weights) {
  let most = 0
  for (const weight of weights) most = Math.max(most, Math.abs(weight))
  const scale = Math.fround(most / 127)
  return { scale, values: Int8Array.from(weights, (weight) => Math.round(weight / scale)) }
}
