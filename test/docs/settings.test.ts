import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { RECEIVE_SETTINGS } from '../../src/app/receive-settings.ts'
import { SETTINGS } from '../../src/app/settings.ts'
import { settingsPage } from '../../src/app/settings-page.ts'

const PAGE = new URL('../../docs/settings.md', import.meta.url)

test('docs/settings.md is what `npm run docs` writes', () => {
  expect(readFileSync(PAGE, 'utf8')).toBe(settingsPage())
})

test('the page has a row for every setting', () => {
  const page = settingsPage()
  for (const { env, flag } of Object.values({ ...SETTINGS, ...RECEIVE_SETTINGS })) {
    expect(page).toMatch(new RegExp(`^\\| \`${env}\` \\| \`--${flag}[ \`]`, 'm'))
  }
})
