import { expect, test } from 'vitest'
import { detailOf } from '../../../src/creative/directions/details.ts'

const texts = { headline: 'Boots', description: 'Warm and dry', call_to_action: 'Learn more' }
const detail = (over: Partial<typeof texts>) =>
  detailOf({ kind: 'tone', tone: 'playful' }, { texts: { ...texts, ...over } }, { texts })

test('spec 4.2: what follows a tone is named, and nothing that stays as it was', () => {
  expect(detail({ call_to_action: 'Take a peek' })).toBe(
    'The button “Take a peek” follows a tone that is playful.',
  )
  expect(detail({ headline: 'Say hello to Boots', call_to_action: 'Take a peek' })).toBe(
    'The headline and the button “Take a peek” follow a tone that is playful.',
  )
})
