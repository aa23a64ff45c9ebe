import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readAdTagXml } from '../../../src/creative/manifest-check/ad-tag-xml.ts'
import { checkManifest } from '../../../src/creative/manifest-check/check-manifest.ts'
import type { CreativeManifest } from '../../../src/protocol/schemas/creative-manifest.ts'
import { formatNamed, formatWith, VAST } from './manifests.ts'

function faultsIn(asset_type: string, asset: object, requirements: object = {}) {
  const format = formatWith({ asset_id: 'tag', asset_type, requirements })
  return checkManifest({ assets: { tag: asset } } as unknown as CreativeManifest, format)
}
const rulesOf = (...args: Parameters<typeof faultsIn>) =>
  faultsIn(...args).map(({ rule, pointer }) => `${rule} ${pointer.replace('/assets/tag', '')}`)
const vast = (content: string, requirements?: object) => rulesOf('vast', { content }, requirements)

describe('a VAST tag', () => {
  test('that is not well-formed is reported in one sentence', () => {
    const [fault] = faultsIn('vast', { content: '<VAST>' })
    expect(fault?.message).toMatch(/^The VAST document is not well-formed in line 1: [^.]+\.$/)
  })

  test('spec 2.4: is at its url or in its content, never both or neither', () => {
    expect(rulesOf('vast', { url: 'https://a.example/{CACHEBUSTER}' })).toEqual([])
    expect(vast(VAST)).toEqual([])
    expect(rulesOf('vast', { url: 'https://a.example', content: VAST })).toEqual(['oneOf '])
    expect(rulesOf('vast', {})).toEqual(['anyOf '])
    expect(rulesOf('vast', { delivery_type: 'inline', url: 'https://a.example' })).toEqual([
      'delivery_type /content',
    ])
    expect(rulesOf('vast', { url: 'javascript:1' })).toEqual(['url /url'])
  })

  test('spec 2.4: may be in the slot of a film, with or without its own type', () => {
    expect(rulesOf('video', { content: VAST })).toEqual([])
    expect(rulesOf('video', { asset_type: 'vast', url: 'https://a.example' })).toEqual([])
    expect(rulesOf('video', { asset_type: 'video', content: '<b/>' })).toEqual(['content /content'])
    expect(rulesOf('vast', { asset_type: 'video', url: 'https://a.example/a.mp4' })).toEqual([])
    expect(rulesOf('video', { asset_type: 'daast', url: 'https://a.example' })).toEqual([
      'asset_type /asset_type',
    ])
  })

  test('spec 2.4: has an existing version, and the one the slot requires', () => {
    expect(vast(VAST.replace('"4.0"', '"9.0"'))).toEqual(['vast_version /content'])
    expect(vast(VAST.replace(' version="4.0"', ''))).toEqual(['vast_version /content'])
    expect(vast(VAST, { vast_version: '4.2' })).toEqual(['vast_version /content'])
    expect(rulesOf('vast', { content: VAST, vast_version: '3.0' })).toEqual([
      'vast_version /content',
    ])
    expect(rulesOf('vast', { url: 'https://a.example', vast_version: '1.0' })).toEqual([
      'vast_version /vast_version',
    ])
  })

  test.each([
    ['no ad', '<VAST version="4.0"></VAST>'],
    ['an ad of neither kind', '<VAST version="4.0"><Ad/></VAST>'],
    ['another root', VAST.replaceAll('VAST', 'VMAP')],
    ['no impression', VAST.replace(/<Impression>.*<\/Impression>/, '')],
    ['no creative', VAST.replace(/<Creative>[\s\S]*<\/Creative>/, '')],
    ['an unsafe address', VAST.replace('https://cdn.example/a.mp4', 'javascript:alert(1)')],
    [
      'an unsafe escaped address',
      VAST.replace(/<Impression>.*<\/Impression>/, '<Impression>java&#115;cript:x</Impression>'),
    ],
    [
      'a wrapper without a tag',
      '<VAST version="3.0"><Ad><Wrapper><AdSystem/><Impression/></Wrapper></Ad></VAST>',
    ],
    ['a length that is none', VAST.replace('00:00:30', '30s')],
  ])('spec 2.4: with %s it is refused', (_what, content) => {
    expect(vast(content)).toEqual(['content /content'])
  })

  test('spec 2.4: a wrapper with its tag passes', () => {
    const content =
      '<VAST version="3.0"><Ad><Wrapper><AdSystem>x</AdSystem><VASTAdTagURI>https://a.example/?a=1&amp;b=2</VASTAdTagURI><Impression/></Wrapper></Ad></VAST>'
    expect(vast(content)).toEqual([])
  })

  test('spec 2.3: plays as long as its format says, by its own Duration', () => {
    const format = formatNamed('video_vast_30s')
    const faults = (content: string) => checkManifest({ assets: { vast_tag: { content } } }, format)
    expect(faults(VAST)).toEqual([])
    expect(faults(VAST.replace('00:00:30', '00:00:15.500'))).toMatchObject([
      {
        rule: 'duration_ms',
        pointer: '/assets/vast_tag/content',
        expected: 30_000,
        actual: 15_500,
      },
    ])
  })
})

test('spec 2.4: a DAAST tag is checked alike, and may be in the slot of a recording', () => {
  const content = VAST.replaceAll('VAST', 'DAAST').replace('"4.0"', '"1.0"')
  expect(rulesOf('daast', { content })).toEqual([])
  expect(rulesOf('audio', { content })).toEqual([])
  expect(rulesOf('audio', { content: VAST })).toEqual(['content /content'])
})

describe('the XML of a tag', () => {
  const BOMB = '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;">]><VAST version="4.0">&c;</VAST>'

  test.each([
    ['a document type', BOMB],
    ['a document type in lower case', '<!doctype a><a/>'],
    ['an entity', '<a><!ENTITY b "c"></a>'],
    ['an element that does not end', '<a><b></a>'],
    ['two roots', '<a/><b/>'],
    ['no element', 'hello'],
    ['nothing', ''],
    ['an unfinished comment', '<a><!-- </a>'],
    ['an unfinished CDATA', '<a><![CDATA[ </a>'],
    ['a name of ours', '<a><__proto__/></a>'],
    ['too deep a nesting', `${'<a>'.repeat(60)}${'</a>'.repeat(60)}`],
    ['too many elements', `<a>${'<b/>'.repeat(20_000)}</a>`],
    ['too many bytes', `<a>${'x'.repeat(300_000)}</a>`],
  ])('with %s is refused', (_what, xml) => {
    expect(readAdTagXml(xml)).toMatchObject({ ok: false, message: expect.any(String) })
  })

  test('a document type inside CDATA is text like any other', () => {
    const read = readAdTagXml('<a><![CDATA[<!DOCTYPE html><p>]]></a>')
    expect(read).toMatchObject({ ok: true, root: { name: 'a', text: '<!DOCTYPE html><p>' } })
  })

  test('entities are taken once: what they hide does not come to life', () => {
    const read = readAdTagXml('<a b="c">&amp;lt; &#60; &foo;</a>')
    expect(read).toMatchObject({
      ok: true,
      root: { attributes: { b: 'c' }, text: '&lt; &#60; &foo;' },
    })
  })

  test('any text is answered, also a long one', () => {
    const pieces = fc.constantFrom(
      '<',
      '>',
      '</',
      '/>',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '<!',
      '<?xml',
      '"',
      "'",
      '=',
      ' ',
      'a',
      '&',
      ';',
      'VAST',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 400 }), (parts) => {
        const read = readAdTagXml(parts.join(''))
        expect(typeof read.ok).toBe('boolean')
      }),
      { numRuns: 500 },
    )
    for (const piece of ['<a>', '<a b="', '<', '<!--', '<![CDATA[', 'b="1" ', '&', ']]>']) {
      const long = piece.repeat(250_000 / piece.length)
      for (const text of [long, `<a ${long}`]) expect(typeof readAdTagXml(text).ok).toBe('boolean')
    }
  })
})
