import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findChromium } from '../../src/app/open-stills.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'adwire-test-'))
  writeFileSync(join(folder, 'chromium-browser'), '')
  chmodSync(join(folder, 'chromium-browser'), 0o755)
  writeFileSync(join(folder, 'google-chrome'), '')
})
afterAll(() => rmSync(folder, { recursive: true }))

test('a Chromium is looked for in PATH, and only what can be run is one', () => {
  expect(findChromium(undefined, `/nowhere:${folder}`)).toBe(join(folder, 'chromium-browser'))
  expect(findChromium(undefined, '/nowhere')).toBeUndefined()
  expect(findChromium(undefined, '')).toBeUndefined()
})

test('none turns it off, and a path that is no program stops the start', () => {
  expect(findChromium('none', folder)).toBeUndefined()
  expect(findChromium(join(folder, 'chromium-browser'), '')).toBe(join(folder, 'chromium-browser'))
  expect(() => findChromium('/nowhere/chrome', folder)).toThrow('ADWIRE_CHROMIUM: /nowhere/chrome')
})
