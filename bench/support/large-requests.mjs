// Large requests that the benches of calls and of attacks share: creatives, and buys with many packages.

export const IMAGE = 'display_300x250_image'

export function imageCreative(creative_id, format_id) {
  const url = `https://cdn.example/${creative_id}.png`
  return {
    creative_id,
    name: `Creative ${creative_id}`,
    format_id,
    assets: {
      banner_image: { asset_type: 'image', url, width: 300, height: 250 },
      click_url: { asset_type: 'url', url: 'https://acme.example/' },
    },
  }
}

/** What can be bought at a fixed CPM in USD for an image, of the body of a `get_products` response. */
export function offersIn({ products }) {
  return products
    .filter(({ format_ids }) => format_ids.some(({ id }) => id === IMAGE))
    .map(({ product_id, pricing_options }) => {
      const option = pricing_options.find(
        ({ currency, pricing_model }) => currency === 'USD' && pricing_model === 'cpm',
      )
      return { product_id, option }
    })
    .filter(({ option }) => option?.is_fixed)
}

/** The body of a `create_media_buy` request that starts now and ends after `days`. */
export function purchase([{ product_id, option }], { packages, days, ...members }) {
  const budget = Math.max(option.min_spend_per_package ?? 0, 1_000)
  return {
    brand: { domain: 'acme.example' },
    buyer_ref: `large-${Math.random()}`,
    start_time: 'asap',
    end_time: inDays(days),
    packages: Array.from({ length: packages }, (_, n) => ({
      product_id,
      pricing_option_id: option.pricing_option_id,
      budget,
      buyer_ref: `package-${n}`,
      targeting_overlay: { geo_countries: ['US'] },
    })),
    ...members,
  }
}

export function inDays(days) {
  return new Date(Date.now() + days * 86_400_000).toISOString()
}
