import { describe, expect, test } from 'vitest'
import { factsIn, plainDigits } from '../../../src/creative/message/facts.ts'
import { languageOf } from '../../../src/creative/message/language.ts'
import { quotedIn } from '../../../src/creative/message/quotes.ts'
import { clausesOf, sentencesOf } from '../../../src/creative/message/sentences.ts'
import { unsaidIn } from '../../../src/creative/message/unsaid.ts'

describe('figures of a text', () => {
  test.each([
    ['from $19.95 or € 49,95', ['price $19.95', 'price € 49,95']],
    ['20 % und bis zu 60%', ['percentage 20 %', 'percentage 60%']],
    ['call 0117 496 0382', ['phone 0117 496 0382']],
    ['code SAVE20 at petalbox.example', ['code SAVE20', 'link petalbox.example']],
    ['７．９万, 1 500 ₽', ['number ７．９', 'price 1 500 ₽']],
    ['on 5 de mayo, 3月31日', ['date 5', 'date 3', 'date 31']],
    [
      'write to ana@mail.kiosk.club or @kiosk_berlin.',
      ['link ana@mail.kiosk.club', 'handle @kiosk_berlin'],
    ],
    ['с кодом ВЕСНА на цветы.рф/акция', ['code ВЕСНА', 'link цветы.рф/акция']],
    ['use code SPRING, the code of honour', ['code SPRING']],
    ['½ price, 全场八折，三百元起', ['number ½', 'percentage 八折', 'price 三百元']],
    ['٥٠٪ خصم، ₹५००, ５００円', ['percentage ٥٠٪', 'price ₹५००', 'price ５００円']],
  ])('%s', (text, facts) => {
    expect(factsIn(text).map(({ kind, text: one }) => `${kind} ${one}`)).toEqual(facts)
  })

  test('are compared by their digits, in every script', () => {
    expect(plainDigits('٧٠٪ १,२ ๓')).toBe('70123')
  })
})

test.each([
  ['Am 7. September p. a. ul. Nowa 3. Mit Musik.', 2],
  ['“One. Two.” and https://a.example/?b=1!c done', 1],
  ['今日。明日！\n来週', 3],
])('sentences of %j', (text, count) => {
  expect(sentencesOf(text)).toHaveLength(count)
})

test('clauses keep their marks, numbers and quotations are not torn', () => {
  expect(clausesOf('A „b, c“, 1,299 d – e')).toEqual([
    { text: 'A „b, c“', mark: ', ' },
    { text: '1,299 d', mark: ' – ' },
    { text: 'e', mark: '' },
  ])
})

test('an apostrophe is no quotation mark', () => {
  expect(quotedIn("don't say 'it's here' now").map(({ text }) => text)).toEqual(["it's here"])
})

test.each([
  ['Wir sind bis Samstag für Sie da', 'de'],
  ['Ne parlez pas du prix', 'fr'],
  ['No digas que es gratis', 'es'],
  ['Kış indirimi için', 'tr'],
  ['Тепло і затишок', 'uk'],
  ['Знижка 50%', 'uk'],
  ['Нова кава щодня', 'uk'],
  ['Замовляй зараз', 'uk'],
  ["М'ята", 'uk'],
  ['Кава з собою', 'uk'],
  ['Безкоштовна доставка', 'uk'],
  ['Взуття та одяг', 'uk'],
  ['Скидка 50%', 'ru'],
  ['Новая коллекция', 'ru'],
  ['Кофе с собой', 'ru'],
  ['Бесплатная доставка', 'ru'],
  ['Обувь и одежда', 'ru'],
  ['Объект', 'ru'],
  ['Доставка', 'ru'],
  ['週年慶全館88折', 'zh-Hant'],
  ['双十一提前购', 'zh-Hans'],
  ['123', undefined],
  ['Talvikengät nyt alennuksessa', 'fi'],
  ['Vinterstøvler med 20 % rabatt', 'nb'],
  ['Vinterstøvler med 20 % rabat til alle', 'da'],
  ['Zimní boty se slevou 20 %', 'cs'],
  ['Téli cipők 20% kedvezménnyel', 'hu'],
  ['Ghete de iarnă cu 20% reducere', 'ro'],
  ['Sepatu baru diskon 20% untuk semua', 'id'],
])('the language of %j', (text, language) => {
  expect(languageOf(text)).toBe(language)
})

describe('spec 4.2: a model may only state what is in its input', () => {
  const sources = ['Boots from €49 until 26 May, code WARM10', 'acme.example']
  test.each([
    ['Boots from 49 € until 26 May', []],
    ['Boots, 50% off', ['50%']],
    ['Use COLD20 at evil.example', ['COLD20', 'evil.example']],
    ['WARM10 at acme.example', []],
  ])('%s', (text, unsaid) => {
    expect(unsaidIn([text], sources)).toEqual(unsaid)
  })
})
