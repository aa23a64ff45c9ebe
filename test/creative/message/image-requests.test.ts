import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readImageRequests } from '../../../src/creative/message/image-requests.ts'
import { readMessage } from '../../../src/creative/message/read-message.ts'

describe('spec 4.2: a message is understood as', () => {
  test.each([
    ['Keep the left side', { focus: 'left' }],
    ['crop to the bottom', { focus: 'bottom' }],
    ['Focus on the face.', { focus: 'attention' }],
    ['focus on the center', { focus: 'centre' }],
    ['Do not crop', { keepsWhole: true }],
    ['Show the entire image, please', { keepsWhole: true }],
    ['Use a navy background', { background: '#0b1f4b' }],
    ['Background: #ABCDEF', { background: '#abcdef' }],
    ['set the background colour to #fa0', { background: '#ffaa00' }],
    ['Change headline to "Hello. World"', { texts: { headline: 'Hello. World' } }],
    ['title: Big savings', { texts: { headline: 'Big savings' } }],
    ['CTA: Buy now', { texts: { call_to_action: 'Buy now' } }],
    ['The button should say “Go”', { texts: { call_to_action: 'Go' } }],
    ['description is Made by hand.', { texts: { description: 'Made by hand' } }],
    ['Link to https://a.example/b?c=1.', { landingPage: 'https://a.example/b?c=1' }],
  ])('%s', (message, expected) => {
    const read = readImageRequests(message)
    expect({ ...read, texts: readMessage(message).texts }).toMatchObject(expected)
    expect(read.others).toEqual([])
  })
})

test('several requests are distinguished, and what is not understood is reported back', () => {
  const message =
    'Headline: "One; two". Focus on the right side; background: white\nMake it pop! Be nice.'
  const read = readImageRequests(message)
  expect({ ...read, texts: readMessage(message).texts }).toMatchObject({
    texts: { headline: 'One; two' },
    focus: 'right',
    background: '#ffffff',
    others: ['Make it pop!', 'Be nice.'],
  })
})

test('a place that is not a crop request, and a background that is not a colour, are not taken for one', () => {
  expect(readImageRequests('Bring the right people. The left is fine.').focus).toBeUndefined()
  expect(readImageRequests('The background story matters').background).toBeUndefined()
})

test('whatever is written, every sentence is understood or reported back', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), (message) => {
      const { understood, others, background } = readImageRequests(message)
      expect(background ?? '#000000').toMatch(/^#[0-9a-f]{6}$/)
      // What separates sentences is none.
      const isSaid = /[\p{L}\p{N}]/u.test(message)
      if (isSaid) expect(understood.length + others.length).toBeGreaterThan(0)
    }),
  )
})
