// The figures of the reader of messages: of people who knew only the product's description, and of each group of authors with the
// weights that were trained without it. They are kept in figures.json beside a digest of what the weights are made of,
// since the trainings take long; docs/creative-agents.md is made from that file.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readAuthors } from '../../scripts/message-reader/authors.mjs'
import { learnedDigest } from '../../scripts/message-reader/digest.mjs'
import { trainedFolds } from '../../scripts/message-reader/folds.mjs'
import { checkDrawn, sharesOf } from './check-drawn.mjs'
import { languageOf, registerOf } from './kinds-of-messages.mjs'
import { readStrangers, withText } from './strangers.mjs'
import { loadReader, MODEL_PARTS, printAll, printNothing, RULES, shippedWeights } from './ways.mjs'

const DATA = fileURLToPath(new URL('../../data/messages', import.meta.url))
/** Layers and thresholds are measured on fewer messages, by this factor. */
const FEWER = 3
const INSTRUCTION_COST = 10
const THRESHOLDS = [0.5, 0.65, 0.8, 0.9, 0.95]

/** For one in `every` messages of the groups whose weights exist: `npm run messages:folds` trains them. */
export async function readingFigures({ every, log }) {
  const reader = await loadReader()
  const unseen = strangersBy(reader)
  const folds = leftOutMessages()
  if (folds.length === 0) return { unseen }
  const all = []
  const some = new Map()
  for (const [number, { file, messages }] of folds.entries()) {
    const weights = new Uint8Array(readFileSync(file))
    const own = messages.filter((_message, index) => index % every === 0)
    log(`group ${number + 1} of ${folds.length}: ${own.length} messages`)
    all.push(...checked(own, reader, weights))
    const sample = own.filter((_message, index) => index % FEWER === 0)
    for (const [name, change] of changesOf(weights)) {
      const found = checked(sample, reader, change.weights ?? weights, change)
      some.set(name, (some.get(name) ?? []).concat(found))
    }
  }
  const rowOf = (name) => ({ name, ...sharesOf(some.get(name).map(({ result }) => result)) })
  return {
    digest: learnedDigest(),
    groups: folds.map(({ omitted }) => omitted),
    every,
    fewer: FEWER,
    least: reader.least,
    unseen,
    heldOut: {
      all: sharesOf(all.map(({ result }) => result)),
      baselines: Object.keys(BASELINES).map(rowOf),
      languages: grouped(all, languageOf),
      registers: grouped(all, registerOf),
      layers: ['the reader'].concat(Object.keys(MODEL_PARTS), RULES).map(rowOf),
      thresholds: THRESHOLDS.map((least) => {
        const row = rowOf(String(least))
        return { ...row, least, cost: costOf(some.get(row.name)) }
      }),
    },
  }
}

const BASELINES = { 'print nothing of the message': printNothing, 'print all': printAll }

/** The figures of people who knew only the product's description, with the weights of the package. */
function strangersBy(reader) {
  reader.switchTo(shippedWeights())
  return readStrangers().map(({ name, messages }) => ({
    name,
    reader: sharesOf(
      messages.map((one) => checkDrawn(one, reader.draw(one.message), reader.known)),
    ),
    nothing: sharesOf(messages.map((one) => checkDrawn(one, printNothing(), reader.known))),
    all: sharesOf(messages.map((one) => checkDrawn(one, printAll(one.message), reader.known))),
  }))
}

function leftOutMessages() {
  const authors = readAuthors(DATA)
  return trainedFolds(authors).map(({ omitted, file }) => ({
    omitted,
    file,
    messages: authors
      .filter(({ author }) => omitted.includes(author))
      .flatMap(({ messages }) => messages.map(withText)),
  }))
}

/** For a message on average: ten where it prints an instruction, one for all of its copy that is left out. */
function costOf(found) {
  const costs = found.map(
    ({ result: { isPrinting, units, drawnUnits } }) =>
      (isPrinting ? INSTRUCTION_COST : 0) + (units === 0 ? 0 : 1 - drawnUnits / units),
  )
  return costs.reduce((sum, cost) => sum + cost, 0) / costs.length
}

/** By name: what is switched off, or the threshold. */
function changesOf(weights) {
  return [
    ['the reader', {}],
    ...Object.entries(BASELINES).map(([name, draw]) => [name, { draw }]),
    ...Object.entries(MODEL_PARTS).map(([name, without]) => [name, { weights: without(weights) }]),
    ...RULES.map((name) => [name, { without: [name] }]),
    ...THRESHOLDS.map((least) => [String(least), { least }]),
  ]
}

function checked(messages, reader, weights, { least, without = [], draw = reader.draw } = {}) {
  reader.switchTo(weights, least)
  return messages.map((message) => ({
    message,
    result: checkDrawn(message, draw(message.message, without), reader.known),
  }))
}

/** The largest groups first. */
function grouped(all, nameOf) {
  const groups = new Map()
  for (const { message, result } of all) {
    const name = nameOf(message)
    groups.set(name, (groups.get(name) ?? []).concat(result))
  }
  return [...groups]
    .map(([name, results]) => ({ name, ...sharesOf(results) }))
    .sort((a, b) => b.messages - a.messages || (a.name < b.name ? -1 : 1))
}
