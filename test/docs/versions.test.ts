import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Release } from '../../src/protocol/releases/release.ts'
import { KNOWN_RELEASES } from '../../src/protocol/releases/releases.ts'
import { versionsPage } from '../../src/protocol/releases/versions-page.ts'

const PAGE = new URL('../../docs/versions.md', import.meta.url)

test('docs/versions.md is what `npm run docs` writes', () => {
  expect(readFileSync(PAGE, 'utf8')).toBe(versionsPage())
})

test('the page lists every feature of every release', () => {
  const page = versionsPage()
  const releases: readonly Release[] = KNOWN_RELEASES
  for (const { name, adds, renames = {}, removes = {} } of releases) {
    expect(page).toContain(`### ${name}\n`)
    for (const feature of Object.keys({ ...adds, ...renames, ...removes })) {
      expect(page).toContain(`| \`${feature}\` |`)
    }
  }
})
