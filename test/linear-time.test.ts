// Whatever reads a third party's text takes time in proportion to its length: eight times the text takes about
// eight times as long, and what took sixty-four times as long would be a way to stop the server.

import { describe, expect, test } from 'vitest'
import { readBrand } from '../src/creative/brand/brand-context.ts'
import { planned } from '../src/creative/build-steps/plan-build.ts'
import { shortenText } from '../src/creative/build-steps/shorten-text.ts'
import { composeAd } from '../src/creative/layout-engine/compose.ts'
import { composeHtml } from '../src/creative/layout-engine/compose-html.ts'
import { fitSentences, fitText } from '../src/creative/layout-engine/fit-text.ts'
import { fitWords } from '../src/creative/layout-engine/fit-words.ts'
import { drawable } from '../src/creative/layout-engine/shaping/drawable.ts'
import { textsOf } from '../src/creative/layout-engine/texts.ts'
import { MAX_READ_CHARS } from '../src/creative/limits.ts'
import { substituteInHtml } from '../src/creative/macros/substitute-in-html.ts'
import { macrosIn, substituteMacros } from '../src/creative/macros/substitute-macros.ts'
import { readAdTagXml } from '../src/creative/manifest-check/ad-tag-xml.ts'
import { addressFault } from '../src/creative/manifest-check/address.ts'
import { checkManifest } from '../src/creative/manifest-check/check-manifest.ts'
import { readImageRequests } from '../src/creative/message/image-requests.ts'
import { readMessage } from '../src/creative/message/read-message.ts'
import { isUnsafeSvg } from '../src/creative/pictures/draw-svg.ts'
import { isSvg } from '../src/creative/pictures/picture-source.ts'
import { tooCostlySvg } from '../src/creative/pictures/svg-cost.ts'
import { interactivePage } from '../src/creative/rendering/interactive-page.ts'
import { markdownLine } from '../src/creative/rendering/markdown-line.ts'
import { readTag } from '../src/creative/rendering/read-tag.ts'
import { renderManifest } from '../src/creative/rendering/render-manifest.ts'
import { requestedUrls } from '../src/creative/rendering/requested-urls.ts'
import { createStage } from '../src/creative/rendering/stage.ts'
import { canonicalJson } from '../src/lib/canonical-json.ts'
import { normaliseDomain } from '../src/lib/host-name.ts'
import { parseStrictJson } from '../src/lib/strict-json.ts'
import { trimEnd } from '../src/lib/trim-end.ts'
import type { Asset } from '../src/protocol/schemas/assets.ts'
import { MAX_MESSAGE_LENGTH } from '../src/protocol/schemas/build-creative.ts'
import type { CreativeManifest } from '../src/protocol/schemas/creative-manifest.ts'
import { checkShape } from '../src/protocol/schemas/issues.ts'
import { previewCreativeItem } from '../src/protocol/schemas/preview-creative.ts'
import { understandSpec } from '../src/signals/matching/language/understand-spec.ts'
import type { Vocabulary } from '../src/signals/matching/understood.ts'
import { formatOf, ownFormat } from './creative/rendering/creatives.ts'

/** What texts are made of that are meant to be slow: each repeated, with and without an end. */
const SCRAPS = [
  'a',
  'A ',
  ' ',
  '\n',
  '\u00a0',
  '. ',
  ', ',
  ')',
  '-',
  '"',
  "'",
  '“',
  '0',
  '😀',
  'e\u0301',
  '<',
  '<a ',
  '<a b="',
  '<!--',
  '<!---->',
  '<![CDATA[',
  '<svg ',
  'use href=',
  '</',
  '&amp;',
  '{',
  '{OS}',
  '{A',
  '{"a":',
  '[',
  'https://a/',
  'url(',
  'src=//a ',
  'on',
  '=',
  '@import ',
  'headline: ',
  'title "',
  'the ',
  'who are looking for ',
  'not ',
]
/** For readers that take long over each. */
const SOME_SCRAPS = [
  'a',
  ' ',
  '. ',
  '"',
  '–',
  '0',
  '😀',
  'e\u0301',
  '{OS}',
  'headline: ',
  'title "',
  'the ',
]
const ENDS = ['', '!']

interface Reader {
  name: string
  read: (text: string) => unknown
  /** Length of the longer text. Default 32 Ki. */
  chars?: number
  scraps?: readonly string[]
}

const values = { OS: '&'.repeat(40), CITY: 'Bern' }
const preference = { face: 'regular', width: 300, height: 60, largest: 20, smallest: 8 } as const
const html = formatOf('display_300x250_html')
const native = formatOf('native_content')
const text = (content: string) => ({ asset_type: 'text', content }) as Asset
const htmlOf = (content: string): CreativeManifest => ({
  assets: { html_creative: { asset_type: 'html', content } },
})
const everyKind = (content: string): CreativeManifest => ({
  assets: {
    image: { asset_type: 'image', url: content, alt_text: content },
    data: { asset_type: 'image', url: `data:image/svg+xml,${content}` },
    css: { asset_type: 'css', content },
    script: { asset_type: 'javascript', content },
    tag: { asset_type: 'vast', content },
    card: { asset_type: 'card', headline: content, landing_page_url: content },
    texts: [text(content), text(content)],
    words: { asset_type: 'markdown', content },
    brief: { asset_type: 'brief', name: content.slice(0, 500), objective: content },
    offerings: { asset_type: 'promoted_offerings', brand_manifest: { name: content } },
  },
})
const noPrompt = (content: string): CreativeManifest => {
  const { brief: _, ...assets } = everyKind(content).assets ?? {}
  return { assets }
}
const strict = ownFormat({
  assets: [
    {
      item_type: 'individual',
      asset_id: 'html_creative',
      asset_type: 'html',
      required: true,
      requirements: { external_resources_allowed: false },
    },
  ],
})
const brand = { name: 'Acme', url: 'https://acme.example' }
const ad = (over: object) => composeAd({ brand, width: 300, height: 250, ...over })

const LATIN = { language: '', direction: 'ltr' } as const
const VOCABULARY: Vocabulary = { has: () => false, inCatalogue: () => false, near: () => [] }

const READERS: readonly Reader[] = [
  { name: 'picture wishes of a message', read: readImageRequests, chars: MAX_MESSAGE_LENGTH },
  // What comes after these characters is not read.
  { name: 'what a message says', read: (one) => readMessage(one), chars: MAX_READ_CHARS },
  {
    name: 'what a message says that leaves out prices',
    read: (one) => readMessage(`No prices. ${one}a`),
    chars: MAX_READ_CHARS - 40,
    scraps: [
      '€5 ',
      'for €5 ',
      '50% ',
      '.',
      '.)',
      '. ',
      '"a" ',
      'title "',
      'price "',
      'ad ',
      '0',
      '0 ',
      "don't ",
      '(',
      'no "ab". ',
      'ab 5% ',
      '<svg>',
      "'a ",
      'a\n',
      '可爱',
    ],
  },
  { name: 'words of an offering', read: (one) => textsOf({ brand, offering: { name: one } }) },
  { name: 'words shortened', read: (one) => fitWords(one, 60) },
  { name: 'words shortened to much', read: (one) => fitWords(one, one.length - 5) },
  { name: 'a text shortened for its slot', read: (one) => shortenText(one, { max_length: 5_000 }) },
  {
    name: 'a text set',
    read: (one) =>
      fitText({
        ...preference,
        text: drawable(one, '').text,
        writing: LATIN,
        lines: 4,
        leading: 1.2,
      }),
    chars: 16_384,
    scraps: SOME_SCRAPS,
  },
  {
    name: 'sentences set',
    read: (one) =>
      fitSentences({
        ...preference,
        text: drawable(one, '').text,
        writing: LATIN,
        lines: 4,
        leading: 1.2,
      }),
    chars: 16_384,
    scraps: SOME_SCRAPS,
  },
  {
    name: 'an ad with a long disclaimer',
    read: (one) => ad({ brand: { ...brand, disclaimers: [{ text: one }] } }),
    chars: 16_384,
    scraps: SOME_SCRAPS,
  },
  {
    name: 'an ad of a long name',
    read: (one) => ad({ brand: { name: one } }),
    chars: 16_384,
    scraps: SOME_SCRAPS,
  },
  {
    name: 'a banner of a long message',
    read: (one) => composeHtml(ad({ message: one })),
    chars: 8_192,
    scraps: ['a', ' ', '"', 'headline: ', 'title "'],
  },
  { name: 'whether it is an SVG', read: (one) => isSvg(Buffer.from(one)) },
  { name: 'whether an SVG is unsafe', read: isUnsafeSvg },
  { name: 'what an SVG costs', read: tooCostlySvg },
  { name: 'the XML of a tag', read: readAdTagXml },
  { name: 'a tag', read: readTag },
  {
    name: 'an element of a tag',
    read: (one) => readTag(`<VAST><Ad a="${one}">${one}</Ad></VAST>`),
  },
  { name: 'macros', read: (one) => substituteMacros(one, values, { where: 'url' }) },
  { name: 'names of macros', read: macrosIn },
  {
    name: 'macros in markup',
    read: (one) => substituteInHtml(one, values),
    scraps: [...SCRAPS, '<title>', '<script><!--', '<p ='],
  },
  {
    name: 'a line of Markdown',
    read: (one) => markdownLine(one, createStage({}, [])),
    scraps: [...SCRAPS, '*', '**a ', '*a _b ', 'a* ', '`', '``a`', '[', '[](', '](a "', '![', '\\'],
  },
  {
    name: 'what markup asks for',
    read: (one) =>
      [one, `<script>${one}`, `<style>${one}`, `<img srcset="${one}`].map(requestedUrls),
    scraps: [...SCRAPS, '<title>', '@import "', 'url( ', '"//', ', ', '<img style=url('],
  },
  {
    name: 'an address',
    read: (one) => addressFault(`https://a.example/${one}`, { mayBeData: true }),
  },
  { name: 'markup of a creative', read: (one) => checkManifest(htmlOf(one), strict) },
  { name: 'every kind of asset', read: (one) => checkManifest(everyKind(one), native) },
  {
    name: 'the shape of a request',
    read: (one) => checkShape(previewCreativeItem, everyKind(one)),
  },
  {
    name: 'a page of markup',
    read: (one) => renderManifest(htmlOf(one), html, { macros: values }),
  },
  {
    name: 'a page of every kind',
    read: (one) => renderManifest(everyKind(one), native, { macros: values }),
  },
  {
    name: 'an interactive page',
    read: (one) =>
      interactivePage({
        format: html,
        manifest: htmlOf(one),
        itemLimit: undefined,
        inputs: [{ name: 'a', macros: values }],
        tags: new Map([['https://a', one]]),
      }),
  },
  {
    name: 'a brand',
    read: (one) => readBrand({ name: one, tagline: one, tone: one, disclaimers: [{ text: one }] }),
  },
  {
    name: 'a build',
    read: (one) =>
      planned({
        // A message of full length is read above; what a build does with it afterwards shows with a shorter one.
        json: JSON.stringify({
          message: one.slice(0, one.length / 16),
          creative_manifest: noPrompt(one),
        }),
        formats: [html],
        sourceFormat: undefined,
        variants: 1,
        isFromLibrary: false,
      }),
  },
  { name: 'strict JSON', read: (one) => parseStrictJson(Buffer.from(one)) },
  { name: 'a JSON text', read: (one) => parseStrictJson(Buffer.from(JSON.stringify({ a: one }))) },
  { name: 'canonical JSON', read: (one) => canonicalJson({ a: one, b: [one] }) },
  { name: 'a host name', read: normaliseDomain },
  { name: 'an end', read: (one) => trimEnd(one, ')., ') },
  {
    name: 'a brief for signals',
    read: (one) => understandSpec(one, VOCABULARY),
    chars: 4_000,
  },
]

/** Below this, nothing can be distinguished from noise: a text that takes quadratic time takes far longer. */
const FLOOR_MS = 30
const MOST_TIMES = 28
const OTHERS = ['x', 'y', 'z']

describe('eight times the text takes about eight times as long to read', () => {
  test.each(READERS)('as $name', ({ read, chars = 32_768, scraps = SCRAPS }) => {
    read(scraps[0] as string)
    for (const scrap of scraps) {
      for (const end of ENDS) {
        const of = (length: number) => scrap.repeat(Math.ceil(length / scrap.length)) + end
        const times = growthOf(read, of(chars / 8), of(chars))
        expect(times, `${JSON.stringify(scrap)} and ${JSON.stringify(end)}`).toBeLessThan(
          MOST_TIMES,
        )
      }
    }
  })

  test('and what takes quadratic time is detected', () => {
    const square = (one: string) => /[).,;:!?\]]+$/.test(one)
    const [short, long] = [')'.repeat(1_024), ')'.repeat(8_192)]
    expect(growthOf(square, `${short}x`, `${long}x`)).toBeGreaterThan(MOST_TIMES)
    expect(growthOf(square, short, long)).toBeLessThan(MOST_TIMES)
  })
})

/** How many times longer the longer text takes; 0 when it takes next to nothing. */
function growthOf(read: (text: string) => unknown, short: string, long: string): number {
  let least = Number.POSITIVE_INFINITY
  // A busy machine makes some look slow; what is slow stays so.
  for (let tries = 0; tries < 4 && least >= MOST_TIMES; tries++) {
    // What was read just before may be remembered.
    for (const other of OTHERS) read(other)
    const longMs = timeOf(read, long)
    if (longMs < FLOOR_MS) return 0
    least = Math.min(least, longMs / Math.max(timeOf(read, short), 0.05))
  }
  return least
}

function timeOf(read: (text: string) => unknown, text: string): number {
  const began = process.cpuUsage()
  read(text)
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1_000
}
