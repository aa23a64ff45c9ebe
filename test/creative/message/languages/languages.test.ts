import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { listsOf, OWN_TEXTS } from '../../../../src/creative/message/languages/languages.ts'

const FOLDER = new URL('../../../../src/creative/message/languages/', import.meta.url)
const LANGUAGES = readdirSync(FOLDER)
  .map((file) => file.replace('.ts', ''))
  .filter((name) => name !== 'languages' && name !== 'message-language')

test('every file of a language is used', () => {
  const tags = [...OWN_TEXTS.keys()].map((tag) => tag.split('-')[0])
  expect([...new Set(tags)].sort()).toEqual(LANGUAGES.sort())
})

test('a list has every language that defines it, and none that expresses it otherwise', () => {
  expect(listsOf('greetings').de).toContain('guten tag')
  expect(Object.keys(listsOf('greetings'))).toHaveLength(23)
  // Where verbs come last, what is wanted precedes the words for wanting it.
  expect(Object.keys(listsOf('wantAfter')).sort()).toEqual(['hi', 'ja', 'ko', 'tr'])
})

test('the texts of a language are complete in each of its scripts', () => {
  expect(OWN_TEXTS.get('zh-Hant')?.buttons.shop).toBe('立即選購')
  expect(OWN_TEXTS.get('zh-Hans')?.sponsored).toBe('广告')
  expect(OWN_TEXTS.has('zh')).toBe(false)
})
