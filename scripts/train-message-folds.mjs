// Trains the reader of messages once for each group of authors, without them, for bench/messages: the weights are kept in
// node_modules/.cache, under the digest of what they are made of. `npm run messages:folds`; Node 22.18 or later. What is there is
// not trained again. --only 0,2 trains these groups.
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { foldFile, learnedDigest } from './message-reader/digest.mjs'
import { foldsOf } from './message-reader/folds.mjs'
import { readAuthors } from './message-reader/labelled.mjs'
import { trainReaders } from './message-reader/train-readers.mjs'
import { readerBytes } from './message-reader/write-reader.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({ options: { only: { type: 'string' } } })
const only = values.only?.split(',').map(Number)

const DATA = join(ROOT, 'data/messages')
const log = (line) => console.log(`${new Date().toISOString()} ${line}`)
for (const [number, omitted] of foldsOf(readAuthors(DATA)).entries()) {
  const file = foldFile(learnedDigest(), number)
  if (existsSync(file) || only?.includes(number) === false) continue
  log(`fold ${number}: without ${omitted.join(', ')}`)
  const readers = await trainReaders({ data: DATA, without: omitted, log })
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(`${file}.new`, readerBytes(readers))
  renameSync(`${file}.new`, file)
}
