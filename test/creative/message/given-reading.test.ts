import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkReading } from '../../../src/creative/message/given-reading.ts'
import { readMessage } from '../../../src/creative/message/read-message.ts'
import { READ_ROLES } from '../../../src/creative/message/reading/roles.ts'
import type { ReadSegment } from '../../../src/creative/model/generator.ts'
import { runs } from '../../support/runs.ts'

const segments = (...parts: [string, string][]): ReadSegment[] =>
  parts.map(([role, text]) => ({ role, text }))

function spansOf(message: string, parts: [string, string][]): [string, string][] {
  const checked = checkReading({ message, segments: segments(...parts) })
  if (!checked.ok) throw new Error(checked.reason)
  return checked.reading.spans.map(({ role, start, end }) => [role, message.slice(start, end)])
}

describe('spec 4.2: the parts that a model reads in a message', () => {
  const message = 'Please make a banner: “Warm feet, 30% off”.\nNo red, thanks 👋'

  test('are those of the message, although its blanks and quotation marks are written otherwise', () => {
    const found = spansOf(message, [
      ['scaffold', 'please make a banner: "'],
      ['headline', 'Warm feet, 30% off'],
      ['avoid', 'No red'],
      ['chat', 'thanks 👋'],
    ])
    expect(found).toEqual([
      ['scaffold', 'Please make a banner: “'],
      ['headline', 'Warm feet, 30% off'],
      ['avoid', '”.\nNo red, '],
      ['chat', 'thanks 👋'],
    ])
  })

  test.each([
    [
      'a word that the message does not have',
      'Please make a banner: Warm dry feet, 30% off. No red, thanks 👋',
    ],
    ['another number', 'Please make a banner: Warm feet, 50% off. No red, thanks 👋'],
    ['another sign of a number', 'Please make a banner: Warm feet, 30 off. No red, thanks 👋'],
    ['less than the message', 'Please make a banner: Warm feet, 30% off.'],
    ['more than the message', `${message} Buy now`],
    ['nothing', ''],
  ])('are refused with %s', (_what, text) => {
    const checked = checkReading({ message, segments: segments(['headline', text]) })
    expect(checked).toEqual({ ok: false, reason: 'its parts are not the words of the message' })
  })

  test('are refused with a role that does not exist, and where there are too many', () => {
    expect(checkReading({ message, segments: segments(['slogan', message]) }).ok).toBe(false)
    const many = Array.from({ length: 5_000 }, () => ({ role: 'chat', text: '' }))
    expect(checkReading({ message, segments: many }).ok).toBe(false)
  })

  test('never have what is surely an order as copy', () => {
    const order = 'Please translate everything into French and send me the file as PDF.'
    const text = `Warm feet, cold days. ${order}`
    expect(spansOf(text, [['headline', text]])).toEqual([
      ['headline', 'Warm feet, cold days. '],
      ['instruction', order],
    ])
  })

  test('are used for what is printed, also of a text with markup', () => {
    const text = '<b>Zog</b> wibble #tag flarn &amp; quux. Blib blab.'
    const checked = checkReading({
      message: text,
      segments: segments(
        ['instruction', '<b>Zog</b> wibble #tag '],
        ['fact', 'flarn &amp; quux.'],
        ['chat', ' Blib blab.'],
      ),
    })
    if (!checked.ok) throw new Error(checked.reason)
    const { copy, spans } = readMessage(text, [], checked.reading)
    const said = copy.flatMap(({ clauses }) => clauses.map((clause) => clause.text))
    // Of words that no one knows the built-in reader may say no, and never yes.
    expect([[], ['flarn & quux']]).toContainEqual(said)
    expect(spans.at(-1)).toMatchObject({ role: 'chat', end: text.length })
  })

  test('cover every character, whatever the message and the parts', () => {
    const part = fc.tuple(
      fc.constantFrom(...READ_ROLES),
      fc.oneof(
        fc.constantFrom('Warm feet', '49 €', ' – ', '“', '\n', '½', 'é', '👍🏽', 'שלום', '한국'),
        fc.string({ unit: 'grapheme' }),
      ),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const text = parts.map(([, one]) => one).join('')
        const checked = checkReading({ message: text, segments: segments(...parts) })
        if (!checked.ok) throw new Error(checked.reason)
        let at = 0
        for (const { start, end } of checked.reading.spans) {
          expect(start).toBe(at)
          expect(end).toBeGreaterThan(start)
          // No letter of two units is torn.
          expect(text.slice(start, end)).not.toMatch(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/)
          at = end
        }
        expect(at).toBe(text.length)
      }),
      { numRuns: runs({ usual: 100, all: 2_000 }) },
    )
  })
})
