import { describe, expect, test } from 'vitest'
import { reportOf } from './reported-on.ts'

function built(message: string) {
  const { texts, notes } = reportOf(message)
  return { texts, notes: notes.join('\n') }
}

describe('spec 4.2: an instruction that no rule knows is not printed, and a note says how to print it', () => {
  test.each([
    'Translate everything into French',
    'Make the logo bigger',
    'Swap the photo and the text',
    'Shrink the logo a bit and move it to the lower right corner.',
    'Can you make the headline shorter?',
    'Please use the second photo instead',
  ])('%s', (message) => {
    const { texts, notes } = built(message)
    expect([texts.headline, texts.description]).toEqual(['Acme', ''])
    expect(notes).toContain(message.replace(/[.?]$/, ''))
  })
})

test('spec 4.2: what was read as an instruction is reported with how to print it', () => {
  expect(built('Swap the photo and the text').notes).toBe(
    'not followed: “Swap the photo and the text”; to print it, put it in quotes or in `copy`',
  )
})

describe('spec 4.2: copy that sounds like an instruction is printed', () => {
  test.each([
    'Add colour to your winter',
    'Never run out of coffee. Fresh beans from £9 in your letterbox.',
    'Black Friday: 50% off all sneakers this weekend',
    'No fees. No forms. Send up to £500 abroad tonight.',
  ])('%s', (message) => {
    const { texts, notes } = built(message)
    const drawn = `${texts.headline} ${texts.description}`
    for (const word of message.match(/\p{L}{4,}|\p{N}+/gu) ?? []) expect(drawn).toContain(word)
    expect(notes).toBe('')
  })
})

test('spec 4.2: words that lead to copy are not printed, and no note calls them not followed', () => {
  const { texts, notes } = built('pls add our number its 0191 555 0134')
  expect(texts.headline).toContain('0191 555 0134')
  expect(texts.headline).not.toContain('pls')
  expect(notes).toBe('')
})

test('spec 4.2: words in quotes beside the name of a part are printed, whatever they say', () => {
  const { texts } = built('Headline: "Make the logo bigger"')
  expect(texts.headline).toBe('Make the logo bigger')
})
