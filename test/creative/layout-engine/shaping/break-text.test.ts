import { expect, test } from 'vitest'
import { breaksOf } from '../../../../src/creative/layout-engine/shaping/break-text.ts'

test.each([
  ['Lön 38 000 kr i månaden', '38 000 kr'],
  ['gesucht: 3.900 € Gehalt', '3.900 €'],
  ['onbeperkt voor € 8 per maand', '€ 8'],
  ['前売3,500円 弘前市民会館', '3,500円'],
  ['บุฟเฟต์ 199 บาท ทุกวันพุธ', '199 บาท'],
])('spec 4.2: of %j no line ends within %j', (text, figure) => {
  const start = text.indexOf(figure)
  const places = breaksOf(text).map(({ next }) => next)
  expect(places.filter((at) => at > start && at < start + figure.length)).toEqual([])
  expect(places.length).toBeGreaterThan(2)
})

test('a word that only begins like a currency is a word of its own', () => {
  expect(breaksOf('10 kronor').map(({ next }) => next)).toEqual([3, 9])
})
