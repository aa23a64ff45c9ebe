// Creatives of every kind that is drawn differently, for tests of previews. Their picture is drawn without
// a network; it is SVG, which the check of a manifest would refuse.

import { concreteFormat } from '../../../src/creative/concrete-format.ts'
import type { CreativeManifest } from '../../../src/protocol/schemas/creative-manifest.ts'
import type { Format } from '../../../src/protocol/schemas/format.ts'
import { catalogue } from '../../support/creative.ts'

export const AGENT = 'https://ads.example'

/** A picture that needs no network: blue and yellow halves. */
export const PICTURE = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="300" height="250"><rect width="300" height="250" fill="#1d4ed8"/><rect width="150" height="250" fill="#facc15"/></svg>')}`
const IMAGE_URL = 'https://cdn.example/banner.png'

const text = (content: string) => ({ asset_type: 'text' as const, content })
const url = (address: string) => ({ asset_type: 'url' as const, url: address })
const image = (width = 300, height = 250, address = IMAGE_URL) => ({
  asset_type: 'image' as const,
  url: address,
  width,
  height,
})

export function formatOf(id: string, size?: { width: number; height: number }): Format {
  const found = catalogue().formats.find(({ format_id }) => format_id.id === id)
  if (!found) throw new Error(`there is no format ${id}`)
  const made = concreteFormat(found, size ?? {})
  if (!made.ok) throw new Error(made.message)
  return made.format
}

/** A format of an operator's own, with the slots that the assets need and any that are given. */
export function ownFormat(members: Partial<Format> = {}): Format {
  return {
    format_id: { agent_url: AGENT, id: 'own' },
    name: 'Own format',
    type: 'display',
    renders: [{ role: 'primary', dimensions: { width: 300, height: 250 } }],
    assets_required: [],
    assets: [],
    ...members,
  }
}

export const manifestOf = (
  id: string,
  assets: NonNullable<CreativeManifest['assets']>,
): CreativeManifest => ({ format_id: { agent_url: AGENT, id }, assets })

export const inlineVast = (body = '', attributes = 'version="4.2"') =>
  `<?xml version="1.0"?><VAST ${attributes}><Ad id="1"><InLine><AdSystem>Acme</AdSystem><AdTitle>Spring</AdTitle>
<Impression><![CDATA[https://t.example/imp?cb=[CACHEBUSTING]]]></Impression>
<Creatives><Creative><Linear><Duration>00:00:30</Duration>
<TrackingEvents><Tracking event="start">https://t.example/start?a=1&amp;b=2</Tracking></TrackingEvents>
<VideoClicks><ClickThrough>https://acme.example/spring?c={COUNTRY}</ClickThrough><ClickTracking>https://t.example/click</ClickTracking></VideoClicks>
<MediaFiles><MediaFile type="application/javascript" apiFramework="VPAID" width="640" height="360">https://cdn.example/vpaid.js</MediaFile>
<MediaFile type="video/webm" width="640" height="360" delivery="progressive">https://cdn.example/ad.webm</MediaFile>
<MediaFile type="video/mp4" width="1280" height="720" delivery="progressive">https://cdn.example/ad.mp4</MediaFile></MediaFiles></Linear></Creative>
<Creative><CompanionAds><Companion width="300" height="250"><StaticResource creativeType="image/png">https://cdn.example/companion.png</StaticResource><CompanionClickThrough>https://acme.example/companion</CompanionClickThrough></Companion></CompanionAds></Creative>
</Creatives>${body}</InLine></Ad></VAST>`

export const wrapperTo = (address: string, tracker = 'https://w.example/imp') =>
  `<VAST version="4.2"><Ad><Wrapper><AdSystem>Acme</AdSystem><VASTAdTagURI><![CDATA[${address}]]></VASTAdTagURI><Impression>${tracker}</Impression></Wrapper></Ad></VAST>`

export const daast = `<DAAST version="1.0"><Ad><InLine><AdSystem>Acme</AdSystem><AdTitle>Radio</AdTitle><Impression>https://t.example/heard</Impression><Creatives><Creative><Linear><Duration>00:00:15</Duration><MediaFiles><MediaFile type="audio/mpeg">https://cdn.example/spot.mp3</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></DAAST>`

export const banner = (over = {}) =>
  manifestOf('display_300x250_image', {
    banner_image: image(),
    click_url: url('https://acme.example/?country={COUNTRY}'),
    impression_tracker: url('https://t.example/i?c={CITY}&d={DEVICE_ID}'),
    ...over,
  })

export const html5 = (content: string) =>
  manifestOf('display_300x250_html', { html_creative: { asset_type: 'html', content } })

/** One of every kind, with its format. */
export const EVERY_KIND: readonly [kind: string, format: Format, manifest: CreativeManifest][] = [
  ['image', formatOf('display_300x250_image'), banner({ banner_image: image(300, 250, PICTURE) })],
  [
    'image of a template',
    formatOf('display_image', { width: 320, height: 480 }),
    manifestOf('display_image', { banner_image: image(320, 480, PICTURE), click_url: url(AGENT) }),
  ],
  [
    'video',
    formatOf('video_1280x720'),
    manifestOf('video_1280x720', {
      video_file: {
        asset_type: 'video',
        url: 'https://cdn.example/ad.mp4',
        width: 1280,
        height: 720,
        duration_ms: 30_000,
      },
    }),
  ],
  [
    'audio',
    formatOf('audio_standard_30s'),
    manifestOf('audio_standard_30s', {
      audio_file: { asset_type: 'audio', url: 'https://cdn.example/a.mp3', duration_ms: 30_000 },
    }),
  ],
  [
    'native',
    formatOf('native_product_card'),
    manifestOf('native_product_card', {
      headline: text('Shoes for {CITY}'),
      image: image(600, 400, PICTURE),
      cta_text: text('Buy now'),
      cta_url: url('https://acme.example'),
      sponsored_by: text('Acme'),
      price: text('49 €'),
      product_catalog: { asset_type: 'catalog', items: [{ name: 'Shoe' }] },
    }),
  ],
  [
    'html',
    formatOf('display_300x250_html'),
    html5('<body style="background:#0a7"><h1>{CITY}</h1>'),
  ],
  [
    'javascript',
    formatOf('display_js', { width: 300, height: 250 }),
    manifestOf('display_js', {
      js_creative: {
        asset_type: 'javascript',
        content: 'document.body.innerHTML = "<h1>made by </script>script: {CITY}</h1>"',
      },
    }),
  ],
  [
    'VAST',
    formatOf('video_vast'),
    manifestOf('video_vast', { vast_tag: { asset_type: 'vast', content: inlineVast() } }),
  ],
  [
    'DAAST',
    formatOf('audio_standard_15s'),
    manifestOf('audio_standard_15s', { audio_file: { asset_type: 'audio', content: daast } }),
  ],
  [
    'DOOH',
    formatOf('dooh_billboard_1920x1080'),
    manifestOf('dooh_billboard_1920x1080', { billboard_image: image(1920, 1080, PICTURE) }),
  ],
  [
    'generative',
    formatOf('display_300x250_generative'),
    manifestOf('display_300x250_generative', {
      generation_prompt: text('A sunny banner'),
      promoted_offerings: {
        asset_type: 'promoted_offerings',
        brand_manifest: { name: 'Acme', colors: { primary: '#00aa77' } },
        inline_offerings: [{ name: 'Shoes', description: 'Fast ones' }],
      },
    }),
  ],
  [
    'carousel',
    ownFormat({ name: 'Carousel' }),
    manifestOf('own', {
      slides: [1, 2, 3].map((one) => ({
        asset_type: 'card' as const,
        headline: `Slide ${one}`,
        cta: 'More',
        media: { asset_type: 'image', url: PICTURE },
      })),
    }),
  ],
  [
    'universal',
    ownFormat({ name: 'Universal', type: 'universal', renders: undefined }),
    manifestOf('own', {
      headlines: [text('One'), text('Two')],
      landscape_images: [image(600, 314, PICTURE), image(600, 314, PICTURE)],
      title: text('Everywhere'),
      logo: image(64, 64, PICTURE),
    }),
  ],
  [
    'text',
    formatOf('native_mention'),
    manifestOf('native_mention', {
      mention_text: text('Try Acme'),
      cta_url: url(AGENT),
      sponsored_by: text('Acme'),
    }),
  ],
]
