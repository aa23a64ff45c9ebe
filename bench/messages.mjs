// The words of an ad beside the labels of its message: `npm run bench -- messages`. In process and without
// pictures, so that it takes seconds. Flags: --split dev|unseen|dev2|unseen2|dev3|unseen3 (all), --by language|kind, --show, and
// --figures to write messages/figures.json, from which docs/creative-agents.md is made: with all groups trained, some 20 minutes;
// --every N reads only each Nth message of the authors left out
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readLabels, SPLITS } from './messages/labels.mjs'
import { LAYERS } from './messages/layers.mjs'
import { readingFigures } from './messages/reading-figures.mjs'
import { baselineTexts, scoreCreative, summary } from './messages/score.mjs'

export async function run(flags) {
  const { values } = parseArgs({
    args: flags,
    options: {
      split: { type: 'string' },
      by: { type: 'string', multiple: true, default: ['language', 'kind'] },
      show: { type: 'boolean', default: false },
      every: { type: 'string', default: '1' },
      figures: { type: 'boolean', default: false },
    },
  })
  const ways = await waysToWrite()
  if (values.split === undefined || values.figures) await printReading(values)
  for (const split of values.split === undefined ? SPLITS : [values.split]) {
    const labels = readLabels(split)
    const scored = ways.map(([name, write]) => [name, resultsOf(labels, write)])
    console.log(`\n${split}: shares of ${labels.length} messages`)
    console.table(
      Object.fromEntries(scored.map(([name, all]) => [name, rounded(summary(all).all)])),
    )
    const [, own] = scored.find(([name]) => name === 'the reader')
    for (const by of values.by) console.table(byGroup(summary(own)[by], summary(scored[0][1])[by]))
    // What is unseen stays so: faults are displayed only of what is tuned on.
    if (values.show && split.startsWith('dev')) showFaults(own)
  }
}

/** Of messages by people who knew only the product's description, and of authors left out of the training. */
async function printReading({ every, figures: isToWrite }) {
  const figures = await readingFigures({ every: Number(every), log: console.log })
  const { unseen, heldOut } = figures
  for (const { name, ...ways } of unseen) {
    console.log(`\n${name}: ${ways.reader.messages} messages of a stranger`)
    console.table(mapped(ways, rounded))
  }
  if (heldOut === undefined) {
    console.log(
      'no weights without the authors of these messages: npm run messages:folds trains them',
    )
    return
  }
  for (const [name, rows] of Object.entries({
    all: [{ name: 'all', ...heldOut.all }],
    ...heldOut,
  })) {
    if (!Array.isArray(rows)) continue
    console.log(`\nauthors left out: ${name}`)
    console.table(
      Object.fromEntries(rows.map(({ name: row, ...shares }) => [row, rounded(shares)])),
    )
  }
  if (isToWrite) writeFileSync(FIGURES, `${JSON.stringify(figures, rounding, 2)}\n`)
}

const FIGURES = new URL('./messages/figures.json', import.meta.url)

function rounding(_key, value) {
  return typeof value === 'number' ? Number(value.toFixed(4)) : value
}

function mapped(object, change) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]))
}

/** The baseline, the reader, and the reader with each of its layers switched off. */
async function waysToWrite() {
  const { writeTexts } = await import('../dist/creative/layout-engine/texts.js')
  const ad = (without) => (label) => {
    const { texts } = writeTexts({ brand: label.brand, message: label.message }, without)
    return [label.brand.name, texts.headline, texts.description, texts.call_to_action]
  }
  return [
    ['message, cut', baselineTexts],
    ['the reader', ad([])],
    ...LAYERS.map((layer) => [`without ${layer}`, ad([layer])]),
  ]
}

function resultsOf(labels, write) {
  return labels.map((label) => {
    const texts = write(label)
    return { label, texts, score: scoreCreative(label, texts) }
  })
}

const rounded = (shares) =>
  Object.fromEntries(
    Object.entries(shares).map(([name, share]) => [name, share && Number(share.toFixed(3))]),
  )

function byGroup(own, baseline) {
  return Object.fromEntries(
    Object.entries(own).map(([name, shares]) => [
      name,
      {
        messages: shares.messages,
        'all right': Number(shares.allRight.toFixed(2)),
        'message, cut': Number(baseline[name].allRight.toFixed(2)),
        'nothing invented': Number(shares.nothingInvented.toFixed(2)),
      },
    ]),
  )
}

function showFaults(results) {
  for (const { label, texts, score } of results) {
    const faults = Object.entries(score).filter(([, found]) => found.length > 0)
    if (faults.length > 0) console.log(label.id, label.message, texts, JSON.stringify(faults))
  }
}
