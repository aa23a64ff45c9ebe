// Loads the weights of the reader, once per process. `npm run messages:train` generates them from data/messages.

import { readFileSync } from 'node:fs'
import type { ContextModel, Dense } from './context-model.ts'
import type { SequenceModel } from './sequence-model.ts'

/** A higher value omits plain offers. docs/creative-agents.md shows what other thresholds would print and omit. */
const LEAST = 0.82

export interface ReaderModel {
  sequence: SequenceModel
  /** The mean of their scores is added to those of the sequence model. */
  contexts: readonly ContextModel[]
  /** Words with at least this probability of being copy are printed if nothing introduces copy. */
  least: number
}

/** The head of the file of weights. */
interface ReaderHead {
  labels: number
  size: number
  reaches: number[]
  meansAfter: number
  /** The scale of an integer weight of the sequence model, and of one in the table of each network. */
  scales: number[]
  /** In the order of the file: 32-bit floats first, then bytes. */
  floats: number[]
  bytes: number[]
}

let loaded: ReaderModel | undefined

export function readerModel(): ReaderModel {
  loaded ??= readerModelOf(readFileSync(new URL('./weights/reader.bin', import.meta.url)))
  return loaded
}

/**
 * Reads with other weights and another threshold from now on, to measure them.
 * @internal
 */
export function readWith(file: Uint8Array, least = LEAST): void {
  loaded = { ...readerModelOf(file), least }
}

/** The length of the header, the header as JSON, then the weights. */
function readerModelOf(file: Uint8Array): ReaderModel {
  const { buffer } = new Uint8Array(file)
  const [length] = new Uint32Array(buffer, 0, 1) as unknown as [number]
  const head: ReaderHead = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)))
  let at = Math.ceil((4 + length) / 4) * 4
  const floats = head.floats.map((count) => {
    const part = new Float32Array(buffer, at, count)
    at += part.byteLength
    return part
  })
  const [weights, ...tables] = head.bytes.map((count) => {
    const part = new Int8Array(buffer, at, count)
    at += count
    return part
  }) as [Int8Array, ...Int8Array[]]
  const [transitions, ...dense] = floats as [Float32Array, ...Float32Array[]]
  const { labels, scales } = head
  return {
    least: LEAST,
    sequence: { labels, weights, scale: scales[0] as number, transitions },
    contexts: tables.map((table, number) => {
      const own = dense.length / tables.length
      return {
        ...networkOf(head, dense.slice(number * own, (number + 1) * own)),
        number,
        table,
        scale: scales[number + 1] as number,
      }
    }),
  }
}

function networkOf({ labels, size, reaches, meansAfter }: ReaderHead, dense: Float32Array[]) {
  const pairs: Dense[] = []
  for (let index = 0; index < dense.length; index += 2) {
    pairs.push({
      weights: dense[index] as Float32Array,
      biases: dense[index + 1] as Float32Array,
    })
  }
  return {
    size,
    labels,
    reaches,
    meansAfter,
    layers: pairs.slice(0, reaches.length),
    means: pairs[reaches.length] as Dense,
    out: pairs[reaches.length + 1] as Dense,
  }
}
