// Trains the reader of messages from data/messages and writes its weights: `npm run messages:train`, some minutes. Runs the
// sources as they are, so it needs Node 22.18 or later. The same data gives the same bytes. --without NAME,NAME leaves
// authors out, --to FOLDER writes elsewhere.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { withFragments } from './message-reader/fragments.mjs'
import { readAuthors, tokenised } from './message-reader/labelled.mjs'
import { SECOND, secondExamples } from './message-reader/second-pass.mjs'
import { exampleOf, trainSequence } from './message-reader/train-sequence.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({
  options: {
    without: { type: 'string', default: '' },
    data: { type: 'string', default: join(ROOT, 'data/messages') },
    to: { type: 'string', default: join(ROOT, 'src/creative/message/reading/weights') },
  },
})
const omitted = new Set(values.without.split(','))
const messages = readAuthors(values.data)
  .filter(({ author }) => !omitted.has(author))
  .flatMap((author) => author.messages)
mkdirSync(values.to, { recursive: true })
const authors = readAuthors(values.data)
  .filter(({ author }) => !omitted.has(author))
  .map(({ messages }) => withFragments(messages).map((message) => exampleOf(tokenised(message))))
const first = trainSequence(authors.flat())
write('first.bin', first.weights, first.transitions)
const second = trainSequence(secondExamples(authors), SECOND)
write('second.bin', second.weights, second.transitions)
console.log(`trained on ${messages.length} messages`)

/** What a step is worth, then other numbers as they are, then each weight in steps. */
function write(name, weights, others = []) {
  let most = 0
  for (const weight of weights) most = Math.max(most, Math.abs(weight))
  const scale = most / 127
  const head = Float32Array.from([scale, ...others])
  const steps = Int8Array.from(weights, (weight) => Math.round(weight / scale))
  writeFileSync(
    resolve(values.to, name),
    Buffer.concat([Buffer.from(head.buffer), Buffer.from(steps.buffer)]),
  )
}
