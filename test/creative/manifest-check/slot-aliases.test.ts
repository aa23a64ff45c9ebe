import { expect, test } from 'vitest'
import { withSlotNames } from '../../../src/creative/manifest-check/slot-aliases.ts'
import type { Format } from '../../../src/protocol/schemas/format.ts'

const slot = (asset_id: string, asset_type: string, required = true) => ({
  item_type: 'individual',
  asset_id,
  asset_type,
  required,
})
const format = (...assets: object[]) => ({ assets }) as unknown as Pick<Format, 'assets'>
const image = { asset_type: 'image', url: 'https://a.example/1.png' }

test.each([
  ['image', 'banner_image'],
  ['image_main', 'banner_image'],
  ['generated_image', 'banner_image'],
])('spec 2.4: %s is taken for the slot %s', (from, to) => {
  const { assets, renamed } = withSlotNames(
    { [from]: image },
    format(slot('banner_image', 'image'), slot('click_url', 'url')),
  )
  expect(assets).toEqual({ [to]: image })
  expect(renamed).toEqual([{ from, to }])
})

test('a name that says nothing is taken for the only required slot of its type', () => {
  const one = format(slot('billboard_image', 'image'), slot('logo', 'image', false))
  expect(withSlotNames({ picture: image }, one).renamed).toEqual([
    { from: 'picture', to: 'billboard_image' },
  ])
})

test('what could mean two slots, or none, keeps its name', () => {
  const two = format(slot('left', 'image'), slot('right', 'image'))
  expect(withSlotNames({ picture: image }, two)).toEqual({
    assets: { picture: image },
    renamed: [],
  })
  expect(withSlotNames({ words: { content: 'a' } }, two).renamed).toEqual([])
})

test('a slot that is filled is not filled again', () => {
  const given = { banner_image: image, image }
  const one = format(slot('banner_image', 'image'))
  expect(withSlotNames(given, one)).toEqual({ assets: given, renamed: [] })
})
