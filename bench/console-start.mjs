// How soon the console can be used in a browser whose CPU is slowed four times: from the navigation to the overview's
// figures on the screen, and until the page has nothing more to do; and how soon a page is there, in the same browser and
// in turn with it, that is one line of HTML and one line of script. What is above that is the console's own. `processor` is
// what the page's process did until the figures were there, slowed as it is: it does not grow while others use the machine.
// Flags: --rounds N, --rows N, --steps (what came when). CHROMIUM_PATH names the browser.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
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
      steps: { type: 'boolean', default: false },
    },
  })
  const data = mkdtempSync(join(tmpdir(), 'adwire-bench-'))
  const storage = await openStorage({ data })
  await fillConsole(storage, Number(values.rows))
  await storage.close()
  const config = makeConfig({ data, port: 0, webhookConcurrency: 0, taskConcurrency: 0 })
  const app = await createApp(config, { log: createLog({ level: 'error' }) })
  await app.start()
  const bare = await startBare()
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    const { key } = await app.createPrincipal({ name: 'Bench', scopes: ['operator'] })
    const cookie = await signIn(app.url(), key)
    const ofBare = []
    const ofConsole = []
    for (let round = 0; round < Number(values.rounds); round++) {
      ofBare.push(await start(browser, `${bare.url}/`))
      ofConsole.push(await start(browser, `${app.url()}/console/`, cookie))
    }
    if (values.steps) showSteps(ofConsole)
    const baseline = line('bare page', ofBare, 'figures')
    const figures = line('figures', ofConsole, 'figures')
    const idle = line('idle', ofConsole, 'idle')
    const processors = [ofBare, ofConsole].map((times) => line('processor', times, 'processor'))
    for (const { text, median } of [baseline, figures, idle]) {
      console.log(
        `${text}   ${(median - baseline.median).toFixed(0).padStart(6)} ms more than the bare page`,
      )
    }
    console.log(`${processors[0].text}   of the bare page`)
    console.log(`${processors[1].text}   of the console`)
    const loops = Array.from({ length: 5 }, calibrate).sort((a, b) => a - b)
    console.log(
      `a loop of 3e8 additions takes ${loops[2].toFixed(0)} ms here, ${loops[0].toFixed(0)} ms at best`,
    )
  } finally {
    await browser.close()
    bare.server.close()
    await app.stop()
    rmSync(data, { recursive: true, force: true })
  }
}

function line(name, times, of) {
  const sorted = times.map((time) => time[of]).sort((a, b) => a - b)
  const median = sorted[Math.floor(sorted.length / 2)]
  const ms = (value) => `${value.toFixed(0).padStart(6)} ms`
  return { median, text: `${name.padEnd(10)} median ${ms(median)}   least ${ms(sorted[0])}` }
}

/** Of the round in the middle: what was requested, and when it was there. */
function showSteps(rounds) {
  const { steps, figures, idle } = [...rounds].sort((a, b) => a.figures - b.figures)[
    Math.floor(rounds.length / 2)
  ]
  for (const { name, from, to } of steps) {
    console.log(
      `${from.toFixed(0).padStart(6)} to ${to.toFixed(0).padStart(6)} ms   ${name.slice(0, 60)}`,
    )
  }
  console.log(`${figures.toFixed(0).padStart(6)} ms figures, ${idle.toFixed(0)} ms idle`)
}

/** The least that a page with a script is. */
function startBare() {
  const page =
    '<!doctype html><html><body><div id="app"></div><script type="module" src="/a.js"></script></body></html>'
  const script = 'document.getElementById("app").innerHTML = "<p class=tile>1</p>"'
  const server = createServer((request, response) => {
    const isScript = request.url === '/a.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? script : page)
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve({ server, url: `http://127.0.0.1:${server.address().port}` })
    })
  })
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
  if (cookie !== undefined) {
    const [name, value] = cookie.split('=')
    await context.addCookies([{ name, value, url, httpOnly: true }])
  }
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWED })
  await devtools.send('Performance.enable')
  const before = await processorMs(devtools)
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
  await page.goto(url, { waitUntil: 'commit' })
  await page.waitForFunction(() => globalThis.figuresAt !== undefined, null, { polling: 50 })
  const processor = (await processorMs(devtools)) - before
  if (cookie !== undefined) await page.locator('.chart canvas').waitFor()
  const times = await page.evaluate(() => ({
    figures: globalThis.figuresAt,
    idle: Math.max(globalThis.figuresAt, ...globalThis.longTasks),
    steps: performance
      .getEntries()
      .filter(({ entryType }) => ['navigation', 'resource', 'paint'].includes(entryType))
      .map(({ name, startTime, responseEnd }) => ({
        name: name.replace(location.origin, ''),
        from: startTime,
        to: responseEnd ?? startTime,
      })),
  }))
  await context.close()
  return { ...times, processor }
}

async function processorMs(devtools) {
  const { metrics } = await devtools.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'ProcessTime').value * 1_000
}
