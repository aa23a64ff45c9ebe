// Writes src/signals/matching/elsewhere/vectors.bin: the sentence model's vector of every line of texts.txt.
// To be run after a line has changed; needs a build.
import { readFileSync, writeFileSync } from 'node:fs'
import { loadModel } from '../dist/signals/matching/load-model.js'
import { packVector, quantise } from '../dist/signals/matching/quantise.js'

const FOLDER = new URL('../src/signals/matching/elsewhere/', import.meta.url)

const model = await loadModel()
if ('missing' in model) throw new Error(model.missing)
const texts = readFileSync(new URL('texts.txt', FOLDER), 'utf8').trimEnd().split('\n')
const records = []
for (const text of texts) records.push(packVector(quantise(await model.embed(text))))
writeFileSync(new URL('vectors.bin', FOLDER), Buffer.concat(records))
console.log(`${records.length} vectors`)
