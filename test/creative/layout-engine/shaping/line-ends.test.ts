import { describe, expect, test } from 'vitest'
import { fitText } from '../../../../src/creative/layout-engine/fit-text.ts'
import { writingOf } from '../../../../src/creative/layout-engine/shaping/writing.ts'

/** As a paragraph of ten pixels. */
function linesOf(text: string, width: number): readonly string[] {
  const writing = writingOf([text])
  const size = { largest: 10, smallest: 10, leading: 1.2 }
  const set = fitText({ text, writing, face: 'regular', width, height: 400, lines: 30, ...size })
  return set?.lines ?? []
}

describe('spec 4.2: no line ends between a number and what it counts or costs', () => {
  test.each([
    ['Fahrten ab 19,90 € für Familien', '19,90 €'],
    ['Już od 149,99 zł za cały rejs', '149,99 zł'],
    ['Refills of 400 ml for everyone', '400 ml'],
    ['We drive you home at 4 a.m. today', '4 a.m.'],
    ['Tickets from CHF 25 this week', 'CHF 25'],
    ['Resor från 1 990 kr per person', '1 990 kr'],
    ['وجبة عائلية كاملة بسعر 49.90 ر.س فقط', '49.90 ر.س'],
    ['北京往返上海2026年10月1日前预订享八折', '10月'],
    ['期間は7月1日から31日まで全品半額です', '31日'],
    ['매달 9,900원부터 시작하는 여행 상품', '9,900원'],
  ])('%s', (text, together) => {
    for (let width = 62; width < 240; width++) {
      const lines = linesOf(text, width)
      const isWhole = lines.some((line) => line.includes(together))
      expect(isWhole, `${width} px: ${lines.join(' | ')}`).toBe(true)
    }
  })

  test('but it does where the two are too long for any line', () => {
    expect(linesOf('12345678901234 km', 90)).toEqual(['12345678901234', 'km'])
  })
})
