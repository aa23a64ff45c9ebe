// A real browser for tests of pages. Without one on this machine the tests are skipped, and say so.

import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'
import sharp from 'sharp'

const PLACES = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** Where Chromium is; undefined if nowhere. */
export const CHROMIUM = PLACES.find((path) => path !== undefined && existsSync(path))

/** For the title of a suite, so that a run that skipped it shows it. */
export const BROWSER_TITLE = CHROMIUM
  ? 'in Chromium'
  : 'in Chromium, SKIPPED: no browser found, set CHROMIUM_PATH'

let shared: Promise<Browser> | undefined

/** One for all files of a worker, with which it ends; each test has a context of its own in it. */
export async function openBrowser(): Promise<Browser> {
  if (!(await shared)?.isConnected()) shared = launch()
  return shared as Promise<Browser>
}

/** Closes what the tests of a file have left open. */
export async function leaveBrowser(): Promise<void> {
  const browser = await shared
  await Promise.all((browser?.contexts() ?? []).map((context) => context.close()))
}

async function launch(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error('there is no Chromium: set CHROMIUM_PATH')
  // Containers have no user namespaces for Chromium's own sandbox.
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
}

/** How much the pixels of a page differ: 0 for one that is blank. */
export async function contrastOf(page: Page, selector?: string): Promise<number> {
  const shot = await (selector ? page.locator(selector).first().screenshot() : page.screenshot())
  const { channels } = await sharp(shot).removeAlpha().stats()
  return Math.max(...channels.map(({ stdev }) => stdev))
}
