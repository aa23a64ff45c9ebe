// Trains the classifier of languages in Latin letters: the labelled messages, sentences of theirs, the words of the concepts,
// and phrases of languages that are easily taken for each other. The same data gives the same bytes.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LANGUAGE_BUCKETS, languageFeatures } from '../../src/creative/message/language-model.ts'
import { randomFrom, shuffle } from './labelled.mjs'

const EPOCHS = 6
const RATE = 0.5
const SHORTEST = 6
const PHRASE_WORTH = 3
const OTHER_SCRIPTS =
  /[\p{sc=Cyrl}\p{sc=Grek}\p{sc=Arab}\p{sc=Hebr}\p{sc=Deva}\p{sc=Thai}\p{sc=Han}\p{sc=Hang}\p{sc=Kana}\p{sc=Hira}]/u

export function languageBytes(messages, { concepts, languages: phrases }) {
  const examples = examplesOf(messages, concepts).concat(phrasesOf(phrases))
  const languages = [...new Set(examples.map(({ language }) => language))].sort()
  const count = languages.length
  const weights = new Float32Array(LANGUAGE_BUCKETS * count)
  const squares = new Float32Array(weights.length).fill(0.1)
  const random = randomFrom(5)
  const rows = examples.map(({ language, text, worth }) => ({
    wanted: languages.indexOf(language),
    features: languageFeatures(text),
    worth,
  }))
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    shuffle(rows, random)
    for (const { wanted, features, worth } of rows) learn({ wanted, features, worth })
  }
  function learn({ wanted, features, worth }) {
    if (features.length === 0) return
    const share = 1 / Math.sqrt(features.length)
    const scores = new Float64Array(count)
    for (const bucket of features) {
      for (let at = 0; at < count; at++) scores[at] += weights[bucket * count + at] * share
    }
    const most = Math.max(...scores)
    const likelihoods = scores.map((score) => Math.exp(score - most))
    const total = likelihoods.reduce((sum, one) => sum + one, 0)
    for (const bucket of features) {
      for (let at = 0; at < count; at++) {
        const gradient = worth * share * ((at === wanted ? 1 : 0) - likelihoods[at] / total)
        if (Math.abs(gradient) < 1e-4) continue
        const place = bucket * count + at
        squares[place] += gradient * gradient
        weights[place] += (RATE * gradient) / Math.sqrt(squares[place])
      }
    }
  }
  let most = 0
  for (const weight of weights) most = Math.max(most, Math.abs(weight))
  const scale = most / 127
  const head = Buffer.from(JSON.stringify({ languages, scale }))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(head.length, 0)
  const steps = Int8Array.from(weights, (weight) => Math.round(weight / scale))
  return Buffer.concat([length, head, Buffer.from(steps.buffer)])
}

/** Short copy tells little, so these weigh most. */
function phrasesOf(folder) {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.txt'))
    .sort()
    .flatMap((file) =>
      readFileSync(join(folder, file), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((text) => ({ language: file.slice(0, 2), text, worth: PHRASE_WORTH })),
    )
}

/** Whole messages, their sentences, and single words; what has fewer examples weighs more. */
function examplesOf(messages, concepts) {
  const texts = messages.flatMap(({ l, s }) => {
    const language = l.split('-')[0]
    if (l.includes('+') || l.includes('Latn')) return []
    const text = s.map(([, part]) => part).join('')
    const parts = s.map(([, part]) => part).filter((part) => part.trim().length > SHORTEST)
    return [text, ...parts].map((one) => ({ language, text: one }))
  })
  const words = readdirSync(concepts)
    .filter((file) => file.endsWith('.tsv'))
    .flatMap((file) =>
      readFileSync(join(concepts, file), 'utf8')
        .split('\n')
        .flatMap((line) => (line.split('\t')[1] ?? '').split(','))
        .map((form) => ({
          language: file.slice(0, 2),
          text: form.replace('*', '').trim(),
        })),
    )
  const all = [...texts, ...words].filter(
    ({ text }) => !OTHER_SCRIPTS.test(text) && /\p{sc=Latin}{2}/u.test(text),
  )
  const counts = new Map()
  for (const { language } of all) counts.set(language, (counts.get(language) ?? 0) + 1)
  const largest = Math.max(...counts.values())
  return all
    .filter(({ language }) => counts.get(language) >= 100)
    .map((one) => ({ ...one, worth: Math.min(3, Math.sqrt(largest / counts.get(one.language))) }))
}
