import { describe, expect, test } from 'vitest'
import { textsOf } from '../../../src/creative/layout-engine/texts.ts'
import { ownButton } from '../../../src/creative/message/call-to-action.ts'

const buttonOf = (message: string) => textsOf({ brand: { name: 'Acme' }, message }).call_to_action

describe('spec 4.2: a button does not request what the message speaks against', () => {
  test.each([
    ['Buy nothing this Friday. Repair what you have.', 'Shop now'],
    ['Don’t buy new shoes. Repair the old pair.', 'Shop now'],
  ])('%s', (message, button) => {
    expect(buttonOf(message)).not.toBe(button)
  })

  test.each([
    ['Bestellt nichts, repariert eure Schuhe.', 'de'],
    ['N’achetez rien aujourd’hui.', 'fr'],
    ['Non comprare niente questo venerdì.', 'it'],
    ['Koop niets op vrijdag.', 'nl'],
    ['Не заказывайте в пятницу.', 'ru'],
  ])('%s', (message, language) => {
    expect(ownButton(message, language)).toBe(ownButton('', language))
  })

  test('and still requests it where something else is denied', () => {
    expect(buttonOf('Don’t miss our shoe sale')).toBe('Shop now')
    expect(buttonOf('Order now, no fees, free delivery')).toBe('Order now')
    expect(ownButton('Jetzt kaufen, keine Versandkosten', 'de')).toBe('Jetzt einkaufen')
  })
})

test('spec 4.2: the button of a short message in English is in English', () => {
  expect(buttonOf('Rent a bike')).toBe('Learn more')
})
