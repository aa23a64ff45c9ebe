import fc from 'fast-check'
import { parseFragment, serialize } from 'parse5'
import { describe, expect, test } from 'vitest'
import { markdownOf } from '../../../src/creative/rendering/markdown.ts'
import { renderManifest } from '../../../src/creative/rendering/render-manifest.ts'
import { createStage } from '../../../src/creative/rendering/stage.ts'
import { manifestOf, ownFormat } from './creatives.ts'

const returned = (text: string, stage = createStage({ CITY_NAME: '*Bern* <b>' }, [])) =>
  markdownOf(text, stage).markup.slice('<div class="md">'.length, -'</div>'.length)

describe('spec 2.4: Markdown', () => {
  test.each([
    ['# One\n## Two ##\nwords', '<h2>One</h2><h3>Two</h3><p>words</p>'],
    ['One\n===\nTwo\n---', '<h2>One</h2><h3>Two</h3>'],
    [
      '*a* **b** _c_ ***d***',
      '<p><em>a</em> <strong>b</strong> <em>c</em> <em><strong>d</strong></em></p>',
    ],
    ['**a *b* c**', '<p><strong>a <em>b</em> c</strong></p>'],
    ['2 * 3 * 4, snake_case_name, *a', '<p>2 * 3 * 4, snake_case_name, *a</p>'],
    ['*a _b* c_', '<p><em>a _b</em> c_</p>'],
    ['\\*a\\* \\<', '<p>*a* &lt;</p>'],
    [
      '- a\n- b\n  - c\n\n1. d\n2. e',
      '<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul><ol><li>d</li><li>e</li></ol>',
    ],
    ['3) a\n\n   b', '<ol start="3"><li><p>a</p><p>b</p></li></ol>'],
    ['> a\nb\n> > c', '<blockquote><p>a\nb</p><blockquote><p>c</p></blockquote></blockquote>'],
    ['`a *b* <i>` ``c`d``', '<p><code>a *b* &lt;i&gt;</code> <code>c`d</code></p>'],
    ['```js\n*a*\n\n<b>\n```\nc', '<pre><code>*a*\n\n&lt;b&gt;</code></pre><p>c</p>'],
    ['    code\n\nwords', '<pre><code>code</code></pre><p>words</p>'],
    ['a  \nb\\\nc\nd', '<p>a<br>b<br>c\nd</p>'],
    ['a\n\n***\n\nb', '<p>a</p><hr><p>b</p>'],
    [
      '<script>x</script> <b onclick="x">',
      '<p>&lt;script&gt;x&lt;/script&gt; &lt;b onclick=&quot;x&quot;&gt;</p>',
    ],
    ['in {CITY_NAME}', '<p>in *Bern* &lt;b&gt;</p>'],
    [
      '[a *b](https://a.example) c*',
      '<p><span class="link" title="https://a.example/">a *b</span> c*</p>',
    ],
    [
      '<https://a.example/?a&b>',
      '<p><span class="link" title="https://a.example/?a&amp;b">https://a.example/?a&amp;b</span></p>',
    ],
    ['[a](javascript:alert(1)) [b] [c](d', '<p>[a](javascript:alert(1)) [b] [c](d</p>'],
    ['[a](javascript:x)', '<p><span>a</span></p>'],
  ])('%j', (text, expected) => {
    expect(returned(text)).toBe(expected)
  })

  test('links are listed and pictures checked like every other, with a remark for what is refused', () => {
    const stage = createStage({}, [])
    returned(
      '[a](https://a.example "T") [b](file:///x) ![c](https://a.example/c.png) ![d](/d.png)',
      stage,
    )
    expect(stage.details).toEqual([{ label: 'Link in a text', value: 'https://a.example' }])
    expect([...stage.images]).toEqual(['https:'])
    expect([...stage.notes]).toEqual([
      'A link of a text is not at an http or https address: file:///x',
      'The image is not at an http or https address: /d.png',
    ])
  })

  test('its elements are closed as they were opened, whatever the text', () => {
    const scraps = fc.constantFrom(
      '*',
      '**',
      '_',
      '`',
      '[',
      '](https://a.example)',
      '![',
      '> ',
      '- ',
      '1. ',
      '#',
      '\n',
      '  ',
      'a',
      ' ',
      '\\',
      '<b>',
      '```',
      '---',
      '{CITY_NAME}',
      '"',
      '&amp;',
      '    ',
      '\n\n',
    )
    fc.assert(
      fc.property(fc.array(scraps, { maxLength: 60 }), (pieces) => {
        const html = markdownOf(pieces.join(''), createStage({}, [])).markup
        const plain = (one: string) =>
          one.replace(/&(quot|#39);/g, '"').replaceAll('<pre>\n', '<pre>')
        expect(serialize(parseFragment(html)).replaceAll("'", '"').replaceAll('&quot;', '"')).toBe(
          plain(html),
        )
      }),
      { numRuns: 300 },
    )
  })

  test('quotes in quotes end somewhere, and a long text is cut', () => {
    expect(returned('>'.repeat(4_000)).split('<blockquote>').length).toBeLessThan(12)
    expect(returned('a'.repeat(100_000)).length).toBeLessThan(5_100)
  })

  test('that is cut says so, in a paragraph and in a headline', () => {
    const long = { asset_type: 'markdown' as const, content: 'a'.repeat(6_000) }
    const assets = { headline: long, body: long }
    const [page] = renderManifest(manifestOf('own', assets), ownFormat({ type: 'native' }))
    expect(page?.html.match(/a{5000}…/g)).toHaveLength(2)
  })

  test('is displayed on a page, as a list of texts and as the body of a feed', () => {
    const body = { asset_type: 'markdown' as const, content: 'Very **good**\n\n- shoes' }
    for (const type of ['display', 'native'] as const) {
      const [page] = renderManifest(manifestOf('own', { body }), ownFormat({ type }))
      expect(page?.html).toContain('<p>Very <strong>good</strong></p><ul><li>shoes</li></ul>')
      expect(page?.html).toContain('.md{')
    }
  })
})
