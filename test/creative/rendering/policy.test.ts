import { describe, expect, test } from 'vitest'
import { interactivePage } from '../../../src/creative/rendering/interactive-page.ts'
import { framePolicy } from '../../../src/creative/rendering/policy.ts'
import { renderManifest } from '../../../src/creative/rendering/render-manifest.ts'
import { EVERY_KIND, formatOf, html5 } from './creatives.ts'

/** The directives of Content Security Policy Level 3 (its sections 6.1 to 6.5), without obsolete ones and one that no browser knows. */
const CSP3 = new Set([
  'child-src',
  'connect-src',
  'default-src',
  'font-src',
  'frame-src',
  'img-src',
  'manifest-src',
  'media-src',
  'object-src',
  'script-src',
  'script-src-elem',
  'script-src-attr',
  'style-src',
  'style-src-elem',
  'style-src-attr',
  'worker-src',
  'base-uri',
  'sandbox',
  'form-action',
  'frame-ancestors',
  'report-to',
])
/** What a <meta> may not say (CSP3 3.3). */
const HEADER_ONLY = ['sandbox', 'frame-ancestors', 'report-uri']

const directivesOf = (policy: string) =>
  policy.split('; ').map((one) => one.split(' ')[0] as string)
const metaOf = (html: string) => /Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? ''

const html = formatOf('display_300x250_html')
const allowHosts = ['cdn.example']
const interactive = interactivePage({
  format: html,
  manifest: html5('<p>'),
  inputs: [{ name: 'One' }],
  tags: new Map(),
  itemLimit: undefined,
})
const PAGES: [string, { html: string; csp: string }][] = [
  ...EVERY_KIND.flatMap(([kind, format, manifest]) =>
    renderManifest(manifest, format).map((page): [string, typeof page] => [kind, page]),
  ),
  ['allowed hosts', renderManifest(html5('<p>'), html, { allowHosts })[0] as never],
  ['the interactive page', interactive],
]

describe('the policy', () => {
  test.each(PAGES)('of a page of %s has directives of CSP3 only, each once', (_kind, page) => {
    const names = directivesOf(page.csp)
    expect(names.filter((name) => !CSP3.has(name))).toEqual([])
    expect(new Set(names).size).toBe(names.length)
    const inMeta = directivesOf(metaOf(page.html))
    expect(inMeta[0]).toBe('default-src')
    expect(inMeta.filter((name) => HEADER_ONLY.includes(name))).toEqual([])
  })

  test('of a frame has directives of CSP3 that a <meta> may say, each once', () => {
    for (const hosts of [[], allowHosts]) {
      const names = directivesOf(framePolicy(hosts))
      expect(names.filter((name) => !CSP3.has(name) || HEADER_ONLY.includes(name))).toEqual([])
      expect(new Set(names).size).toBe(names.length)
    }
  })
})
