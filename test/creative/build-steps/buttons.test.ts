import { describe, expect, test } from 'vitest'
import type { BuildCreativeRequest } from '../../../src/protocol/schemas/build-creative.ts'
import { draftOf, formatNamed } from './compose-harness.ts'

const HTML = formatNamed('display_300x250_html')

function buttonOf(request: BuildCreativeRequest): string | undefined {
  const { assets } = draftOf({ request, format: HTML })
  return assets.flatMap(({ words }) => words).find(({ role }) => role === 'call_to_action')?.text
}

describe('spec 4.2: the button is in the language of the copy:', () => {
  test.each([
    ['Rent a bike', 'Learn more'],
    ['Bike a day', 'Learn more'],
    ['Pizza e pasta', 'Scopri di più'],
    ['Vuelve el mar', 'Más información'],
    ['Wohnen im Grünen, direkt am See', 'Mehr erfahren'],
    ['春の引っ越し', '詳しく見る'],
    ['Make a banner, in blue please. Headline: «Vuelve el mar»', 'Más información'],
    ['Bitte ein Banner. Headline: "Rent a bike in the old town"', 'Learn more'],
    ['Headline: "Отдъхнете в планината"', 'Научете повече'],
  ])('%s', (message, button) => {
    expect(buttonOf({ message })).toBe(button)
  })

  test('words of `copy` count before the message around them', () => {
    const copy = { headline: 'Wohnen direkt am See' }
    expect(buttonOf({ message: 'Make the logo bigger please', copy })).toBe('Mehr erfahren')
  })

  test('two words that are of several languages are of the one of the message', () => {
    const message = 'Hola, un anuncio para el mercado. Titular: «Sol y mar»'
    expect(buttonOf({ message })).toBe('Más información')
  })
})

describe('spec 4.2: the button does not speak against the message:', () => {
  test.each([
    'Buy nothing this Friday. Repair what you have.',
    'Stop shopping. Start living.',
    'Do not buy new, repair it',
    'Nothing to buy, just come',
    'Cancel your subscription today',
    'Quit your gym membership',
    'Book without a fee',
    'Kein Kauf nötig. Wir reparieren alte Schuhe.',
  ])('%s', (message) => {
    expect(buttonOf({ message })).toMatch(/^(?:Learn more|Mehr erfahren)$/)
  })
})

describe('spec 4.2: when the message requests a call, the button has the number:', () => {
  test.each([
    ['Call us on 0117 496 0382', 'Call 0117 496 0382'],
    ['Please call +44 117 496 0382 to book a table', 'Call +44 117 496 0382'],
    ['Tell them to ring 0117 496 0382', 'Call 0117 496 0382'],
    ['Jetzt anrufen: 030 1234567', 'Anrufen: 030 1234567'],
    ['Appelez le 01 23 45 67 89', 'Appeler le 01 23 45 67 89'],
    ['Ring oss på 08-123 456 78', 'Ring 08-123 456 78'],
    ['お電話は03-1234-5678まで', '電話 03-1234-5678'],
    ['Tell people to call us', 'Call us'],
    ['Warm feet, cold days. 0117 496 0382', 'Call us'],
  ])('%s', (message, button) => {
    expect(buttonOf({ message })).toBe(button)
  })
})
