import { describe, expect, test } from 'vitest'
import { fold, holds } from '../../../bench/messages/fold.mjs'
import { readLabels } from '../../../bench/messages/labels.mjs'
import type { Label } from '../../../bench/messages/score.mjs'
import { unreportedFacts } from '../../../src/creative/message/guard-drawn.ts'
import { sentencesOf } from '../../../src/creative/message/sentences.ts'
import { isPleasantry } from '../../../src/creative/message/talk.ts'
import { reportOf } from './reported-on.ts'

const labels = [...readLabels('unseen'), ...readLabels('dev2'), ...readLabels('dev3')]
const updates = new Map<string, ReturnType<typeof reportOf>>()

/** Each message is read once. */
function reported(message: string) {
  const known = updates.get(message) ?? reportOf(message)
  updates.set(message, known)
  return known
}

/** Sentences with an instruction that neither the ad nor the report about it mentions. */
function lostIn({ message, not_copy = [] }: Label): string[] {
  const { read, printed, notes, parts } = reported(message)
  const accounted = parts.filter(({ role, outcome }) => role === 'chat' || outcome === 'followed')
  const texts = [...printed, ...notes, ...accounted.map(({ text }) => text)].map(fold)
  const requested = not_copy.filter((phrase) => !phrase.startsWith('/')).map(fold)
  const isDone = read.tone !== undefined || read.actions.length > 0
  return sentencesOf(message).filter((sentence) => {
    const own = fold(sentence)
    if (!requested.some((phrase) => holds(own, phrase)) || isPleasantry(sentence)) return false
    // A heading and a macro request nothing.
    if (/[:：]$|^\$\{/.test(sentence)) return false
    return !texts.some((text) => text !== '' && sharesWords(own, text)) && !isDone
  })
}

/** Whether a word of the sentence, or three characters where words are not separated, occur in the text. */
function sharesWords(sentence: string, text: string): boolean {
  const words = sentence.match(/[\p{L}\p{M}]{3,}/gu) ?? []
  return [...words, ...pairsOf(sentence)].some((word) => text.includes(word))
}

function pairsOf(sentence: string): string[] {
  const isOther = /^[^\p{sc=Latin}\p{sc=Cyrl}\p{sc=Grek}\s\p{P}]{3}$/u
  return [...sentence]
    .map((_, at, all) => all.slice(at, at + 3).join(''))
    .filter((one) => isOther.test(one))
}

test('spec 4.2: each instruction of the labelled messages is followed, or a note reports it', () => {
  const lost = labels.flatMap((label) =>
    lostIn(label).map((sentence) => `${label.id}: ${sentence}`),
  )
  expect(lost).toEqual([])
})

test('spec 4.2: no figure of the labelled messages that is to be printed is lost in silence', () => {
  const lost = labels.flatMap(({ id, message }) => {
    const { printed, notes, read } = reported(message)
    const facts = unreportedFacts({ text: message, spans: read.spans, printed, notes })
    return facts.map(({ text }) => `${id}: ${text}`)
  })
  expect(lost).toEqual([])
})

test('spec 4.2: what a note calls omitted is not in the ad', () => {
  const false_ = labels.flatMap(({ id, message }) => {
    const { printed, notes } = reported(message)
    const returned = ` ${printed.map(fold).join(' ')} `
    return notes
      .filter((note) => note.startsWith('omitted: '))
      .flatMap((note) => [...note.matchAll(/“([^”]*)”/g)].map(([, text = '']) => fold(text)))
      .filter((text) => text.length > 3 && returned.includes(` ${text} `))
      .map((text) => `${id}: ${text}`)
  })
  expect(false_).toEqual([])
})

describe('spec 4.2: a note reports', () => {
  test.each([
    [
      'Ad for our Kestrel e-bike, €2,499 – but please don’t mention the price',
      'omitted: “€2,499”: the message excludes it',
    ],
  ])('%s', (message, note) => {
    expect(reportOf(message).notes.join('\n')).toContain(note)
  })

  test.each([
    'Warm feet, cold days – new boots in stores now',
    'Hi team, make a banner for our sale. Thanks!',
    'Make a banner for our spring sale, mention free shipping, use a friendly tone',
  ])('nothing where all is followed: %s', (message) => {
    expect(reportOf(message).notes).toEqual([])
  })
})
