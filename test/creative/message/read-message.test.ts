import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { textsOf, writeTexts } from '../../../src/creative/layout-engine/texts.ts'
import { sentenceText } from '../../../src/creative/message/copy.ts'
import { readMessage } from '../../../src/creative/message/read-message.ts'

const copyOf = (message: string) => readMessage(message).copy.map(sentenceText)
const written = (message: string) => Object.values(textsOf({ brand: { name: 'Acme' }, message }))

describe('spec 4.2: a plain message is the copy, in its own words', () => {
  test.each([
    'Black Friday: 50% off all sneakers this weekend',
    'Big sale on shoes',
    'Warm feet, cold days – new boots in stores now',
    'Heizung älter als 20 Jahre? Jetzt bis zu 70 % Förderung sichern.',
    'Чёрная пятница: скидки до 70% на верхнюю одежду',
    'Push your limits with the new TrailMax 5',
    'Спина скаже дякую: ергономічні крісла з гарантією 5 років',
    '奶茶全系列第二杯半价，仅限外带',
  ])('%s', (message) => {
    expect(copyOf(message).join(' ')).toBe(message)
  })
})

describe('spec 4.2: an instruction is never printed, and what it asks to say is', () => {
  test.each([
    ['Make it playful: 3 tacos for $5 every Tuesday', '3 tacos for $5 every Tuesday'],
    ['Use the blue logo. Fresh bread daily from 6am', 'Fresh bread daily from 6am'],
    ['Make a banner for our spring sale, mention free shipping', 'Spring sale, free shipping'],
    ['Erstellt eine Anzeige für unser Sommerfest am 12. Juli', 'Sommerfest am 12. Juli'],
    ['Crée une bannière pour nos soldes, fond noir', 'Soldes'],
    ['Hazme un banner para el Día de la Madre, que se vea elegante', 'Día de la Madre'],
    ['Butik otelimiz için reklam hazırlayın: yalnızca 12 oda', 'Butik otelimiz, yalnızca 12 oda'],
    ['Зробіть, будь ласка, банер про ремонт велосипедів', 'Ремонт велосипедів'],
    ['تصميم أنيق من فضلكم. إعلان لعيادة أسنان في عمّان', 'عيادة أسنان في عمّان'],
    ['ช่วยทำแบนเนอร์โปรโมตคอนโดใกล้ BTS อารีย์', 'คอนโดใกล้ BTS อารีย์'],
    ['春の引っ越しキャンペーンのバナーを作ってください。', '春の引っ越しキャンペーン。'],
    ['帮我做一张中秋节的横幅，风格喜庆一点', '中秋节'],
    ['make something nice', ''],
    ['Hallo, könnt ihr mir was Schönes machen? LG', ''],
  ])('%s', (message, copy) => {
    expect(copyOf(message).join(' ')).toBe(copy)
  })
})

describe('spec 4.2: what is to be avoided does not appear', () => {
  test.each([
    ['Kestrel e-bike, 120 km range, €2,499 – but please don’t mention the price', /€|2,499|price/],
    ['Wohnungen am Elbufer ab 300.000 €. Keine Preise, nicht das Wort „Luxus“.', /€|Luxus|Preis/],
    ['¡Primera visita gratis! Nada de signos de exclamación.', /[!¡]/],
    ['Skip the word "cheap". Flights to Oslo from $39', /cheap/],
    ['不要写价格。月卡199元，小班6人', /价格|199/],
  ])('%s', (message, forbidden) => {
    const texts = written(message).join(' ')
    expect(texts).not.toMatch(forbidden)
    expect(texts).toMatch(/e-bike|Elbufer|visita|小班|Oslo/)
  })
})

describe('spec 4.2: texts that are given word by word', () => {
  test.each([
    ['Headline: "Paint it bold". CTA: "Find a store"', 'Paint it bold', 'Find a store'],
    ['Titre : « Le pain, le vrai. » Bouton : « Voir »', 'Le pain, le vrai.', 'Voir'],
    ['Überschrift: „Endlich Urlaub“, Button: „Buchen“', 'Endlich Urlaub', 'Buchen'],
    ['見出し：「明日の朝」 ボタン：『店舗を探す』', '明日の朝', '店舗を探す'],
    ['제목은 "여름 준비 끝", 버튼은 "보러 가기"', '여름 준비 끝', '보러 가기'],
    ['כותרת: ״שבת מתחילה בחלה״. כפתור: ״להזמנה״', 'שבת מתחילה בחלה', 'להזמנה'],
  ])('%s', (message, headline, call_to_action) => {
    expect(readMessage(message).texts).toMatchObject({ headline, call_to_action })
  })
})

describe('the button says, in the language of the message,', () => {
  test.each([
    ['Flu jabs at all our pharmacies, ask people to book online', 'Book online'],
    ['Visites des caves. Incitez les gens à réserver en ligne.', 'Réserver en ligne'],
    ['Kawiarnia nad Odrą. Zachęć do rezerwacji stolika.', 'Zarezerwuj'],
    ['카페 첫 방문 할인, 카톡으로 예약하라고 해주세요', '카톡으로 예약'],
    ['Le temps long a bon goût.', 'En savoir plus'],
    ['Спокойный сон на всю ночь', 'Подробнее'],
  ])('%s', (message, call_to_action) => {
    expect(textsOf({ brand: {}, message }).call_to_action).toBe(call_to_action)
  })
})

test('spec 4.2: what does not fit is reported', () => {
  const message = 'Ten rooms by the sea in June, 45 € a night, code SEA2026, breakfast from 7:30'
  const limits = { headline: 30, description: 24 }
  const { texts, omitted } = writeTexts({ brand: {}, message, limits })
  const reported = [...Object.values(texts), ...omitted].join(' ')
  for (const fact of ['45 €', 'SEA2026', '7:30']) expect(reported).toContain(fact)
  expect(omitted).not.toEqual([])
})

test('whatever is written, it is read, and markup and macros are not copy', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (message) => {
      expect(readMessage(message).copy).toBeInstanceOf(Array)
    }),
  )
  const texts = written('<b>Sale</b> 20% <script>alert(1)</script> {{USER}} %%CLICK_URL%%').join(
    ' ',
  )
  expect(texts).not.toMatch(/[<>{}%]{2}|script|USER|CLICK/)
  expect(texts).toContain('Sale 20%')
})
