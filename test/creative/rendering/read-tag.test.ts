import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_TAG_CHARS, MAX_WRAPPERS } from '../../../src/creative/limits.ts'
import { readTag } from '../../../src/creative/rendering/read-tag.ts'
import { resolveTag } from '../../../src/creative/rendering/resolve-tag.ts'
import { daast, inlineVast, wrapperTo } from './creatives.ts'

const tagOf = (text: string) => {
  const read = readTag(text)
  if (!read.ok) throw new Error(read.reason)
  return read.tag
}

describe('spec 2.4: a tag is read for display', () => {
  test('with its media files, click-through, companions, length and every tracker', () => {
    const tag = tagOf(inlineVast())
    expect(tag).toMatchObject({
      kind: 'VAST',
      version: '4.2',
      title: 'Spring',
      durationMs: 30_000,
      wrapped: undefined,
      clickThrough: 'https://acme.example/spring?c={COUNTRY}',
    })
    expect(tag.mediaFiles.map(({ type, apiFramework }) => [type, apiFramework])).toEqual([
      ['application/javascript', 'VPAID'],
      ['video/webm', undefined],
      ['video/mp4', undefined],
    ])
    expect(tag.companions).toEqual([
      expect.objectContaining({ width: 300, imageUrl: 'https://cdn.example/companion.png' }),
    ])
    expect(tag.trackers).toEqual([
      { event: 'impression', url: 'https://t.example/imp?cb=[CACHEBUSTING]' },
      { event: 'clickTracking', url: 'https://t.example/click' },
      { event: 'start', url: 'https://t.example/start?a=1&b=2' },
    ])
  })

  test('DAAST as well', () => {
    expect(tagOf(daast)).toMatchObject({ kind: 'DAAST', durationMs: 15_000 })
  })

  test('entities are unescaped once', () => {
    const text = inlineVast('<Error>https://t.example/?a=&amp;amp;</Error>')
    expect(tagOf(text).trackers).toContainEqual({
      event: 'error',
      url: 'https://t.example/?a=&amp;',
    })
  })
})

test.each([
  [
    'an entity bomb',
    `<!DOCTYPE x [<!ENTITY a "${'a'.repeat(50)}"><!ENTITY b "&a;&a;">]><VAST><Ad/></VAST>`,
  ],
  ['an outside entity', '<!DOCTYPE x SYSTEM "file:///etc/passwd"><VAST><Ad>&x;</Ad></VAST>'],
  ['what is no XML', '<VAST><Ad>'],
  ['another document', '<rss><channel/></rss>'],
  ['a tag without an ad', '<VAST version="4.2"/>'],
  ['a tag that is too large', inlineVast(' '.repeat(MAX_TAG_CHARS))],
  ['a tag that is nested too deep', `<VAST>${'<Ad>'.repeat(5_000)}${'</Ad>'.repeat(5_000)}</VAST>`],
  ['nothing', ''],
])('spec 2.4: %s is refused', (_what, text) => {
  expect(readTag(text)).toMatchObject({ ok: false })
})

test('whatever the document, reading it never throws', () => {
  const scrap = fc.constantFrom(
    '<VAST>',
    '</VAST>',
    '<Ad>',
    '</Ad>',
    '<InLine>',
    '</InLine>',
    '<Wrapper>',
    '</Wrapper>',
    '<__proto__>',
    '</__proto__>',
    '<constructor/>',
    '<Creatives>',
    '</Creatives>',
    '<![CDATA[',
    ']]>',
    '&lt;',
    'x',
    '<Tracking event="a">',
    '</Tracking>',
    '<?xml?>',
    '<!--',
    '-->',
  )
  fc.assert(
    fc.property(fc.array(scrap, { maxLength: 30 }), (scraps) => {
      expect(typeof readTag(scraps.join('')).ok).toBe('boolean')
    }),
    { numRuns: 300 },
  )
})

describe('spec 2.4: a wrapper is followed', () => {
  const follow = (documents: Record<string, string>, content: string, macros = {}) => {
    const requested: string[] = []
    const resolved = resolveTag(
      { content },
      {
        macros,
        findTag: ({ url }) => {
          requested.push(url)
          const text = documents[url]
          return text === undefined ? { ok: false, reason: 'no' } : { ok: true, text }
        },
      },
    )
    return { ...resolved, requested }
  }
  const chainOf = (length: number) =>
    Object.fromEntries(
      Array.from({ length }, (_, index) => [
        `https://w.example/${index}`,
        index === length - 1 ? inlineVast() : wrapperTo(`https://w.example/${index + 1}`),
      ]),
    )

  test('to the ad, and the trackers of all are gathered', async () => {
    const found = follow(chainOf(2), wrapperTo('https://w.example/0', 'https://first.example'))
    expect(found.fault).toBeUndefined()
    expect(found.tag?.mediaFiles).toHaveLength(3)
    expect(found.tag?.trackers.slice(0, 3).map(({ url }) => url)).toEqual([
      'https://first.example',
      'https://w.example/imp',
      'https://t.example/imp?cb=[CACHEBUSTING]',
    ])
  })

  test(`over ${MAX_WRAPPERS} wrappers and no more`, async () => {
    const enough = follow(chainOf(MAX_WRAPPERS), wrapperTo('https://w.example/0'))
    expect(enough.fault).toBeUndefined()
    const tooMany = follow(chainOf(MAX_WRAPPERS + 1), wrapperTo('https://w.example/0'))
    expect(tooMany.fault).toContain('wrappers')
    expect(tooMany.requested).toHaveLength(MAX_WRAPPERS)
  })

  test('but not in a circle', async () => {
    const circle = { 'https://w.example/0': wrapperTo('https://w.example/0') }
    const found = follow(circle, wrapperTo('https://w.example/0'))
    expect(found).toMatchObject({
      fault: 'the tag wraps itself',
      requested: ['https://w.example/0'],
    })
  })

  test('with its macros substituted, and VAST’s own left', async () => {
    const found = follow({}, wrapperTo('https://w.example/?c={COUNTRY}&r=[RANDOM]'), {
      COUNTRY: 'D E',
    })
    expect(found.requested).toEqual(['https://w.example/?c=D%20E&r=[RANDOM]'])
    expect(found).toMatchObject({ fault: 'no', tag: { kind: 'VAST' } })
  })
})
