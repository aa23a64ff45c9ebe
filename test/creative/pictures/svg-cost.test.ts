import { describe, expect, test } from 'vitest'
import { MAX_SVG_DEPTH, MAX_SVG_ELEMENTS, MAX_SVG_PASSES } from '../../../src/creative/limits.ts'
import { tooCostlySvg } from '../../../src/creative/pictures/svg-cost.ts'
import { estimateSvg } from '../../../src/creative/pictures/svg-estimate.ts'
import { readSvgTree } from '../../../src/creative/pictures/svg-tree.ts'

const svgOf = (content: string, side = 1_000) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}">${content}</svg>`
const times = (count: number, one: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => one(n)).join('')
const passesOf = (svg: string) => {
  const { passes } = estimateSvg(readSvgTree(svg, MAX_SVG_ELEMENTS).root) ?? {}
  return [...(passes?.values() ?? [])].reduce((sum, one) => sum + one, 0)
}
const FULL = '<rect width="1000" height="1000"'
const filtered = (steps: string, shape = FULL) =>
  svgOf(`<filter id="f">${steps}</filter>${shape} filter="url(#f)"/>`)

describe('what is drawn', () => {
  const SHADOW =
    '<feGaussianBlur stdDeviation="4"/><feOffset dx="2"/><feMerge><feMergeNode/><feMergeNode in="SourceGraphic"/></feMerge>'
  test.each([
    ['a plain logo', svgOf('<path d="M0 0H500V500H0Z"/><circle r="40"/><text>Acme</text>')],
    ['a shadow over all of it', filtered(SHADOW)],
    ['a thousand small shapes', svgOf(times(1_000, (n) => `<circle cx="${n}" r="4"/>`))],
    [
      'fifty small shapes with a shadow each',
      svgOf(
        `<filter id="f">${SHADOW}</filter>${times(50, (n) => `<path d="M${n} 9h30v30h-30z" filter="url(#f)"/>`)}`,
      ),
    ],
    [
      'what refers to itself',
      svgOf('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>'),
    ],
    ['nothing', ''],
    ['no XML', '<svg <<< "> & </'],
  ])('%s', (_, svg) => {
    expect(tooCostlySvg(svg)).toBeUndefined()
  })
})

describe('what is refused, with what is too much and what is accepted', () => {
  const passes = (what: string) =>
    expect.stringMatching(
      new RegExp(
        `passes over a megapixel, most of them for ${what}: .* at most ${MAX_SVG_PASSES}$`,
      ),
    )
  const elements = expect.stringMatching(
    new RegExp(`^it draws (about|more than) \\d.* elements.*at most ${MAX_SVG_ELEMENTS}$`),
  )

  test.each([
    [
      'twenty steps of a filter',
      filtered('<feMorphology radius="40"/>'.repeat(20)),
      'feMorphology',
    ],
    ['one that is slow', filtered('<feDisplacementMap/>'.repeat(2)), 'feDisplacementMap'],
    ['a large kernel', filtered('<feConvolveMatrix order="20"/>'), 'feConvolveMatrix'],
    [
      'a region much larger than its element',
      svgOf(
        `<filter id="f" x="-50" y="-5000%" width="100" height="10000%">${'<feGaussianBlur/>'.repeat(20)}</filter><rect width="10" height="10" filter="url(#f)"/>`,
      ),
      'feGaussianBlur',
    ],
    [
      'a step that has the name of a member of every object',
      filtered(`<constructor/>${'<feGaussianBlur/>'.repeat(20)}`),
      'feGaussianBlur',
    ],
    ['hundreds of results that are held', filtered('<feFlood/>'.repeat(400)), 'feFlood'],
    [
      'a filter for each of many by the style sheet',
      svgOf(
        `<style>.a, #x > rect.b { filter: url(#f) }</style><filter id="f"><feGaussianBlur/></filter>${`${FULL} class="a"/>`.repeat(20)}`,
      ),
      'feGaussianBlur',
    ],
    [
      'a filter in a style',
      svgOf(
        `<filter id="f"><feGaussianBlur/></filter>${`${FULL} style="filter:url('#f')"/>`.repeat(20)}`,
      ),
      'feGaussianBlur',
    ],
    [
      'layers that blend',
      svgOf(`<g style="mix-blend-mode: multiply">${FULL}/></g>`.repeat(200)),
      'blending',
    ],
    [
      'masks',
      svgOf(`<mask id="m">${FULL}/></mask>${`${FULL} mask="url(#m)"/>`.repeat(200)}`),
      'masks',
    ],
    [
      'patterns that shapes inherit',
      svgOf(
        `<pattern id="p"><circle r="9"/></pattern><g fill="url(#p)">${`${FULL}/>`.repeat(20)}</g>`,
      ),
      'patterns',
    ],
    [
      'a filter of a group that is used often',
      svgOf(
        `<filter id="f"><feGaussianBlur/></filter><g id="g" filter="url(#f)">${FULL}/></g>${'<use href="#g"/>'.repeat(20)}`,
      ),
      'feGaussianBlur',
    ],
  ])('%s', (_, svg, what) => {
    expect(tooCostlySvg(svg)).toEqual(passes(what))
  })

  test('a cost that overflows', () => {
    const none = '<rect width="0" height="9" filter="url(#f)"/>'
    const endless = '<filter id="f"><feConvolveMatrix order="1e999"/></filter>'
    expect(tooCostlySvg(svgOf(`${endless}${none}`))).toMatch('passes over a megapixel')
  })

  const repeated = (levels: number) =>
    `<g id="g0"><rect width="3" height="3"/></g>${times(levels, (n) => `<g id="g${n + 1}">${`<use xlink:href="#g${n}"/>`.repeat(10)}</g>`)}`
  test.each([
    ['more elements than are counted', svgOf('<g/>'.repeat(MAX_SVG_ELEMENTS))],
    ['repeated ten times ten times …', svgOf(`<defs>${repeated(8)}</defs><use href="#g8"/>`)],
    [
      'patterns within patterns',
      svgOf(
        `${times(6, (n) => `<pattern id="p${n + 1}">${`<rect fill="url(#p${n})"/>`.repeat(12)}</pattern>`)}<rect fill="url(#p6)"/>`,
      ),
    ],
    [
      'a marker at each of many points',
      svgOf(
        `<marker id="m">${'<circle r="1"/>'.repeat(50)}</marker><path marker-mid="url(#m)" d="M0 0${'L99 99'.repeat(2_000)}"/>`,
      ),
    ],
    ['a path of most of a megabyte', svgOf(`<path d="M0 0${'L123 456'.repeat(90_000)}"/>`)],
    ['a text of ten thousand letters', svgOf(`<text>${'a'.repeat(10_001)}</text>`)],
  ])('%s', (_, svg) => {
    expect(tooCostlySvg(svg)).toEqual(elements)
  })

  test.each([
    ['elements', '<svg>'.concat('<g>'.repeat(MAX_SVG_DEPTH + 1))],
    [
      'references',
      svgOf(
        `${times(MAX_SVG_DEPTH + 1, (n) => `<g id="g${n}"><use href="#g${n + 1}"/></g>`)}<use href="#g0"/>`,
      ),
    ],
  ])('%s nested too deep', (_, svg) => {
    expect(tooCostlySvg(svg)).toMatch(`nested more than ${MAX_SVG_DEPTH} levels deep`)
  })
})

describe('a filter costs by the pixels that it goes over', () => {
  const blur = '<feGaussianBlur stdDeviation="3"/>'

  test('those of its element, where that says how large it is', () => {
    const half = passesOf(filtered(blur, '<rect width="500" height="500"'))
    const path = passesOf(filtered(blur, '<path d="M100 100h500v500H100z"'))
    expect(path).toBeCloseTo(half, 5)
    expect(passesOf(filtered(blur)) / half).toBeGreaterThan(2)
  })

  test('those of all elements of a group, with what a transform makes of them', () => {
    const group = (transform: string) =>
      passesOf(
        svgOf(
          `<filter id="f">${blur}</filter><g filter="url(#f)" transform="${transform}"><path d="M0 0H50V50z"/></g>`,
        ),
      )
    expect(group('scale(3)') / group('translate(7, 9)')).toBeCloseTo(9, 5)
    expect(group('matrix(2 0 0 2 0 0)') / group('rotate(45)')).toBeCloseTo(4, 5)
  })

  test('those of its own region, and never more than the picture has', () => {
    const region = (width: number) =>
      passesOf(
        svgOf(
          `<filter id="f" filterUnits="userSpaceOnUse" width="${width}" height="${width}">${blur}</filter>${FULL} filter="url(#f)"/>`,
        ),
      )
    expect(region(200) / region(100)).toBeCloseTo(4, 5)
    expect(region(1_000_000)).toBeCloseTo(region(1_000), 5)
  })

  test('of the size that is drawn, however large the units are', () => {
    const at = (side: number) =>
      passesOf(
        svgOf(
          `<filter id="f">${blur}</filter><rect width="${side}" height="${side}" filter="url(#f)"/>`,
          side,
        ),
      )
    expect(at(10)).toBeCloseTo(at(100_000), 5)
  })
})

test('a megabyte of anything is estimated without delay', () => {
  const MB = 1_000_000
  const pieces = [
    '<',
    '<g ',
    '<g a=',
    '"',
    '<!--',
    '<![CDATA[',
    '<style>',
    'a{',
    '}',
    '.a,',
    'a=" ',
    '<g id="a">',
    '<use href="#a"/>',
    '<path d="M0 0',
    ' 1',
    'e',
    '-.',
  ]
  for (const piece of pieces) {
    const svg = `<svg>${piece.repeat(Math.ceil(MB / piece.length))}`
    const began = performance.now()
    tooCostlySvg(svg)
    // Only a hang trips it: it takes some milliseconds.
    expect(performance.now() - began).toBeLessThan(20_000)
  }
})
