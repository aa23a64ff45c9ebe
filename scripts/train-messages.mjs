// Trains the reader of messages from data/messages and data/concepts and writes its weights: `npm run messages:train`, some
// minutes. Runs the sources as they are, so it needs Node 22.18 or later. The same data gives the same bytes.
// --without NAME,NAME leaves authors out, --to FOLDER writes elsewhere, --epochs N.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { conceptBytes } from './message-reader/concepts.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const MESSAGES = join(ROOT, 'src/creative/message')
const { values } = parseArgs({
  options: {
    without: { type: 'string', default: '' },
    data: { type: 'string', default: join(ROOT, 'data/messages') },
    to: { type: 'string', default: join(MESSAGES, 'reading/weights') },
    epochs: { type: 'string', default: '5' },
  },
})
writeFileSync(join(MESSAGES, 'concepts/concepts.bin'), conceptBytes(join(ROOT, 'data/concepts')))
// Loaded now, since features are made of the concepts.
const { withFragments } = await import('./message-reader/fragments.mjs')
const { readAuthors, tokenised, trainingMessages } = await import('./message-reader/labelled.mjs')
const { exampleOf, trainReaders } = await import('./message-reader/train-reader.mjs')
const { languageBytes } = await import('./message-reader/train-language.mjs')
const { readerBytes } = await import('./message-reader/write-reader.mjs')
const omitted = new Set(values.without.split(','))
const authors = readAuthors(values.data).filter(({ author }) => !omitted.has(author))
const messages = authors.flatMap((author) => author.messages)
const languages = languageBytes(messages, {
  concepts: join(ROOT, 'data/concepts'),
  languages: join(ROOT, 'data/languages'),
})
mkdirSync(join(MESSAGES, 'weights'), { recursive: true })
writeFileSync(join(MESSAGES, 'weights/language.bin'), languages)
const examples = authors
  .flatMap((author) => withFragments(trainingMessages(author)))
  .map((message) => exampleOf(tokenised(message)))
const readers = trainReaders(examples, {
  epochs: Number(values.epochs),
  afterEpoch: (epoch, epochs) => console.log(`epoch ${epoch} of ${epochs}`),
})
mkdirSync(values.to, { recursive: true })
writeFileSync(join(values.to, 'reader.bin'), readerBytes(readers))
console.log(`trained on ${messages.length} messages`)
