import { parse } from 'parse5'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Asset } from '../../../src/protocol/schemas/assets.ts'
import { assetsOf, type BuildHarness, buildHarness, formatId, refusalOf } from './build-harness.ts'

let harness: BuildHarness
beforeAll(async () => {
  harness = await buildHarness()
})
afterAll(() => harness.close())

const request = (target: string, name: string, offered: string, description = '') => ({
  target_format_id: formatId(target),
  creative_manifest: {
    assets: {
      promoted_offerings: {
        brand_manifest: {
          name,
          url: 'https://brand.example',
          colors: { primary: '#101010', secondary: '#F2A541' },
        },
        inline_offerings: [{ name: offered, description }],
      },
    },
  },
})

test('spec 4.2: a Japanese brand has its words in the picture', async () => {
  const withWords = request('display_300x250_image', '山の道具店', '長い一日を軽やかに歩く靴')
  const answer = await harness.build(withWords)
  const [picture] = Object.values(assetsOf(answer)) as Asset[]
  expect(picture?.alt_text).toBe('長い一日を軽やかに歩く靴')
  // White on black: the words are most of what is bright.
  const bright = async (one: Asset | undefined) =>
    (
      await sharp(await harness.bytesOf(one))
        .greyscale()
        .threshold(200)
        .stats()
    ).channels[0]?.mean
  expect(await bright(picture)).toBeGreaterThan(5)
  expect(answer.ext?.build_notes).toBeUndefined()
})

test('spec 2.4: an Arabic banner is text, from right to left, with its letters in its own fonts', async () => {
  const answer = await harness.build(
    request('display_300x250_html', 'متجر الصحراء', 'أحذية خفيفة للأيام الطويلة'),
  )
  const html = Object.values(assetsOf(answer)).find((one) => (one as Asset).content !== undefined)
  const content = (html as Asset).content ?? ''
  expect(parse(content).nodeName).toBe('#document')
  expect(content).toContain('<html lang="ar" dir="rtl">')
  expect(content).toMatch(/<text [^>]*font-family="f\d[^>]*direction="rtl">[^<]*أحذية/)
  expect(content).toMatch(/@font-face\{font-family:f1;[^}]*url\(data:font\/ttf;base64,/)
})

test('a word with letters that no font has fails the build, and the error names them', async () => {
  const { code, message } = await refusalOf(
    harness.build(request('display_300x250_image', 'Acme', 'Old 𒀀𒀁 tablets')),
  )
  expect(code).toBe('UNSUPPORTED_FEATURE')
  expect(message).toBe(
    'the headline cannot be drawn with 𒀀 𒀁, which no installed font has: add a font with them to ADWIRE_FONTS_DIR',
  )
})

test('what does not fit is reported', async () => {
  const description = 'Light boots, packs and shells for long days outside.'
  const answer = await harness.build(
    request('display_320x50_image', 'Acme', 'Summer trail collection', description),
  )
  expect(answer.ext?.build_notes).toEqual([
    'description: not in the picture of 320x50, which has no room for it',
  ])
})
