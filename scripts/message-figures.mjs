// The figures of the reader of messages in docs/creative-agents.md, from bench/messages/figures.json.
import { readFileSync } from 'node:fs'
import { learnedDigest } from './message-reader/digest.mjs'

const [BEGIN, END] = ['<!-- message figures -->', '<!-- end of message figures -->']
const FOLDER = new URL('../bench/messages/', import.meta.url)

/** What figures.json holds; `npm run bench -- messages --figures` writes it. */
export function messageFigures() {
  return JSON.parse(readFileSync(new URL('figures.json', FOLDER), 'utf8'))
}

/** The page with the figures as they are now. */
export function withFigures(page) {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (from < 0 || to < from) throw new Error('the page has no place for the figures of messages')
  return `${page.slice(0, from + BEGIN.length)}\n\n${tables(messageFigures())}\n\n${page.slice(to)}`
}

const OLDER =
  'These were trained before the last change of what the reader is trained on or by; `npm run messages:folds` trains them again.'

function tables({ digest, unseen, heldOut, groups, every, fewer, least }) {
  const { all, baselines, layers, thresholds, languages, registers } = heldOut
  const testers = unseen.map(({ reader }, index) => ({ name: TESTERS[index], ...reader }))
  const few = oneIn(every * fewer)
  return [
    `${COUNTS[unseen.length]} testers who knew only the description of the product wrote these messages. Nothing was trained on them. One message of the first was looked at, when a handle in it was lost without a note. The totals of the first four were known when the thresholds were chosen:`,
    table('messages of', testers),
    `More messages, harder ones, are those of authors that were left out of the training: ${sayGroups(groups)} Measured is ${oneIn(every)}. ${digest === learnedDigest() ? '' : OLDER}`.trim(),
    table('messages', [{ name: 'the reader', ...all }].concat(baselines)),
    `Each layer switched off, with ${few}:`,
    table(
      'layer',
      layers.map((row, index) => (index === 0 ? row : { ...row, name: `without ${row.name}` })),
    ),
    `A clause is printed that is copy with a probability of ${least} or more. At another threshold, with ${few}; the cost of a message is ten where it prints an instruction, and the share of its copy that is left out:`,
    thresholdTable(thresholds),
    'By language, of those with ten messages or more, and by register:',
    table(
      'language',
      languages.filter(({ messages }) => messages >= LEAST_MESSAGES),
    ),
    table('register', registers),
  ].join('\n\n')
}

const LEAST_MESSAGES = 10

function oneIn(every) {
  return every === 1 ? 'every message' : `one message in ${every}`
}

function sayGroups(groups) {
  const authors = groups.flat().length
  return groups.length === 1
    ? `${authors} of the authors together, in all languages.`
    : `${authors} authors, in ${groups.length} groups, each left out once.`
}

const COUNTS = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six']
const TESTERS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'].map(
  (which) => `the ${which} tester`,
)

const COLUMNS = {
  messages: 'number',
  printsInstruction: 'instruction printed',
  printsBare: 'pure instruction printed',
  copyDrawn: 'words of the copy drawn',
  losesFact: 'fact lost without a note',
  losesCopy: 'copy lost without a note',
  invents: 'word invented',
  falseNotes: 'false note',
  right: 'whole message right',
}

function table(first, rows) {
  const head = [first, ...Object.values(COLUMNS)]
  return markdown(
    head,
    rows.map((row) => [row.name, ...Object.keys(COLUMNS).map((name) => cell(name, row[name]))]),
  )
}

function thresholdTable(rows) {
  const names = ['printsInstruction', 'printsBare', 'copyDrawn', 'right']
  return markdown(
    ['threshold', ...names.map((name) => COLUMNS[name]), 'cost'],
    rows.map((row) => [
      String(row.least),
      ...names.map((name) => cell(name, row[name])),
      row.cost.toFixed(2),
    ]),
  )
}

function markdown(head, rows) {
  const lines = [head, head.map(() => '---'), ...rows]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function cell(name, value) {
  if (value === null) return '–'
  if (name === 'messages') return String(value)
  const percent = value * 100
  return `${percent === 0 || percent >= 10 ? percent.toFixed(0) : percent.toFixed(1)} %`
}
