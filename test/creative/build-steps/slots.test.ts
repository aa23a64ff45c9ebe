import { expect, test } from 'vitest'
import { roleOf } from '../../../src/creative/build-steps/slots.ts'

test.each([
  ['headline', ['headline', 'title', 'product_name', 'name']],
  ['description', ['description', 'body', 'mention_text', 'brand_description', 'preview_text']],
  ['sponsor', ['sponsored_by', 'advertiser_name', 'brand_name', 'brand']],
  ['disclosure', ['disclosure', 'sponsored_label']],
  ['price', ['price', 'card_price', 'pricing_amount', 'sale_price']],
  ['other', ['original_price', 'price_currency', 'publisher_name', 'audience_summary']],
  ['other', ['author_name', 'site_title', 'rating_text', 'review_summary', 'testimonial_text']],
])('spec 2.3: a text slot is a %s by its name: %j', (role, names) => {
  expect(names.map((name) => [name, roleOf('text', name)])).toEqual(
    names.map((name) => [name, role]),
  )
})
