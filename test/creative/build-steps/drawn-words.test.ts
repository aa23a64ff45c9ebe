import { describe, expect, test } from 'vitest'
import { drawnWordsOf } from '../../../src/creative/build-steps/drawn-words.ts'
import type { BuildCreativeRequest } from '../../../src/protocol/schemas/build-creative.ts'
import { draftOf, formatNamed } from './compose-harness.ts'

const MESSAGE =
  'Headline: "Warm feet, cold days". Body: "Free shipping until Sunday". CTA: "Buy boots"'

const wordsIn = (id: string, request: BuildCreativeRequest = { message: MESSAGE }) =>
  drawnWordsOf(draftOf({ request, format: formatNamed(id) }))

describe('spec 4.2: the words that a creative shows are known,', () => {
  test('of a picture as they are set', () => {
    const [picture] = wordsIn('display_300x250_image')
    expect(picture).toMatchObject({
      name: 'banner_image',
      texts: [
        { role: 'brand', text: 'A' },
        { role: 'brand', text: 'Acme' },
        { role: 'headline', text: 'Warm feet, cold days' },
        { role: 'description', text: 'Free shipping until Sunday' },
        { role: 'call_to_action', text: 'Buy boots' },
      ],
    })
  })

  test('and of a strip without what it has no room for', () => {
    const texts = wordsIn('display_320x50_image').flatMap((one) => one.texts)
    expect(texts.map(({ role }) => role)).toContain('headline')
    expect(texts.map(({ role }) => role)).not.toContain('description')
  })

  test('of an HTML banner', () => {
    const [banner] = wordsIn('display_300x250_html')
    expect(banner?.texts.map(({ text }) => text)).toContain('Free shipping until Sunday')
  })

  test('of markup that is handed on, without its tags and its title', () => {
    const content = '<html><head><title>T</title></head><b>Fresh</b> bread &amp; cake</html>'
    const format = formatNamed('display_300x250_html')
    const creative_manifest = { assets: { html_creative: { content } } }
    const [banner] = drawnWordsOf(draftOf({ request: { creative_manifest }, format }))
    expect(banner?.texts[0]?.text.replace(/\s+/g, ' ').trim()).toBe('Fresh bread & cake')
  })

  test('of a native unit slot by slot, and its picture has none', () => {
    const words = wordsIn('native_standard')
    const textOf = (name: string) => words.find((one) => one.name === name)?.texts
    expect(textOf('title')).toEqual([{ role: 'headline', text: 'Warm feet, cold days' }])
    expect(textOf('cta_text')).toEqual([{ role: 'call_to_action', text: 'Buy boots' }])
    expect(words.flatMap(({ texts }) => texts).map(({ role }) => role)).not.toContain('disclaimer')
  })

  test('of a film frame by frame', () => {
    const words = wordsIn('video_1280x720').flatMap(({ texts }) => texts.map(({ text }) => text))
    expect(words).toEqual(
      expect.arrayContaining(['Free shipping until Sunday', 'Buy boots · acme.example']),
    )
  })

  test('of cards one by one', () => {
    const inline_offerings = ['Oak desk', 'Pine chair', 'Ash shelf'].map((name) => ({
      name,
      landing_url: 'https://acme.example',
    }))
    const format = formatNamed('product_carousel_3_to_10')
    const request = { promoted_offerings: { inline_offerings } }
    const words = drawnWordsOf(draftOf({ request, format }))
    const headlines = words.flatMap(({ texts }) => texts.filter(({ role }) => role === 'headline'))
    for (const { name } of inline_offerings)
      expect(headlines.map(({ text }) => text)).toContain(name)
  })
})

test('spec 4.2: the alt text of a picture is its headline as it is set', () => {
  const message = `Headline: "${'Comfortable walking boots for the whole family '.repeat(2).trim()}"`
  const { assets } = draftOf({ request: { message }, format: formatNamed('display_320x50_image') })
  const [picture] = assets
  const headline = picture?.words.find(({ role }) => role === 'headline')?.text
  expect(headline).toMatch(/…$/)
  expect(picture?.content).toMatchObject({ altText: headline })
})
