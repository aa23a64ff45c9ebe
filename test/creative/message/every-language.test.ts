import { describe, expect, test } from 'vitest'
import { readMessage } from '../../../src/creative/message/read-message.ts'
import { reportOf } from './reported-on.ts'

function built(message: string) {
  const { texts, notes } = reportOf(message)
  return { ...texts, notes: notes.join('\n') }
}

describe('spec 4.2: a brief with a button, a ban and a tone becomes an ad of its own words', () => {
  test.each([
    ['Ad for our ladder, £79. No prices, no red, make it funny. The button could say "Climb".'],
    ['Připravte banner na náš žebřík. Bez ceny, žádnou červenou. Na tlačítku má být „Climb“.'],
    ['Buatkan banner untuk tangga kami. Jangan sebut harga, jangan pakai merah. Tombol: "Climb".'],
    ['Banner per la nostra scala. Non scrivere il prezzo, niente rosso. Sul pulsante: "Climb".'],
    ['Gör en annons för vår stege. Nämn inte priset, inget rött. På knappen ska det stå "Climb".'],
    [
      '우리 사다리 배너 만들어 주세요. 가격은 언급하지 말고, 빨간색 없이. 버튼에는 "Climb"라고 써 주세요.',
    ],
    ['幫我們的梯子做橫幅，不要寫價格，不要紅色，搞笑一點，按鈕寫「Climb」。'],
    ['ช่วยทำแบนเนอร์บันไดของเรา ไม่ต้องบอกราคา ไม่เอาสีแดง ปุ่มให้เขียนว่า "Climb"'],
  ])('%s', (message) => {
    const { headline, description, call_to_action, notes } = built(message)
    expect(call_to_action).toBe('Climb')
    expect(headline).toMatch(/ladder|žebřík|tangga|scala|stege|사다리|梯子|บันได/i)
    expect(description).toBe('')
    expect(notes).toMatch(/red|červen|merah|rosso|rött|빨간|紅色|สีแดง/)
    expect(readMessage(message).avoided.topics).toContain('price')
  })
})

describe('spec 4.2: what people should do becomes the button, in the language of the message', () => {
  test.each([
    ['Bedýnky zeleniny každý čtvrtek. Chceme, aby si lidé objednali.', 'Objednat'],
    ['Rumah di Depok mulai Rp780 juta. Ajak orang untuk menghubungi kami.', 'Hubungi kami'],
    ['Nóminas por 4,90 € al mes. Que pidan una demo.', 'Pedir una demo'],
    ['500 грн на ліки для лікарні. Закликайте підтримати збір.', 'Підтримати збір'],
    ['Szukamy kierowców, 9 500 zł. Zachęć do aplikowania.', 'Aplikuj'],
    ['Pflegekräfte gesucht, 3.900 €. Bewirb dich jetzt!', 'Jetzt bewerben'],
    ['We’re hiring 12 drivers in Leeds, £13.40 an hour', 'Apply now'],
    ['招聘前端工程师，月薪25-40K，双休', '投递简历'],
  ])('%s', (message, button) => {
    expect(built(message).call_to_action).toBe(button)
  })
})

test('spec 4.2: a quotation that a later sentence makes the headline is the headline', () => {
  const { headline, description } = built(
    'A customer wrote "I finally sleep" about our magnesium tea. Use that quote as the headline and mention 30 bags for $18.',
  )
  expect({ headline, description }).toEqual({
    headline: 'I finally sleep',
    description: 'Magnesium tea. 30 bags for $18.',
  })
})

test('spec 4.2: words that are forbidden become neither a button nor a tone', () => {
  expect(readMessage('Tea for two, $5. Do not use the word "luxury".').tone).toBeUndefined()
  expect(readMessage('Headline: "Tea". Don’t use "cheap", "luxury" on the button').texts).toEqual({
    headline: 'Tea',
  })
})

test('spec 4.2: hashtags that end a line are reported and not printed, and those of a sentence stay', () => {
  const { headline, description, notes } = built('Half price soup today #soup #lunch')
  expect([headline, description]).toEqual(['Half price soup today', ''])
  expect(notes).toContain('lunch')
  expect(built('Join the #CleanSeas walk on 3 May').headline).toContain('#CleanSeas')
  expect(built('#soup').headline).toBe('#soup')
})

describe('spec 4.2: what sounds like an instruction and is said to who reads it stays', () => {
  test.each([
    ['No fees. Open an account in 8 minutes.', 'No fees'],
    ['Tanpa biaya admin. Buka rekening dalam 5 menit.', 'Tanpa biaya admin'],
    ['คลินิกสุขภาพครบวงจร ไม่ต้องบอกเหตุผล', 'สุขภาพ'],
    ['Ad for our worker pool, corso di fotografia, 49 €. No emojis.', 'fotografia'],
  ])('%s', (message, said) => {
    const { headline, description } = built(message)
    expect(`${headline} ${description}`).toContain(said)
  })
})

test('spec 4.2: a form states how long an offer lasts, and not when a draft is due', () => {
  const { description, notes } = built('Produkt: Zelt\nPreis: 99 €\nFrist: bis 30. April')
  expect(description).toContain('99 €. Bis 30. April')
  expect(notes).toBe('')
  const due = built('Produkt: Zelt\nPreis: 99 €\nFrist: Entwurf bis 30. April')
  expect(due.description).not.toContain('30. April')
})

test('spec 4.2: where room is short, what is offered is kept before what is not', () => {
  const background = [
    'We pour each one by hand in a barn near Hexham.',
    'The wax comes from soya fields in the Loire.',
    'Our wicks are plain cotton.',
    'Every jar can be filled again.',
    'The labels are printed on old maps.',
    'Ginger and fig smell of December.',
    'Cedar smells of a long walk home.',
  ]
  const { headline, description } = built(
    `Candles for winter. ${background.join(' ')} Every candle £5 off until Sunday.`,
  )
  expect(`${headline} ${description}`).toContain('£5 off until Sunday')
})

test.each([
  ['Giovedì 19 marzo alle 18.30 incontro con Elena Marchi, via Roma 8, Parma', 'it'],
  ['Bedýnky zeleniny každý čtvrtek. Chceme, aby si lidé objednali.', 'cs'],
  ['Worker pool fotografi, Sabtu 16 Mei pukul 09.00 di Bandung', 'id'],
  ['Alquila una bici', 'es'],
  ['Noleggia una bici', 'it'],
  ['5月16日（土）18時開演 津軽三味線ライブ 前売3,500円 弘前市民会館', 'ja'],
  ['阿嬤の店 手工鳳梨酥，滿千免運，只到週日', 'zh-Hant'],
])('spec 4.2: %s has a button in its own language', (message, language) => {
  expect(readMessage(message).language).toBe(language)
})
