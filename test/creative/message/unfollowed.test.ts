import { describe, expect, test } from 'vitest'
import { fold, holds } from '../../../bench/messages/fold.mjs'
import { readLabels } from '../../../bench/messages/labels.mjs'
import type { Label } from '../../../bench/messages/score.mjs'
import { writeTexts } from '../../../src/creative/layout-engine/texts.ts'
import { readMessage } from '../../../src/creative/message/read-message.ts'
import { sentencesOf } from '../../../src/creative/message/sentences.ts'
import { isPleasantry } from '../../../src/creative/message/talk.ts'
import { unfollowedIn } from '../../../src/creative/message/unfollowed.ts'

const labels = [...readLabels('unseen'), ...readLabels('dev2'), ...readLabels('dev3')]

function built(message: string) {
  const read = readMessage(message)
  const { texts, leftOut } = writeTexts({ brand: { name: 'Acme' }, message })
  const notes = unfollowedIn(read, { ...texts, leftOut, hasLogo: false })
  return { read, texts: Object.values(texts), notes }
}

/** Sentences with an instruction of which neither the ad nor a note tells anything. */
function lostIn({ message, not_copy = [] }: Label): string[] {
  const { read, texts, notes } = built(message)
  const told = [...texts, ...notes, ...Object.values(read.texts)].map(fold)
  const asked = not_copy.filter((phrase) => !phrase.startsWith('/')).map(fold)
  const isAvoided = read.avoided.topics.size + read.avoided.terms.length > 0
  const isDone = isAvoided || read.tone !== undefined || read.actions.length > 0
  return sentencesOf(message).filter((sentence) => {
    const own = fold(sentence)
    if (!asked.some((phrase) => holds(own, phrase)) || isPleasantry(sentence)) return false
    // A heading and a macro ask for nothing.
    if (/[:：]$|^\$\{/.test(sentence)) return false
    const isTold = told.some((text) => text !== '' && sharesWords(own, text))
    return !isTold && !isDone
  })
}

/** Whether a word of the sentence, or three signs where words are not apart, stand in the text. */
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

test('spec 4.2: each instruction of the labelled messages is followed, or a note tells of it', () => {
  const lost = labels.flatMap((label) =>
    lostIn(label).map((sentence) => `${label.id}: ${sentence}`),
  )
  expect(lost).toEqual([])
})

test('spec 4.2: each wish about looks that is not followed is told to the letter', () => {
  const silent = labels.filter(({ message }) => {
    const { read, notes } = built(message)
    return read.manners.some(
      (manner) =>
        readMessage(manner).tone === undefined && !notes.includes(`not followed: “${manner}”`),
    )
  })
  expect(silent.map(({ id }) => id)).toEqual([])
})

describe('spec 4.2: a note tells', () => {
  test.each([
    ['Fresh bread. Use a photo of our oven.', 'not followed: “Use a photo of our oven”'],
    [
      'Make a mattress ad, 100 nights. Never compare us with other brands of the market.',
      'not clear what to leave out: “Never compare us with other brands of the market”',
    ],
    [
      'Bowling for $34 an hour. Our target group is families from the area. No emoji.',
      'read as said to who makes it, and not printed: “Our target group is families from the area”',
    ],
    [
      `Button: "${'Go '.repeat(20)}now". Bowling`,
      `call_to_action shortened or replaced for want of room: “${'Go '.repeat(20)}now”`,
    ],
  ])('%s', (message, note) => {
    expect(built(message).notes).toContain(note)
  })

  test.each([
    'Warm feet, cold days – new boots in stores now',
    'Hi team, make a banner for our sale. Thanks!',
  ])('nothing where all is followed: %s', (message) => {
    expect(built(message).notes).toEqual([])
  })
})
