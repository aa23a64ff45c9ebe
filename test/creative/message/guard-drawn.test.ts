import { describe, expect, test } from 'vitest'
import {
  inventedTexts,
  unprintedFacts,
  unreportedFacts,
} from '../../../src/creative/message/guard-drawn.ts'

describe('spec 4.2: a figure of the message is printed', () => {
  test.each([
    ['Boots 49,90 €', ['Boots from us', '49,90 €'], []],
    ['Boots 49,90 €', ['Boots 149,90 €'], ['49,90 €']],
    ['Only 5 left', ['Only 50 left'], ['5']],
    ['Only 5 left, 20 sold', ['Only 5 left', 'in 20 cities'], ['20']],
    ['Call 0117 496 0382', ['Call 0117 496 0382 now'], []],
    ['Code SAVE20', ['Code SAVE2025'], ['SAVE20']],
    ['Visit petalbox.example', ['PetalBox.example/roses'], []],
    ['Visit petalbox.example', ['petalbox.examples'], ['petalbox.example']],
    ['خصم ٥٠٪', ['خصم ٥٠٪ اليوم'], []],
    ['₹५०० से', ['₹५०'], ['₹५००']],
    ['５００円', ['５００円から'], []],
  ])('%j in %j: all but %j', (message, printed, lost) => {
    expect(unprintedFacts(message, printed).map(({ text }) => text)).toEqual(lost)
  })

  test('or a note names it', () => {
    const text = 'Boots 49 €. Open until 20:00.'
    const spans = [{ start: 0, end: text.length, role: 'fact' as const }]
    const reported = { text, spans, printed: ['Boots 49 €'] }
    expect(unreportedFacts({ ...reported, notes: [] }).map((fact) => fact.text)).toEqual(['20:00'])
    expect(unreportedFacts({ ...reported, notes: ['omitted: “Open until 20:00”'] })).toEqual([])
  })

  test('unless it is in an instruction', () => {
    const text = 'Make it 300 x 250'
    const spans = [{ start: 0, end: text.length, role: 'instruction' as const }]
    expect(unreportedFacts({ text, spans, printed: [], notes: [] })).toEqual([])
  })
})

describe('spec 4.2: a word that is printed comes from the input', () => {
  test.each([
    ['Warm feet', 'warm FEET, cold days'],
    ['Warm feet, cold…', 'warm feet, colder days'],
    ['Discover Trail boots', 'trail boots'],
    ['Mehr erfahren', ''],
    ['Learn more · acme.example', 'https://acme.example/sale'],
    ['Sponsored by Acme', 'Acme'],
    ['A', 'Acme'],
    ['春の引っ越しキャンペーン', '春の引っ越しキャンペーンのバナー'],
    ['캠페인 할인', '캠페인을 할인으로'],
    ['ورشة تصليح', 'نحتاج إعلان لورشة تصليح'],
    ['cafe\u0301', 'Café'],
  ])('%j', (text, source) => {
    expect(inventedTexts([text], [source])).toEqual([])
  })

  test.each([
    ['Warm feet for free', 'Warm feet', ['for', 'free']],
    ['Only 5 €', 'Only 50 €', ['5']],
    ['Warm', 'Warmth', ['warm']],
    ['Discover luxury', 'Trail boots', ['luxury']],
    ['冬の引っ越し', '春の引っ越し', ['冬']],
    ['引春越', '春の引っ越し', ['引', '春']],
  ])('%j is not of %j: %j', (text, source, words) => {
    expect(inventedTexts([text], [source])).toEqual([{ text, words }])
  })
})
