// How messages of people who knew only the product's description fare: data/messages/unseen, which nothing was tuned or trained
// on. Their words are labelled as copy or not. Counted are messages whose ad prints an instruction (two words in a row
// that no copy of the message has), and the words of the copy that are drawn. No I/O of its own but reading the sets.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../../data/messages/unseen/', import.meta.url))
const PRINTED = new Set(['headline', 'body', 'cta', 'legal', 'fact'])

/** By name of the set: messages with their text and segments. */
export function readStrangers() {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.jsonl'))
    .sort()
    .map((file) => ({ name: file.slice(0, -'.jsonl'.length), messages: messagesIn(file) }))
}

function messagesIn(file) {
  const lines = readFileSync(FOLDER + file, 'utf8')
    .split('\n')
    .filter(Boolean)
  return lines.map((line) => {
    const { l: language, s: segments } = JSON.parse(line)
    return { language, segments, message: segments.map(([, text]) => text).join('') }
  })
}

/** `textsFor` gives all texts of the ad for a message. */
export function measureStrangers(messages, textsFor) {
  const counts = { instructed: 0, printing: 0, bare: 0, printingBare: 0, words: 0, drawn: 0 }
  for (const { message, segments } of messages) {
    const drawn = wordsOf(textsFor(message).join(' | '))
    const isPrinting = printsInstruction(segments, drawn)
    const isCopy = segments.map(([role]) => PRINTED.has(role))
    if (isCopy.includes(false)) {
      counts.instructed++
      if (isPrinting) counts.printing++
    }
    if (!isCopy.includes(true)) {
      counts.bare++
      if (isPrinting) counts.printingBare++
    }
    const known = new Set(drawn)
    for (const [role, text] of segments) {
      if (!PRINTED.has(role)) continue
      const words = wordsOf(text)
      counts.words += words.length
      counts.drawn += words.filter((word) => known.has(word)).length
    }
  }
  return {
    messages: messages.length,
    printsInstruction: counts.printing / counts.instructed,
    printsBareInstruction: counts.printingBare / counts.bare,
    copyDrawn: counts.drawn / counts.words,
  }
}

function printsInstruction(segments, drawn) {
  const shown = pairsOf(drawn)
  const copy = new Set(
    segments.flatMap(([role, text]) => (PRINTED.has(role) ? [...pairsOf(wordsOf(text))] : [])),
  )
  return segments.some(
    ([role, text]) =>
      !PRINTED.has(role) &&
      [...pairsOf(wordsOf(text))].some((pair) => shown.has(pair) && !copy.has(pair)),
  )
}

function wordsOf(text) {
  const plain = text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
  return plain.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
}

function pairsOf(words) {
  return new Set(words.slice(1).map((word, index) => `${words[index]} ${word}`))
}
