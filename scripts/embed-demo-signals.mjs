// Writes src/signals/demo/vectors.bin: the sentence model's vector of every demo signal, each after the
// digest of its text. To be run after a name or a description has changed; needs a build.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { embeddedText } from '../dist/signals/embedded-text.js'
import { loadModel } from '../dist/signals/matching/load-model.js'
import { packVector, quantise } from '../dist/signals/matching/quantise.js'

const FOLDER = new URL('../src/signals/demo/', import.meta.url)

const model = await loadModel()
if ('missing' in model) throw new Error(model.missing)
const texts = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.jsonl'))
  .flatMap((file) => readFileSync(new URL(file, FOLDER), 'utf8').trim().split('\n'))
  .map((line) => embeddedText(JSON.parse(line)))
const records = []
for (const text of [...new Set(texts)].sort()) {
  const digest = createHash('sha256').update(text).digest()
  records.push(digest, packVector(quantise(await model.embed(text))))
}
writeFileSync(new URL('vectors.bin', FOLDER), Buffer.concat(records))
console.log(`${records.length / 2} vectors`)
