// How soon the console can be used in a browser whose CPU is slowed four times: from the navigation to the overview's
// figures on the screen, and until the page has nothing more to do. Flags: --rounds N, --rows N.
// CHROMIUM_PATH names the browser.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { openStorage } from '../dist/app/open-storage.js'
import { createApp, createLog, makeConfig } from '../dist/index.js'
import { fillConsole } from './support/console-rows.mjs'

const SLOWED = 4

export async function run(flags) {
  const { values } = parseArgs({
    args: flags,
    options: {
      rounds: { type: 'string', default: '9' },
      rows: { type: 'string', default: '5000' },
    },
  })
  const data = mkdtempSync(join(tmpdir(), 'adwire-bench-'))
  const storage = await openStorage({ data })
  await fillConsole(storage, Number(values.rows))
  await storage.close()
  const config = makeConfig({ data, port: 0, webhookConcurrency: 0, taskConcurrency: 0 })
  const app = await createApp(config, { log: createLog({ level: 'error' }) })
  await app.start()
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    const { key } = await app.createPrincipal({ name: 'Bench', scopes: ['operator'] })
    const calibration = calibrate()
    console.log(`a loop of 3e8 additions takes ${calibration.toFixed(0)} ms here`)
    const cookie = await signIn(app.url(), key)
    const times = []
    for (let round = 0; round < Number(values.rounds); round++) {
      times.push(await start(browser, app.url(), cookie))
    }
    for (const name of ['figures', 'idle']) {
      const sorted = times.map((time) => time[name]).sort((a, b) => a - b)
      const median = sorted[Math.floor(sorted.length / 2)]
      console.log(
        `${name.padEnd(8)} median ${median.toFixed(0).padStart(6)} ms   least ${sorted[0].toFixed(0).padStart(6)} ms   ${(median / calibration).toFixed(2)} x the loop`,
      )
    }
  } finally {
    await browser.close()
    await app.stop()
    rmSync(data, { recursive: true, force: true })
  }
}

function calibrate() {
  const started = performance.now()
  let sum = 0
  for (let n = 0; n < 3e8; n++) sum += n
  return sum > 0 ? performance.now() - started : 0
}

async function signIn(url, key) {
  const answer = await fetch(`${url}/console/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key }),
  })
  return answer.headers.get('set-cookie').split(';')[0]
}

/** In milliseconds since the navigation; with nothing in the browser's cache. */
async function start(browser, url, cookie) {
  const context = await browser.newContext()
  const [name, value] = cookie.split('=')
  await context.addCookies([{ name, value, url: `${url}/console/`, httpOnly: true }])
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWED })
  await page.addInitScript(() => {
    globalThis.longTasks = []
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) {
        globalThis.longTasks.push(startTime + duration)
      }
    }).observe({ type: 'longtask' })
    new MutationObserver(() => {
      if (globalThis.figuresAt === undefined && document.querySelector('.tile')) {
        globalThis.figuresAt = performance.now()
      }
    }).observe(document, { childList: true, subtree: true })
  })
  await page.goto(`${url}/console/`)
  await page.locator('.chart canvas').waitFor()
  const figures = await page.evaluate(() => globalThis.figuresAt)
  const idle = await page.evaluate(() => Math.max(globalThis.figuresAt, ...globalThis.longTasks))
  await context.close()
  return { figures, idle }
}
