// Trains the reader of messages once for each group of authors, without them, for bench/messages: the weights are kept in
// node_modules/.cache, under the digest of what they are made of. `npm run messages:folds`; Node 22.18 or later. What is there is
// not trained again. --only 0,2 trains these groups.
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { foldFile, learnedDigest } from './message-reader/digest.mjs'
import { foldsOf } from './message-reader/folds.mjs'
import { withFragments } from './message-reader/fragments.mjs'
import { readAuthors, tokenised, trainingMessages } from './message-reader/labelled.mjs'
import { exampleOf, trainReaders } from './message-reader/train-reader.mjs'
import { readerBytes } from './message-reader/write-reader.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const EPOCHS = 5
const { values } = parseArgs({ options: { only: { type: 'string' } } })
const only = values.only?.split(',').map(Number)

const authors = readAuthors(join(ROOT, 'data/messages'))
for (const [number, omitted] of foldsOf(authors).entries()) {
  const file = foldFile(learnedDigest(), number)
  if (existsSync(file) || only?.includes(number) === false) continue
  console.log(`${new Date().toISOString()} fold ${number}: without ${omitted.join(', ')}`)
  const examples = authors
    .filter(({ author }) => !omitted.includes(author))
    .flatMap((author) => withFragments(trainingMessages(author)))
    .map((message) => exampleOf(tokenised(message)))
  const afterEpoch = (epoch, epochs) =>
    console.log(`${new Date().toISOString()} epoch ${epoch} of ${epochs}`)
  const readers = trainReaders(examples, { epochs: EPOCHS, afterEpoch })
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(`${file}.new`, readerBytes(readers))
  renameSync(`${file}.new`, file)
}
