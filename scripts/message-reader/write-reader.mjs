// The weights of a trained reader as one file: a head in JSON, floats, then bytes. See reading/models.ts, which reads it.
import { denseOf } from './context-network.mjs'

/**
 * The hashed features know the authors of the training too well: of authors that are left out, a part of their weight reads more
 * messages right than all of it.
 */
const SEQUENCE_SHARE = 0.5
/** All scores are divided by it: what is trained is surer of authors that it does not know than it is right. */
const CALM = 1.5

export function readerBytes({ sequence, context }) {
  const { out } = context
  const floats = [
    sequence.transitions.map(calmed),
    ...denseOf(context).flatMap((dense) =>
      [dense.weights, dense.biases].map((part) => (dense === out ? part.map(calmed) : part)),
    ),
  ]
  const steps = [inSteps(sequence.weights), inSteps(context.table)]
  const { labels, size, reaches, meansAfter } = context
  const head = Buffer.from(
    JSON.stringify({
      labels,
      size,
      reaches,
      meansAfter,
      scales: [calmed(steps[0].scale * SEQUENCE_SHARE), steps[1].scale],
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
