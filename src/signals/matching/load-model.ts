// Loads all-MiniLM-L6-v2 (Apache-2.0) from the files next to this one, and runs it in WASM on the calling thread:
// some milliseconds per text, so never on the server's main thread.

import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type * as Runtime from 'onnxruntime-web/wasm'
import { MODEL_FILES } from './model-files.ts'

/** What a text becomes: of length 1. */
type Embed = (text: string) => Promise<Float32Array>

export type LoadedModel = { embed: Embed } | { missing: string }

/** Longer texts are truncated: the model was not trained on more. */
const MAX_TOKENS = 128
const SEPARATOR = 102

/** `missing` explains in a sentence why there is no model; a missing model never throws. */
export async function loadModel(): Promise<LoadedModel> {
  try {
    const { Tokenizer } = await import('@huggingface/tokenizers')
    const ort = (await import(MODEL_FILES.runtime.href)) as typeof Runtime
    const [weights, code, tokenizer, tokenizerConfig] = await Promise.all([
      readFile(MODEL_FILES.weights).then(promisify(gunzip)),
      readFile(MODEL_FILES.code).then(promisify(gunzip)),
      readFile(MODEL_FILES.tokenizer, 'utf8'),
      readFile(MODEL_FILES.tokenizerConfig, 'utf8'),
    ])
    ort.env.wasm.wasmPaths = { mjs: MODEL_FILES.loader.href }
    ort.env.wasm.wasmBinary = code
    ort.env.wasm.numThreads = 1
    const cut = new Tokenizer(JSON.parse(tokenizer), JSON.parse(tokenizerConfig))
    const session = await ort.InferenceSession.create(weights)
    delete ort.env.wasm.wasmBinary
    const tensor = (numbers: BigInt64Array) => new ort.Tensor('int64', numbers, [1, numbers.length])
    return {
      embed: async (text) => {
        const ids = tokensOf(cut.encode(text).ids)
        // One text at a time: the quantised model's result depends on what else is in a batch.
        const { last_hidden_state: states } = await session.run({
          input_ids: tensor(BigInt64Array.from(ids, BigInt)),
          attention_mask: tensor(new BigInt64Array(ids.length).fill(1n)),
          token_type_ids: tensor(new BigInt64Array(ids.length)),
        })
        return meanOf(states?.data as Float32Array, ids.length)
      },
    }
  } catch (error) {
    return { missing: `the sentence model could not be loaded: ${reasonOf(error)}` }
  }
}

function tokensOf(ids: readonly number[]): readonly number[] {
  return ids.length <= MAX_TOKENS ? ids : [...ids.slice(0, MAX_TOKENS - 1), SEPARATOR]
}

function meanOf(states: Float32Array, count: number): Float32Array {
  const width = states.length / count
  const mean = new Float32Array(width)
  for (let at = 0; at < states.length; at++) mean[at % width]! += states[at]!
  const length = Math.hypot(...mean)
  return mean.map((x) => x / length)
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.split('\n')[0] ?? message
}
