// A text that is eight times as long takes about eight times as long to read, whatever it is made of. What is
// compared is processor time, the least of several runs, so that other work on the machine does not count.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { understandSpec } from '../../../../src/signals/matching/language/understand-spec.ts'
import { contentWords, stemOf } from '../../../../src/signals/matching/words.ts'
import { smallVocabulary } from './words.ts'

const vocabulary = smallVocabulary()
const SHORT = 500

/** Eight times, and half as much again for what the clock and the garbage add. Squares are 64 times. */
const MOST = 8 * 1.5
/** What is measured in less than this is mostly the measuring. */
const LEAST_MS = 4
const RUNS = 2

function cpuMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

/** How many times longer the long one takes. */
function timesLonger(read: (text: string) => unknown, short: string, long: string): number {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let run = 0; run < RUNS; run++) {
    least = Math.min(
      least,
      cpuMs(() => read(short)),
    )
    most = Math.min(
      most,
      cpuMs(() => read(long)),
    )
  }
  return most / Math.max(least, LEAST_MS)
}

const filled = (fragment: string, length: number) =>
  fragment.repeat(Math.ceil(length / fragment.length)).slice(0, length)

/** What the patterns look for, and what they go through without finding it. */
const FRAGMENT = fc.constantFrom(
  'no a, ',
  'not a, ',
  'avoid a, ',
  'excluding a,',
  'without ',
  'never or ',
  'but not ',
  'and ',
  'and, ',
  'who ',
  'who is ',
  'who are, ',
  'the ',
  'with a ',
  'of of ',
  'also, ',
  'total ',
  'total media ',
  'ditch ',
  'swap for ',
  'for a new campaign ',
  'budget: 5 ',
  'in UK ',
  'UK, ',
  'on ctv and display, ',
  'moms and dads ',
  '1 and 2 ',
  'young and ',
  'der hund und ',
  'para los ',
  'elektroauto',
  'käufer',
  'é ',
  'xqzvk ',
  'A B C ',
  '-',
  '-.',
  ' - A',
  '. ',
  ';',
  '(',
  '()',
  '\n',
  '\u00a0',
  '\t ',
  '«',
  "'",
  '’s ',
  'a',
  'ab',
  'http://',
  'e.g.',
  '1. ',
  '• ',
  'people who want to buy a car ',
  "don't ",
  'interested in ',
)

test('a brief is read in time that grows with its length and no faster', () => {
  // The first reads make what is kept for all.
  for (const fragment of ['no a ', 'der hund ', 'para los ']) {
    understandSpec(filled(fragment, SHORT), vocabulary)
  }
  const read = (text: string) => understandSpec(text, vocabulary)
  fc.assert(
    fc.property(fc.array(FRAGMENT, { minLength: 1, maxLength: 3 }), (fragments) => {
      const fragment = fragments.join('')
      const [short, long] = [filled(fragment, SHORT), filled(fragment, 8 * SHORT)]
      expect(timesLonger(read, short, long)).toBeLessThan(MOST)
    }),
    { numRuns: 7, examples: [[['no a, ']], [['who are, ']], [['the ']], [['elektroauto']]] },
  )
})

test('the words of a text are found and cut in time that grows with its length and no faster', () => {
  const read = (text: string) => contentWords(text).map(stemOf)
  for (const fragment of ['a', 'ab', 'aing', 'a ', "a's", 'é']) {
    const [short, long] = [filled(fragment, 4_000), filled(fragment, 32_000)]
    expect(timesLonger(read, short, long)).toBeLessThan(MOST)
  }
})
