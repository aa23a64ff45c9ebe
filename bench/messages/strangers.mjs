// Messages of people who knew only the product's description: data/messages/unseen, which nothing was tuned or trained on. No
// I/O of its own but reading the sets.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../../data/messages/unseen/', import.meta.url))

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
  return lines.map((line) => withText(JSON.parse(line)))
}

/** A labelled message with its text. */
export function withText({ l: language, r: register, s: segments }) {
  return { language, register, segments, message: segments.map(([, text]) => text).join('') }
}
