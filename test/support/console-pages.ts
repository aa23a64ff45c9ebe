// The console as an operator has it: the built server with its demo in a process of its own, and pages of it in a
// real browser that write down what went wrong in them.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { SPARING } from './cli.ts'

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

export interface ConsoleServer {
  url: string
  /** The demo's key. */
  key: string
  /** Of a session of the demo, for pages that do not sign in themselves: attempts to sign in are few. */
  cookie: string
  /** The folder of its data, for commands beside it. */
  data: string
  stop(): Promise<void>
}

export interface ConsoleOptions {
  /** Puts something into the data folder before the server starts. */
  prepare?: (data: string) => Promise<void>
}

export async function startConsole({ prepare }: ConsoleOptions = {}): Promise<ConsoleServer> {
  const data = mkdtempSync(join(tmpdir(), 'adwire-console-'))
  await prepare?.(join(data, 'data'))
  const child = spawn(
    process.execPath,
    [MAIN, 'serve', '--demo', '--port', '0', '--data', join(data, 'data')],
    {
      env: { PATH: process.env.PATH ?? '', NO_COLOR: '1', ...SPARING, ADWIRE_CONSOLE: 'true' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let said = ''
  const ready = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk) => {
      said += String(chunk)
      if (/demo key: .*\n/.test(said)) resolve()
    })
  })
  child.stderr.on('data', (chunk) => {
    said += String(chunk)
  })
  const ended = once(child, 'close')
  await Promise.race([ready, ended])
  const url = /listens on (\S+)/.exec(said)?.[1]
  const key = /demo key: (\S+)/.exec(said)?.[1]
  if (!url || !key) throw new Error(`adwire serve --demo did not start: ${said}`)
  return {
    url,
    key,
    cookie: await sessionCookie(url, { demo: true }),
    data: join(data, 'data'),
    async stop() {
      child.kill('SIGTERM')
      await ended
      rmSync(data, { recursive: true, force: true })
    },
  }
}

/** Signs in, by key or by the one click of the demo, and gives the cookie as a request has it. */
async function sessionCookie(url: string, body: { key: string } | { demo: true }): Promise<string> {
  const answer = await fetch(`${url}/console/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`no session: ${answer.status} ${await answer.text()}`)
  return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
}

/** Wide, as for all tests: what is waited for comes, only later where the machine has much else to do. */
const PATIENCE_MS = 120_000

export interface PageOptions {
  scheme?: 'light' | 'dark'
  width?: number
  /** Below /console. Default `/`. */
  path?: string
  /** Default true: with the server's session. */
  signIn?: boolean
  /** What the API answers to some paths in place of the server. */
  answers?: Answers
}

/** By paths below /console/api. */
export type Answers = Readonly<Record<string, { status?: number; body: unknown }>>

export interface ConsolePage extends Page {
  /** Errors of its scripts, its policy and its requests; but for the question whether someone is signed in. */
  faults: string[]
}

export async function openConsole(
  browser: Browser,
  { url, cookie }: Pick<ConsoleServer, 'url' | 'cookie'>,
  { scheme = 'light', width = 1280, path = '/', signIn = true, answers = {} }: PageOptions = {},
): Promise<ConsolePage> {
  const context = await browser.newContext({
    colorScheme: scheme,
    viewport: { width, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    const isQuestion = message.location().url.endsWith('/console/api/session')
    if (message.type() === 'error' && !isQuestion) faults.push(message.text())
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(url)) faults.push(`asked elsewhere: ${request.url()}`)
  })
  if (signIn) {
    const [name = '', value = ''] = cookie.split('=')
    await context.addCookies([{ name, value, url: `${url}/console/`, httpOnly: true }])
  }
  for (const [requested, { status = 200, body }] of Object.entries(answers)) {
    await page.route(
      (address) => address.pathname === `/console/api${requested}`,
      (route) => route.fulfill({ status, json: body }),
    )
  }
  await page.goto(`${url}/console${path}`)
  await page.locator('h1').first().waitFor()
  return Object.assign(page, { faults })
}

/** The rules that depend on colours, which take most of the time. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/**
 * What axe rates serious or worse, each with its first place. Of the rows of a list that are alike in all but their
 * words, the first is checked. Colours do not depend on the width, nor anything else on the scheme: where a view is
 * checked in several, `of` says what is new.
 */
export async function axeFaults(
  page: Page,
  { of = 'everything' }: { of?: 'everything' | 'colours' | 'structure' } = {},
): Promise<string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe.source)
  const rules = Object.fromEntries(COLOUR_RULES.map((rule) => [rule, { enabled: false }]))
  const options =
    of === 'everything' ? {} : of === 'structure' ? { rules } : { runOnly: COLOUR_RULES }
  return page.evaluate(async (requested) => {
    const { axe, document } = globalThis as unknown as AxeWindow
    const shapeOf = (html: string) =>
      html
        .replace(/>([^<]*)</g, (_, text: string) => (text.trim() === '' ? '><' : '>x<'))
        .replace(
          / (?!(?:class|style|role|type|aria-(?!label|describedby|controls)[a-z]+)=)([\w-]+)="[^"]+"/g,
          ' $1="x"',
        )
    const exclude: unknown[] = []
    for (const list of document.querySelectorAll('tbody, ul, ol')) {
      const shapes = new Set<string>()
      for (const row of list.children) {
        const shape = shapeOf(row.outerHTML)
        if (shapes.has(shape)) exclude.push(row)
        shapes.add(shape)
      }
    }
    const context = exclude.length === 0 ? document : { exclude }
    const { violations } = await axe.run(context, requested)
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`)
  }, options)
}

/** The same of a page in both schemes, of which the second changes the colours alone. */
export async function axeFaultsInBoth(page: Page): Promise<string[]> {
  const light = await axeFaults(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.waitForFunction('matchMedia("(prefers-color-scheme: dark)").matches')
  const dark = await axeFaults(page, { of: 'colours' })
  await page.emulateMedia({ colorScheme: 'light' })
  return [...light, ...dark.map((fault) => `in the dark, ${fault}`)]
}

/** What is needed of a page with axe in it; the tests are typed for Node. */
interface AxeWindow {
  axe: { run(context: unknown, options: object): Promise<AxeResults> }
  document: {
    querySelectorAll(selector: string): Iterable<{ children: Iterable<{ outerHTML: string }> }>
  }
}

interface AxeResults {
  violations: {
    id: string
    impact: string
    nodes: { html: string; failureSummary: string }[]
  }[]
}

/** What reaches over the edge of the screen, and what is cut off without a way to see its end. */
export function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { document, innerWidth } = globalThis as unknown as Screen
    const found: string[] = []
    const edge = document.documentElement.clientWidth
    if (document.documentElement.scrollWidth > innerWidth) found.push('the page scrolls sideways')
    for (const element of document.querySelectorAll('main *')) {
      const { right, left, width } = element.getBoundingClientRect()
      if (
        width > 1 &&
        (right > edge + 1 || left < -1) &&
        !element.closest('.code, .sr-only, .clip, .line, .sub')
      ) {
        found.push(`${element.tagName}.${element.className} ends at ${right} of ${edge}`)
      }
    }
    return found
  })
}

/** What is needed of a browser's globals; the tests are typed for Node. */
interface Screen {
  innerWidth: number
  document: {
    documentElement: { scrollWidth: number; clientWidth: number }
    querySelectorAll(selector: string): Iterable<{
      tagName: string
      className: string
      closest(selector: string): unknown
      getBoundingClientRect(): { right: number; left: number; width: number }
    }>
  }
}
