// The files of the sentence model and of its runtime. The build copies them into dist/ (`scripts/model-files.mjs`),
// and the sources use them from there too when they are run directly.

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The same path from src/ and from dist/. */
const FOLDER = new URL('../../../dist/signals/matching/model/', import.meta.url)

/** By what they are for. */
export const MODEL_FILES = {
  /** Compressed, as is the code. */
  weights: new URL('model_quantized.onnx.gz', FOLDER),
  tokenizer: new URL('tokenizer.json', FOLDER),
  tokenizerConfig: new URL('tokenizer_config.json', FOLDER),
  runtime: new URL('ort.wasm.min.mjs', FOLDER),
  loader: new URL('ort-wasm-simd-threaded.mjs', FOLDER),
  code: new URL('ort-wasm-simd-threaded.wasm.gz', FOLDER),
} as const

/** Why there is no model, in a sentence; undefined if all of its files exist. */
export function missingModelFile(
  files: readonly URL[] = Object.values(MODEL_FILES),
): string | undefined {
  const missing = files.find((file) => !existsSync(file))
  return missing && `${fileURLToPath(missing)} is missing: reinstall adwire, or build it`
}
