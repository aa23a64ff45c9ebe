import { expect, test } from 'vitest'
import { interactivePage } from '../../../src/creative/rendering/interactive-page.ts'
import { renderManifest } from '../../../src/creative/rendering/render-manifest.ts'
import type { Format } from '../../../src/protocol/schemas/format.ts'
import { html5, manifestOf, ownFormat, PICTURE } from './creatives.ts'

const slots = [
  { asset_id: 'picture', asset_type: 'image' },
  { asset_id: 'headline', asset_type: 'text' },
  { asset_id: 'caption', asset_type: 'text' },
]
const format = ownFormat({
  assets: [
    {
      item_type: 'repeatable_group',
      asset_group_id: 'slides',
      required: true,
      min_count: 2,
      max_count: 100,
      assets: slots,
    },
  ] as unknown as Format['assets'],
})
const slide = (name: string) => [
  { asset_type: 'image' as const, asset_id: 'picture', url: PICTURE },
  { asset_type: 'text' as const, asset_id: 'headline', content: `Head ${name}` },
  { asset_type: 'text' as const, asset_id: 'caption', content: `Caption ${name}` },
]
const draw = (slides: ReturnType<typeof slide>, options = {}) =>
  renderManifest(manifestOf('own', { slides }), format, options)[0]?.html ?? ''

test('spec 2.3: a repetition of a group is one card, with its picture, its texts and its place', () => {
  const html = draw([...slide('A'), ...slide('B')])
  const cards = html.split('<div class="feed">').slice(1)
  expect(cards).toHaveLength(2)
  for (const [index, name] of ['A', 'B'].entries()) {
    const card = cards[index]
    expect(card).toContain('<img ')
    expect(card).toContain(`<h2>Head ${name}</h2><p>Caption ${name}</p>`)
    expect(card).toContain(`<span class="ad">${index + 1}/2</span>`)
  }
})

test('assets without an id are distinguished by their place, and a card may lack a part', () => {
  const bare = [...slide('A'), ...slide('B')].map(({ asset_id: _, ...asset }) => asset)
  expect(draw(bare as never).split('<div class="feed">')).toHaveLength(3)
  const [picture, headline] = slide('A')
  const lacking = [picture, headline, ...slide('B')] as ReturnType<typeof slide>
  expect(draw(lacking).split('<div class="feed">')).toHaveLength(3)
})

test('a carousel snaps, takes the focus and has no script', () => {
  const html = draw([...slide('A'), ...slide('B')])
  expect(html).toContain(
    '<div class="strip" role="region" aria-roledescription="carousel" aria-label="Slides, 2 of 2" tabindex="0">',
  )
  expect(html).toContain('scroll-snap-type:x mandatory')
  expect(html).not.toContain('<script')
})

test('item_limit counts cards, and says how many are not displayed', () => {
  const html = draw(['A', 'B', 'C'].flatMap(slide), { itemLimit: 2 })
  expect(html.split('<div class="feed">')).toHaveLength(3)
  expect(html).toContain('<span class="ad">2/3</span>')
  expect(html).toContain('2 of 3 items are displayed.')
})

test('the interactive page gives a tall creative the height it needs', () => {
  const tall = ownFormat({
    renders: [{ role: 'primary', dimensions: { width: 160, height: 600 } }],
  })
  const { html } = interactivePage({
    format: tall,
    manifest: html5('<p>'),
    inputs: [{ name: 'One' }],
    tags: new Map(),
    itemLimit: undefined,
  })
  expect(html).toContain('<option value="0" data-height="840">primary</option>')
})
