// The authors of data/messages, and what puts their messages into an order that is always the same.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export function readAuthors(folder) {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.jsonl'))
    .sort()
    .map((file) => ({
      author: file.slice(0, -'.jsonl'.length),
      messages: readFileSync(join(folder, file), 'utf8')
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => JSON.parse(line)),
    }))
}

/** The messages to train on: examples that the product must read right count as several. */
export function trainingMessages({ author, messages }) {
  return EXAMPLES.has(author) ? [...messages, ...messages, ...messages] : messages
}

const EXAMPLES = new Set(['earlier', 'maintainers'])

/** A generator of numbers between 0 and 1 that gives the same ones in every run (mulberry32). */
export function randomFrom(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** In place (Fisher and Yates). */
export function shuffle(list, random) {
  for (let index = list.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1))
    ;[list[index], list[other]] = [list[other], list[index]]
  }
}
