import fc from 'fast-check'
import { parse } from 'parse5'
import { describe, expect, test } from 'vitest'
import { renderManifest } from '../../../src/creative/rendering/render-manifest.ts'
import type { CreativeManifest } from '../../../src/protocol/schemas/creative-manifest.ts'
import type { Format } from '../../../src/protocol/schemas/format.ts'
import {
  banner,
  EVERY_KIND,
  formatOf,
  html5,
  inlineVast,
  manifestOf,
  ownFormat,
  PICTURE,
  wrapperTo,
} from './creatives.ts'

const draw = async (manifest: CreativeManifest, format: Format, options = {}) => {
  const [first] = renderManifest(manifest, format, options)
  if (!first) throw new Error('nothing was drawn')
  return first
}

interface Element {
  tagName?: string
  attrs?: { name: string; value: string }[]
  childNodes?: Element[]
}

/** Every element of a document, as a browser reads it. */
function elementsOf(html: string): { tag: string; attributes: Record<string, string> }[] {
  const found: { tag: string; attributes: Record<string, string> }[] = []
  const waiting = [parse(html) as Element]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    waiting.push(...(next.childNodes ?? []))
    if (next.tagName === undefined) continue
    const attributes = (next.attrs ?? []).map(({ name, value }) => [name, value])
    found.push({ tag: next.tagName, attributes: Object.fromEntries(attributes) })
  }
  return found
}

const OWN_TAGS = new Set(
  'html head meta title style body main article header h1 span section details summary dl dt dd figure figcaption img video audio iframe div h2 p ul li pre svg rect em strong code ol blockquote br hr h3 h4 h5 h6'.split(
    ' ',
  ),
)

describe('spec 4.2: every page', () => {
  test.each(EVERY_KIND)(
    'of %s is a document with its own policy and nothing that runs',
    async (_kind, format, manifest) => {
      for (const { html, csp, role } of renderManifest(manifest, format)) {
        expect(html.startsWith('<!doctype html>')).toBe(true)
        expect(role).toBe('primary')
        expect(csp).toMatch(/^default-src 'none'; .*frame-src 'none'.*; sandbox( allow-scripts)?$/)
        const elements = elementsOf(html)
        expect(elements.filter(({ tag }) => !OWN_TAGS.has(tag))).toEqual([])
        const meta = elements.find(({ attributes }) => attributes['http-equiv'])
        expect(csp.startsWith(meta?.attributes.content ?? 'none')).toBe(true)
        for (const { tag, attributes } of elements) {
          expect(Object.keys(attributes).filter((name) => /^on|^style$|^href$/.test(name))).toEqual(
            [],
          )
          if (tag === 'iframe') expect(attributes.sandbox).toBe('allow-scripts')
        }
      }
    },
  )

  test('has the size of its render, or of what it shows', async () => {
    expect(await draw(banner(), formatOf('display_300x250_image'))).toMatchObject({
      width: 300,
      height: 250,
    })
    const native = await draw(manifestOf('native_standard', {}), formatOf('native_standard'))
    expect(native).not.toHaveProperty('width')
  })

  test('is one for each render of the format, each with the assets of its role', async () => {
    const format = ownFormat({
      renders: [
        { role: 'primary', dimensions: { width: 640, height: 360 } },
        { role: 'companion', dimensions: { width: 300, height: 250 } },
      ],
    })
    const [primary, companion, ...others] = renderManifest(
      manifestOf('own', {
        tag: { asset_type: 'vast', content: inlineVast() },
        companion_image: { asset_type: 'image', url: 'https://cdn.example/own-companion.png' },
      }),
      format,
    )
    expect(others).toEqual([])
    expect(primary).toMatchObject({ role: 'primary', width: 640 })
    expect(primary?.html).toContain('https://cdn.example/ad.mp4')
    expect(primary?.html).not.toContain('companion.png"')
    expect(companion).toMatchObject({ role: 'companion', width: 300 })
    expect(companion?.html).toContain('src="https://cdn.example/companion.png"')
    expect(companion?.html).toContain('src="https://cdn.example/own-companion.png"')
  })
})

describe('spec 2.5: values of macros', () => {
  test('are substituted in addresses, and trackers are listed but not loaded', async () => {
    const macros = { COUNTRY: 'CH & co', CITY: '"><script>', UNKNOWN: 'x' }
    const { html } = await draw(banner(), formatOf('display_300x250_image'), { macros })
    expect(html).toContain('https://acme.example/?country=CH%20%26%20co')
    expect(html).toContain('https://t.example/i?c=%22%3E%3Cscript%3E&amp;d={DEVICE_ID}')
    const loaded = elementsOf(html).flatMap(({ attributes }) => attributes.src ?? [])
    expect(loaded).toEqual(['https://cdn.example/banner.png'])
    expect(html).not.toContain('UNKNOWN')
  })

  test('are substituted for unknown macros too, in markup, texts and the addresses of tags', async () => {
    const macros = { STORE_NAME: 'Bern', UNUSED: 'x' }
    const listed = '<dt>STORE_NAME</dt><dd>Bern</dd>'
    const html = await draw(
      manifestOf('display_300x250_html', {
        html_creative: { asset_type: 'html', content: '<p>In {STORE_NAME} {OTHER_NAME}</p>' },
      }),
      formatOf('display_300x250_html'),
      { macros },
    )
    expect(html.html).toContain('In Bern {OTHER_NAME}')
    const native = await draw(
      manifestOf('native_mention', {
        mention_text: { asset_type: 'text', content: '{STORE_NAME}' },
      }),
      formatOf('native_mention'),
      { macros },
    )
    const tag = await draw(
      manifestOf('video_vast', {
        vast_tag: { asset_type: 'vast', url: 'https://v.example/{STORE_NAME}' },
      }),
      formatOf('video_vast'),
      { macros },
    )
    expect(tag.html).toContain('https://v.example/Bern')
    for (const page of [html, native, tag]) {
      expect(page.html).toContain(listed)
      expect(page.html).toContain('Macro values used (1)')
      expect(page.html).not.toContain('UNUSED')
    }
  })

  test('are in a panel of the page', async () => {
    const { html } = await draw(banner(), formatOf('display_300x250_image'), {
      macros: { CITY: '<b>Bern</b>' },
    })
    expect(html).toContain('<dt>CITY</dt><dd>&lt;b&gt;Bern&lt;/b&gt;</dd>')
  })
})

describe('what a page may load', () => {
  const policyOf = async (url: string) =>
    (await draw(banner({ banner_image: { asset_type: 'image', url } }), ownFormat())).csp

  test.each([
    ['https://a.example/x.png', 'img-src https:;'],
    ['http://a.example/x.png', 'img-src http:;'],
    [PICTURE, 'img-src data:;'],
    ['javascript:alert(1)', "img-src 'none';"],
    ['data:text/html,<script>alert(1)</script>', "img-src 'none';"],
    ['//a.example/x.png', "img-src 'none';"],
    ['file:///etc/passwd', "img-src 'none';"],
    ['https://user:word@a.example/x.png', "img-src 'none';"],
    ['https://a.example;script-src/x.png', 'img-src https:;'],
    [`data:image/png;base64,${'A'.repeat(3_000_000)}`, "img-src 'none';"],
  ])('%.60s gives %s', async (url, expected) => {
    const csp = await policyOf(url)
    expect(csp).toContain(expected)
    expect(csp).not.toContain('script-src')
  })

  test('a frame may load what the operator allows, and a host that is none allows nothing', async () => {
    const format = formatOf('display_300x250_html')
    const closed = await draw(html5('<p>'), format)
    expect(closed.csp).toContain("script-src 'unsafe-inline' data: blob:;")
    expect(closed.csp).not.toContain('connect-src')
    const allowHosts = ['cdn.example', 'evil; script-src *', '*.ads.example:8443']
    const open = await draw(html5('<p>'), format, { allowHosts })
    expect(open.csp).toContain('connect-src https://cdn.example https://*.ads.example:8443;')
    expect(open.csp).not.toContain('evil')
  })
})

describe('hostile creatives', () => {
  test('markup that is too large is reported and not displayed', async () => {
    const page = await draw(html5('x'.repeat(3_000_000)), formatOf('display_300x250_html'))
    expect(page.html).toContain('too large')
    expect(page.html.length).toBeLessThan(20_000)
    expect(page.hasFrame).toBe(false)
  })

  test('texts and lists are cut', async () => {
    const long = { asset_type: 'text' as const, content: 'x'.repeat(1_000_000) }
    const trackers = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, index) => [
        `t${index}`,
        { asset_type: 'url' as const, url: `https://t.example/${index}` },
      ]),
    )
    const page = await draw(manifestOf('own', { text: long, ...trackers }), ownFormat())
    expect(page.html.length).toBeLessThan(60_000)
  })

  test('no manifest makes a tag, an event handler or a link of the page', async () => {
    const evil = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '</style><script>x</script>',
        '"><img src=x onerror=x>',
        "' onload='x",
        '<!--',
        ']]>',
        '{CITY}',
        '</title><base href=//x>',
        '</iframe><script>',
        '&lt;script&gt;',
        '\u0000<b>',
      ),
    )
    const asset = fc.record(
      {
        asset_type: fc.constantFrom(
          ...([
            'image',
            'video',
            'audio',
            'text',
            'html',
            'javascript',
            'url',
            'vast',
            'daast',
          ] as const),
          ...(['css', 'markdown', 'zip', 'brief', 'catalog', 'card', 'pixel_tracker'] as const),
        ),
        url: evil,
        content: evil,
        name: evil,
        headline: evil,
        cta: evil,
        alt_text: evil,
        backup_image_url: evil,
        brand_manifest: fc.record({
          name: evil,
          tagline: evil,
          colors: fc.record({ primary: evil }),
        }),
        inline_offerings: fc.array(fc.record({ name: evil, description: evil }), { maxLength: 2 }),
      },
      { requiredKeys: ['asset_type'] },
    )
    const assets = fc.dictionary(fc.oneof(fc.constantFrom('title', 'logo', 'cta'), evil), asset, {
      maxKeys: 5,
    })
    await fc.assert(
      fc.asyncProperty(
        assets,
        evil,
        fc.constantFrom('display', 'native', 'dooh'),
        async (given, value, type) => {
          const format = ownFormat({ type: type as Format['type'], name: value || 'x' })
          const manifest = { assets: given } as CreativeManifest
          const { html } = await draw(manifest, format, { macros: { CITY: value } })
          for (const { tag, attributes } of elementsOf(html)) {
            expect(OWN_TAGS.has(tag), tag).toBe(true)
            expect(
              Object.keys(attributes).filter((name) => /^on|^style$|^href$/.test(name)),
            ).toEqual([])
            if (tag === 'iframe') expect(attributes.sandbox).toBe('allow-scripts')
            if (attributes.src)
              expect(attributes.src).toMatch(/^(https?:|data:(image|video|audio)\/)/)
          }
        },
      ),
      { numRuns: 200 },
    )
  })
})

describe('spec 2.4: a tag at a URL', () => {
  const manifest = manifestOf('video_vast', {
    vast_tag: { asset_type: 'vast', url: 'https://v.example/tag?c={COUNTRY}' },
  })

  test('is fetched and followed', async () => {
    const requested: string[] = []
    const { html } = await draw(manifest, formatOf('video_vast'), {
      macros: { COUNTRY: 'DE' },
      findTag: ({ url }: { url: string }) => {
        requested.push(url)
        const text = requested.length === 1 ? wrapperTo('https://v.example/ad') : inlineVast()
        return { ok: true, text }
      },
    })
    expect(requested).toEqual(['https://v.example/tag?c=DE', 'https://v.example/ad'])
    expect(html).toContain(
      '<video controls preload="metadata" playsinline src="https://cdn.example/ad.mp4"',
    )
    expect(html).toContain('https://w.example/imp')
    expect(html).toContain('src="https://cdn.example/companion.png"')
  })

  test('is reported when it cannot be fetched', async () => {
    expect((await draw(manifest, formatOf('video_vast'))).html).toContain(
      'tags are not fetched here',
    )
  })
})

describe('spec 2.4: what a creative should be made of', () => {
  test('is displayed as readable text, member by member, and never as JSON', async () => {
    const brief = {
      messaging: { headline: 'Warm feet', key_messages: ['30% off', 'Free returns'] },
    }
    const page = await draw(
      manifestOf('own', {
        brief: { asset_type: 'brief', name: 'Winter', ...brief },
        format: {
          asset_type: 'text',
          content: '{"name":"Billboard","renders":[{"role":"primary"}]}',
        },
      }),
      ownFormat(),
    )
    expect(page.html).toContain('Headline: Warm feet\nKey messages:\n• 30% off\n• Free returns')
    expect(page.html).toContain('Name: Billboard\nRenders:\n• Role: primary')
    expect(page.html.split('<body>')[1]).not.toContain('{')
  })

  test('has the picture and the price of each product of a catalogue', async () => {
    const items = [
      {
        name: 'Boots',
        price: { amount: 99, currency: 'EUR' },
        image_url: 'https://cdn.example/b.png',
      },
    ]
    const page = await draw(
      manifestOf('own', { products: { asset_type: 'catalog', type: 'product', items } }),
      ownFormat(),
    )
    expect(page.html).toContain('<dt>Product 1</dt>')
    expect(page.html).toMatch(
      /<img src="https:\/\/cdn\.example\/b\.png" alt="Boots"[^>]*>Boots\n99 EUR/,
    )
    expect(page.loads).toEqual(['https://cdn.example/b.png'])
  })
})
