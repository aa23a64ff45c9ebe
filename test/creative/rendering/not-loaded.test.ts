import { describe, expect, test } from 'vitest'
import { refusalOf } from '../../../src/creative/rendering/not-loaded.ts'
import { renderManifest } from '../../../src/creative/rendering/render-manifest.ts'
import { requestedUrls } from '../../../src/creative/rendering/requested-urls.ts'
import { banner, formatOf, html5 } from './creatives.ts'

const format = formatOf('display_300x250_html')
const pageOf = (content: string, options = {}) =>
  renderManifest(html5(content), format, options)[0]?.html ?? ''
const PANEL = 'Requested by the creative and not loaded here'

describe('what a creative requests', () => {
  test.each([
    ['<script src="https://a.example/x.js"></script>', 'script https://a.example/x.js'],
    ['<SCRIPT async SRC=//a.example/x.js></SCRIPT>', 'script //a.example/x.js'],
    ['<img src="https://a.example/?a=1&amp;b=2">', 'image https://a.example/?a=1&b=2'],
    ['<img srcset="a.png 1x, b,c.png 2x">', 'image a.png,image b,c.png'],
    ['<iframe src="https://a.example/"></iframe>', 'frame https://a.example/'],
    ['<link rel="stylesheet" href="a.css">', 'style sheet a.css'],
    ['<p style="background:url(https://a.example/p.png)">', 'style https://a.example/p.png'],
    [
      '<style>@import "a.css"; p{background:url( \'b.png\' )}</style>',
      'style b.png,style sheet a.css',
    ],
    [
      '<script>load("https:\\/\\/a.example\\/x.js") // b.example</script>',
      'named in a script https://a.example/x.js',
    ],
    ['<a href="https://a.example/">go</a><!-- <img src="b.png"> -->', ''],
    ['<script>document.createElementNS("http://www.w3.org/2000/svg", "g")</script>', ''],
    ['<use href="#shape"><iframe src="about:blank"></iframe>', ''],
  ])('%s', (html, expected) => {
    expect(
      requestedUrls(html)
        .map(({ kind, url }) => `${kind} ${url}`)
        .join(),
    ).toBe(expected)
  })
})

describe('what the policy of a preview refuses', () => {
  const allowHosts = ['cdn.example', '*.ads.example', 'port.example:8443']
  test.each([
    ['script', 'https://cdn.example/x.js', undefined],
    ['script', '//cdn.example/x.js', undefined],
    ['script', 'https://a.ads.example/x.js', undefined],
    ['script', 'https://port.example:8443/x.js', undefined],
    ['image', 'data:image/png;base64,AA', undefined],
    ['script', 'https://ads.example/x.js', 'does not allow ads.example'],
    ['script', 'https://cdn.example:8443/x.js', 'does not allow cdn.example:8443'],
    ['script', 'https://evilcdn.example/', 'does not allow evilcdn.example'],
    ['script', 'http://cdn.example/x.js', 'only https:'],
    ['frame', 'https://cdn.example/', 'opens no frame'],
    ['object', 'https://cdn.example/', 'no plug-in'],
    ['style sheet', 'data:text/css,a', 'may not be inlined as a data: URL'],
    ['image', 'pictures/a.png', 'it is a relative URL'],
    ['image', 'https://{HOST}/a.png', 'does not allow {host}'],
    ['image', 'https://a b/a.png', 'not an address'],
  ] as const)('%s %s', (kind, url, expected) => {
    const reason = refusalOf({ kind, url }, allowHosts)
    if (expected === undefined) expect(reason).toBeUndefined()
    else expect(reason).toContain(expected)
  })
})

describe('spec 2.5: a page', () => {
  test('names what a third-party tag requests and does not get, with the reason', () => {
    const html = pageOf('<script src="https://ads.example/tag.js?c={CITY}"></script>', {
      macros: { CITY: 'Bern' },
    })
    expect(html).toContain(
      `<details class="panel" open><summary>${PANEL} (1)</summary><dl><dt>script</dt><dd>https://ads.example/tag.js?c=Bern\nthe policy of previews does not allow ads.example</dd>`,
    )
  })

  test('says nothing of that where everything is loaded', () => {
    expect(pageOf('<img src="data:image/png;base64,AA">')).not.toContain(PANEL)
    const allowHosts = ['ads.example']
    expect(pageOf('<img src="https://ads.example/a.png">', { allowHosts })).not.toContain(PANEL)
    const [image] = renderManifest(banner(), formatOf('display_300x250_image'))
    expect(image?.html).not.toContain(PANEL)
  })

  test('lists as many as anyone reads, and says how many there are', () => {
    const many = Array.from(
      { length: 5_000 },
      (_, index) => `<img src="https://a.example/${index}">`,
    )
    const html = pageOf(many.join(''))
    expect(html).toContain(`${PANEL} (5000)`)
    expect(html).toContain('4800 more addresses that are not loaded are not listed.')
  })

  test('has a reporter in the frame only where a page around it listens', () => {
    expect(pageOf('<p>')).not.toContain('securitypolicyviolation')
    expect(pageOf('<p>', { isReporting: true })).toContain('securitypolicyviolation')
  })
})
