import { parse } from 'parse5'
import { describe, expect, test } from 'vitest'
import { composeAd } from '../../../src/creative/layout-engine/compose.ts'
import { composeHtml } from '../../../src/creative/layout-engine/compose-html.ts'
import { adInput } from './composing.ts'

const html = (options = {}) => composeHtml(composeAd(adInput()), options)

describe('spec 2.4: an HTML5 banner', () => {
  test('is a whole document of the requested size, with the words as text', () => {
    const document = html()
    expect(parse(document).nodeName).toBe('#document')
    expect(document).toContain('name="ad.size" content="width=300,height=250"')
    expect(document).toMatch(/>Summer trail[^<]*<\/text>/)
    expect(document.length).toBeLessThan(150_000)
  })

  test('asks the network for nothing', () => {
    const document = html().replace('xmlns="http://www.w3.org/2000/svg"', '')
    expect(document).not.toMatch(/(?:src|href)="(?!\{CLICK_URL\})|@import|url\((?!data:|#)/)
  })

  test.each([
    [undefined, '{CLICK_URL}'],
    ['https://shop.example/a?b=1&c=2', 'https://shop.example/a?b=1&#38;c=2'],
    ['{CLICK_URL}https%3A%2F%2Fshop.example', '{CLICK_URL}https%3A%2F%2Fshop.example'],
    ['javascript:alert(1)', '{CLICK_URL}'],
    ['https://a.example/"><script>', 'https://a.example/&#34;&#62;&#60;script&#62;'],
  ])('with the target %j links to %j', (clickUrl, href) => {
    expect(html(clickUrl === undefined ? {} : { clickUrl })).toContain(`<a id="ad" href="${href}"`)
  })

  test('keeps words that look like markup as words', () => {
    const name = '</title></svg><script>alert(1)</script>'
    const document = composeHtml(composeAd(adInput({ offering: { name }, width: 970 })))
    expect(document.match(/<script/g)).toHaveLength(1)
    expect(document.match(/<\/svg>/g)).toHaveLength(1)
  })
})
