// The weights of a trained reader as one file: a head in JSON, floats, then bytes. See reading/models.ts, which reads it.
import { denseOf } from './context-network.mjs'

export function readerBytes({ sequence, context }) {
  const floats = [
    sequence.transitions,
    ...denseOf(context).flatMap(({ weights, biases }) => [weights, biases]),
  ]
  const steps = [inSteps(sequence.weights), inSteps(context.table)]
  const { labels, size, reaches, meansAfter } = context
  const head = Buffer.from(
    JSON.stringify({
      labels,
      size,
      reaches,
      meansAfter,
      scales: steps.map(({ scale }) => scale),
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

/** Each weight as a number of steps, the largest as 127. */
function inSteps(weights) {
  let most = 0
  for (const weight of weights) most = Math.max(most, Math.abs(weight))
  const scale = Math.fround(most / 127)
  return { scale, values: Int8Array.from(weights, (weight) => Math.round(weight / scale)) }
}
