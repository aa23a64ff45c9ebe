// A digest of all that the weights of the reader are made of: the labelled messages, the concepts, what makes features of
// them, and what trains.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const LEARNED_FROM = [
  'data/messages',
  'data/concepts',
  'scripts/message-reader',
  'src/creative/message/concepts',
  'src/creative/message/reading',
]
const LEARNED_KINDS = /\.(?:jsonl|tsv|ts|mjs)$/
/** What only uses the weights, and what is made of them. */
const NOT_LEARNED = new Set([
  'models.ts',
  'labelled-tokens.ts',
  'spans.ts',
  'digest.mjs',
  'folds.mjs',
  'joined-words.ts',
  'picture-sheets.mjs',
  'train-language.mjs',
])

export function learnedDigest() {
  const hash = createHash('sha256')
  for (const folder of LEARNED_FROM) {
    for (const file of readdirSync(join(ROOT, folder)).sort()) {
      if (!LEARNED_KINDS.test(file) || NOT_LEARNED.has(file)) continue
      hash.update(`${folder}/${file}\n`).update(readFileSync(join(ROOT, folder, file)))
    }
  }
  return hash.digest('hex').slice(0, 16)
}

/** Where the weights of a group of authors left out are kept. */
export function foldFile(digest, number) {
  return join(ROOT, 'node_modules/.cache/adwire-messages', `${digest}-${number}.bin`)
}
