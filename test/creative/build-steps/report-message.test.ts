import { describe, expect, test } from 'vitest'
import type { Draft } from '../../../src/creative/build-steps/draft.ts'
import type { BuildCreativeRequest } from '../../../src/protocol/schemas/build-creative.ts'
import { draftOf, formatNamed } from './compose-harness.ts'
import { contradictionsIn } from './contradictions.ts'

const HTML = formatNamed('display_300x250_html')
const NATIVE = formatNamed('native_content')

const native = (message?: string): BuildCreativeRequest => ({
  ...(message !== undefined && { message }),
  creative_manifest: {
    assets: {
      headline: { asset_type: 'text', content: 'Old boots, new soles' },
      body: { asset_type: 'text', content: 'Repaired within a day.' },
      cta: { asset_type: 'text', content: 'Find a shop' },
      click_url: { asset_type: 'url', url: 'https://acme.example/old', url_type: 'clickthrough' },
    },
  },
})

const offerings = (name: string, landing_url?: string) => ({
  brand_manifest: { name: `Brand of ${name}` },
  inline_offerings: [{ name, ...(landing_url !== undefined && { landing_url }) }],
})

const drawn = ({ assets }: Draft) => assets.flatMap(({ words }) => words.map(({ text }) => text))

describe('spec 4.2: notes report what was drawn:', () => {
  test('texts of a native creative that are in the banner made of it are not reported as omitted', () => {
    const draft = draftOf({ request: native(), format: HTML, sourceFormat: NATIVE })
    expect(drawn(draft)).toEqual(
      expect.arrayContaining(['Old boots, new soles', 'Repaired within a day.', 'Find a shop']),
    )
    expect(draft.notes).toEqual([])
  })

  test('what the format has no place for is named with its words', () => {
    const request = native()
    Object.assign(request.creative_manifest?.assets ?? {}, {
      author: { asset_type: 'text', content: 'By Ada Smith' },
    })
    const { notes } = draftOf({ request, format: HTML, sourceFormat: NATIVE })
    expect(notes).toEqual(['author: omitted, the format has no place for it: “By Ada Smith”'])
  })

  test('a headline of the message that takes the place of the manifest’s', () => {
    const request = native('Headline: "Warm feet"')
    const draft = draftOf({ request, format: HTML, sourceFormat: NATIVE })
    expect(drawn(draft)).toContain('Warm feet')
    expect(draft.notes.join()).toContain('“Old boots, new soles”')
    expect(draft.notes).toContain(
      'headline: “Old boots, new soles” of creative_manifest was replaced by “Warm feet” of the message',
    )
  })

  test('copy of the message that gives way to the manifest’s', () => {
    const message = 'Sandals from 29 € in all our shops'
    const draft = draftOf({ request: native(message), format: HTML, sourceFormat: NATIVE })
    expect(draft.notes.join()).toContain('29 €')
    expect(draft.notes.join()).toContain('creative_manifest has its own headline')
    expect(contradictionsIn(draft, message)).toEqual([])
  })

  test('a second headline that is drawn as text, and a second button that is not drawn', () => {
    const message = 'Headline: "Warm feet". Headline: "Cold days". CTA: "Go". CTA: "Stop now"'
    const draft = draftOf({ request: { message }, format: HTML })
    expect(drawn(draft)).toEqual(expect.arrayContaining(['Warm feet', 'Cold days', 'Go']))
    expect(drawn(draft).join()).not.toContain('Stop')
    expect(draft.notes).toEqual([
      'omitted: “Stop now”',
      'headline: “Warm feet” is the headline, and the second one, “Cold days”, is printed as text',
    ])
  })

  test('a text of copy that takes the place of the manifest’s or of the message’s', () => {
    const copy = { headline: 'Cold hands' }
    const request = { ...native('Headline: "Warm feet"'), copy }
    const { notes } = draftOf({ request, format: HTML, sourceFormat: NATIVE })
    expect(notes).toContain('omitted: “Warm feet”: copy has its own headline')
    expect(notes).toContain(
      'headline: “Old boots, new soles” of creative_manifest was replaced by “Cold hands” of copy',
    )
  })

  test('figures of a text of the manifest that is too long for its slot', () => {
    const request = native()
    const body = `Repaired within a day, ${'by people who know how to do it, '.repeat(5)}open until 20:00. Code SOLE10 until 31 May.`
    Object.assign(request.creative_manifest?.assets ?? {}, {
      body: { asset_type: 'text', content: body },
    })
    const draft = draftOf({
      request,
      format: formatNamed('native_standard'),
      sourceFormat: NATIVE,
    })
    expect(draft.notes.join()).toMatch(/^description: shortened to fit, omitted: “[^”]*SOLE10/)
    expect(drawn(draft).join()).not.toContain('SOLE10')
  })

  test('offerings that are not named, and prices that are not displayed', () => {
    const inline_offerings = ['Oak desk', 'Pine chair'].map((name, index) => ({
      name,
      price: `€ ${99 + index}`,
    }))
    const request = { message: 'Solid furniture', promoted_offerings: { inline_offerings } }
    const draft = draftOf({ request, format: HTML })
    expect(draft.notes).toEqual(
      expect.arrayContaining([
        'offerings that are not named: “Pine chair”',
        'price of the offering “Oak desk”, omitted: “€ 99”',
        'price of the offering “Pine chair”, omitted: “€ 100”',
      ]),
    )
    const returned = { ...request, instructions: ['show the price'] }
    expect(draftOf({ request: returned, format: HTML }).notes.join()).not.toContain('€ 99')
  })

  test('the sponsor of a creative without a brand, which is used in its place', () => {
    const request = native()
    Object.assign(request.creative_manifest?.assets ?? {}, {
      sponsored_by: { asset_type: 'text', content: 'Ferry Lane Boots' },
    })
    const preference = { request, format: HTML, sourceFormat: NATIVE, known: { brand: {} } }
    const draft = draftOf(preference)
    expect(drawn(draft)).toContain('Ferry Lane Boots')
    expect(draft.notes).toEqual([])
  })

  test('an address that no click leads to', () => {
    const message = 'Warm feet. Link to https://acme.example/sale'
    const { notes } = draftOf({ request: native(message), format: HTML, sourceFormat: NATIVE })
    expect(notes).toContain(
      'a click leads to https://acme.example/old: the address in the message, https://acme.example/sale, is not used',
    )
    const promoted_offerings = offerings('Oak desk', 'https://acme.example/desk')
    const offered = draftOf({ request: { message, promoted_offerings }, format: HTML })
    expect(offered.notes).toContain(
      'a click leads to https://acme.example/sale: the address of the offering, https://acme.example/desk, is not used',
    )
  })

  test('offerings and a brand beside those of the manifest', () => {
    const request = {
      promoted_offerings: offerings('Pine chair'),
      creative_manifest: {
        assets: {
          promoted_offerings: { asset_type: 'promoted_offerings', ...offerings('Oak desk') },
        },
      },
    } as BuildCreativeRequest
    const draft = draftOf({ request, format: HTML })
    expect(drawn(draft)).toContain('Oak desk')
    expect(draft.notes).toEqual([
      'the brand “Brand of Pine chair” of promoted_offerings is not used: creative_manifest has “Brand of Oak desk”',
      'the offering “Pine chair” of promoted_offerings is not used: creative_manifest has its own offerings',
    ])
  })

  test('motion that the format does not have', () => {
    const message = 'An animated banner for our boots'
    const picture = draftOf({ request: { message }, format: formatNamed('display_300x250_image') })
    expect(picture.notes.join()).toContain('has no motion')
    expect(draftOf({ request: { message }, format: HTML }).notes.join()).not.toContain(
      'not followed',
    )
  })
})

test('spec 4.2: the parts are those of the message as it was sent, with what speaks of motion', () => {
  const message = 'No animation. Warm feet, cold days.'
  const { reading } = draftOf({ request: { message }, format: HTML })
  expect(reading.map(({ text }) => text).join('')).toBe(message)
})
