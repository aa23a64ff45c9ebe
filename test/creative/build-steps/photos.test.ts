import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { photoOf, SCENERIES } from '../pictures/photos.ts'
import {
  assetsOf,
  type BuildHarness,
  buildHarness,
  countColour,
  formatId,
  imageOf,
  PURPLE,
  seedRequest,
} from './build-harness.ts'

let harness: BuildHarness
let url = ''
beforeAll(async () => {
  harness = await buildHarness()
  harness.files.files.set('/photo.jpg', { body: await photoOf(SCENERIES.beach) })
  harness.files.files.set('/small.jpg', { body: await photoOf(SCENERIES.beach, 40, 30) })
  harness.files.files.set('/broken.jpg', { body: 'no picture' })
  url = harness.files.url
})
afterAll(() => harness.close())

/** The colour of what the photo shows. */
const THING = SCENERIES.beach.thing

const requestFor = (id: string, { offering = {}, brand = {}, assets = {} } = {}) => {
  const request = seedRequest(id)
  const { promoted_offerings } = request.creative_manifest.assets
  Object.assign(promoted_offerings.inline_offerings[0] as object, offering)
  Object.assign(promoted_offerings.brand_manifest, brand)
  Object.assign(request.creative_manifest.assets, assets)
  return request
}
const notesOf = ({ ext }: { ext?: unknown }) =>
  (ext as { build_notes?: string[] } | undefined)?.build_notes ?? []

const SOURCES = [
  ['image_url of the offering', () => ({ offering: { image_url: `${url}/photo.jpg` } })],
  [
    'assets of the offering',
    () => ({ offering: { assets: [{ asset_type: 'image', url: `${url}/photo.jpg` }] } }),
  ],
  [
    'assets of the brand',
    () => ({ brand: { assets: [{ asset_type: 'image', url: `${url}/photo.jpg` }] } }),
  ],
  [
    'manifest, under a name that is no slot',
    () => ({ assets: { product_photo: { asset_type: 'image', url: `${url}/photo.jpg` } } }),
  ],
] as const

test.each(SOURCES)('spec 4.2: a photo from the %s stands with the words', async (_, more) => {
  const answer = await harness.build(requestFor('display_728x90_image', more()))
  const image = imageOf(answer)
  const bytes = await harness.bytesOf(image)
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 728, height: 90 })
  expect(await countColour(bytes, THING)).toBeGreaterThan(50)
  // The brand's colour: a panel under the words, or the button and a line along the edge on paper.
  expect(await countColour(bytes, PURPLE)).toBeGreaterThan(2_000)
  expect(notesOf(answer).filter((note) => /photo/.test(note))).toEqual([])
  expect(Object.keys(assetsOf(answer))).not.toContain('product_photo')
})

test('spec 4.2: in an HTML banner the photo of the manifest stands with the words', async () => {
  const assets = { product_photo: { asset_type: 'image', url: `${url}/photo.jpg` } }
  const answer = await harness.build(requestFor('display_300x250_html', { assets }))
  const html = Object.values(assetsOf(answer)).find(({ asset_type }) => asset_type === 'html')
  expect(html?.content).toContain('<image class="photo"')
  expect(html?.content).toContain('class="headline"')
  expect(notesOf(answer).filter((note) => /photo/.test(note))).toEqual([])
})

test('a picture that the manifest gives for the slot is brought to its size, without words', async () => {
  const assets = { banner_image: { asset_type: 'image', url: `${url}/photo.jpg` } }
  const answer = await harness.build(requestFor('display_300x250_image', { assets }))
  expect(notesOf(answer)).toContain('banner_image: cropped to 300x250')
  expect(await countColour(await harness.bytesOf(imageOf(answer)), PURPLE)).toBe(0)
})

test.each([
  ['broken.jpg', 'the photo was left out: it is not a PNG, JPEG, WebP, GIF or SVG image'],
  ['none.jpg', 'the photo was left out: its server answered 404'],
  ['small.jpg', 'the photo was left out of 300x250: it is too small with 40x30 pixels'],
])(
  'a photo that cannot be used is reported, and the words are displayed alone: %s',
  async (name, note) => {
    const offering = { image_url: `${url}/${name}` }
    const answer = await harness.build(requestFor('display_300x250_image', { offering }))
    expect(notesOf(answer).filter((one) => one.startsWith(note))).toHaveLength(1)
    expect(await sharp(await harness.bytesOf(imageOf(answer))).metadata()).toMatchObject({
      format: 'png',
    })
  },
)

test('a photo of a private address is not requested, and the next one is used instead', async () => {
  const offering = { image_url: `${harness.canary.url}/photo.jpg` }
  const brand = { assets: [{ asset_type: 'image', url: `${url}/photo.jpg` }] }
  const answer = await harness.build(requestFor('display_728x90_image', { offering, brand }))
  expect(harness.canary.requested).toEqual([])
  expect(notesOf(answer).some((note) => note.startsWith('photo 1 was left out: '))).toBe(true)
  expect(await countColour(await harness.bytesOf(imageOf(answer)), THING)).toBeGreaterThan(50)
})

test('of several formats each has the photo in its own crop', async () => {
  const request = requestFor('display_728x90_image', {
    offering: { image_url: `${url}/photo.jpg` },
  })
  const before = harness.files.requested.length
  const ids = ['display_728x90_image', 'display_300x600_image']
  const { creative_manifests = [] } = await harness.build({
    ...request,
    target_format_id: undefined,
    target_format_ids: ids.map((id) => formatId(id)),
  })
  expect(harness.files.requested.slice(before)).toEqual(['/photo.jpg'])
  for (const creative_manifest of creative_manifests) {
    const bytes = await harness.bytesOf(imageOf({ creative_manifest }))
    expect((await sharp(bytes).metadata()).format).toBe('jpeg')
  }
  expect(creative_manifests).toHaveLength(2)
})

test('spec 4.2: of several offerings with pictures, each is in a grid', async () => {
  const other = SCENERIES.studio.thing
  harness.files.files.set('/other.jpg', { body: await photoOf(SCENERIES.studio) })
  const request = requestFor('display_300x600_image', {
    offering: { image_url: `${url}/photo.jpg` },
  })
  const { inline_offerings } = request.creative_manifest.assets.promoted_offerings
  const second = { offering_id: 'o2', name: 'Second', image_url: `${url}/other.jpg` }
  const third = { offering_id: 'o3', name: 'Third', image_url: `${url}/none.jpg` }
  inline_offerings.push(...([second, third] as unknown as typeof inline_offerings))
  const answer = await harness.build(request)
  const bytes = await harness.bytesOf(imageOf(answer))
  expect(await countColour(bytes, THING)).toBeGreaterThan(200)
  expect(await countColour(bytes, other)).toBeGreaterThan(200)
  expect(notesOf(answer)).toContain(
    'the picture of offering 3 was left out: its server answered 404',
  )
})
