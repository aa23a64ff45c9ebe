// Content that is designed to block its reader, sent to the built server: each piece is processed or refused for
// what it is, and meanwhile the server answers all other callers. Limits are so wide that only the fault exceeds
// them: these payloads used to take minutes, or never end.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, call } from '../support/call.ts'
import { eventually } from '../support/eventually.ts'
import { type ManifestServer, startManifestServer } from '../support/manifest-server.ts'

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const KEY = `adw_${'a'.repeat(43)}`
const MOST_WAIT_MS = 5_000
const folder = mkdtempSync(join(tmpdir(), 'adwire-attacks-'))
const ACME = { name: 'Acme', url: 'https://acme.example' }

let child: ChildProcess
let url: string
let stranger: ManifestServer

beforeAll(async () => {
  stranger = await startManifestServer()
  child = spawn(process.execPath, [MAIN, 'serve', '--demo', '--port', '0', '--data', folder], {
    env: {
      PATH: process.env.PATH ?? '',
      ADWIRE_DEMO_KEY: KEY,
      ADWIRE_LOG_LEVEL: 'fatal',
      ADWIRE_TASKS_PER_MINUTE: '1000000',
      ADWIRE_WORKER_POOL_SECONDS: '60',
      ADWIRE_WORKER_POOL_MEMORY_MB: '384',
      ADWIRE_EGRESS_ALLOW: '127.0.0.0/8',
      ADWIRE_EGRESS_ALLOW_HTTP: 'true',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  url = await new Promise<string>((resolve, reject) => {
    let said = ''
    child.once('exit', (code) => reject(new Error(`adwire serve ended with ${code}`)))
    child.stdout?.on('data', (chunk) => {
      said += String(chunk)
      // The last that it says, when the demo's key is there.
      if (/curl '.*'\n/.test(said)) resolve(/listens on (\S+)/.exec(said)?.[1] ?? '')
    })
  })
})
afterAll(async () => {
  child.removeAllListeners('exit')
  const hasEnded = child.exitCode !== null || child.signalCode !== null
  const ended = hasEnded ? undefined : once(child, 'close')
  child.kill('SIGKILL')
  await Promise.all([ended, stranger.stop()])
  rmSync(folder, { recursive: true, force: true })
})

const formatId = (id: string) => ({ agent_url: url, id })
const pictured = (picture: string) => ({
  format_id: formatId('display_300x250_image'),
  assets: {
    banner_image: { asset_type: 'image', url: picture, width: 300, height: 250 },
    click_url: { asset_type: 'url', url: ACME.url },
  },
})
const build = (members: object) =>
  call(`${url}/v3/build_creative`, {
    key: KEY,
    body: { target_format_id: formatId('display_300x250_image'), ...members },
  })
const preview = (creative_manifest: { format_id: object; assets: object }, members: object = {}) =>
  call(`${url}/v3/preview_creative`, {
    key: KEY,
    body: {
      request_type: 'single',
      format_id: creative_manifest.format_id,
      creative_manifest,
      ...members,
    },
  })
/** The path of the page that was drawn. */
const pageOf = ({ text }: Answer) => {
  const path = /\/previews\/[\w-]+(?=\/interactive)/.exec(text)?.[0]
  expect(path, text).toBeDefined()
  return path
}
const branded = (brand_manifest: unknown, members: object = {}) =>
  build({ promoted_offerings: { brand_manifest }, ...members })

/** The answer, while others were answered all the time. */
async function beside<T>(work: Promise<T>): Promise<T> {
  let isOver = false
  let longestMs = 0
  const ended = work.finally(() => {
    isOver = true
  })
  const others = (async () => {
    while (!isOver) {
      const began = performance.now()
      const { status } = await call(`${url}/healthz`)
      expect(status).toBe(200)
      longestMs = Math.max(longestMs, performance.now() - began)
      await pause(10)
    }
  })()
  const [answer] = await Promise.all([ended, others])
  expect(longestMs).toBeLessThan(MOST_WAIT_MS)
  return answer
}

function dataPicture(text: string): string {
  return `data:image/png;base64,${Buffer.from(text).toString('base64')}`
}

/** 45 empty comments, which an expression that may skip them in two ways takes for ever over. */
const COMMENTS = `${'<!---->'.repeat(45)}x`
const USES = `<svg>${'use '.repeat(20_000)}`

describe('a picture in the address of an asset', () => {
  test.each([
    [
      '45 empty comments before a letter',
      COMMENTS,
      'it is not a PNG, JPEG, WebP, GIF or SVG image',
    ],
    ['“use” for 80 KB', USES, 'it is an SVG that cannot be drawn'],
  ])('of %s is refused for what it is', async (_, text, reason) => {
    const creative_manifest = pictured(dataPicture(text))
    const built = await beside(build({ creative_manifest }))
    expect([built.status, built.text]).toEqual([422, expect.stringContaining(reason)])
    const returned = await beside(preview(creative_manifest))
    expect([returned.status, returned.text]).toEqual([
      422,
      expect.stringContaining('these bytes do not begin image/png'),
    ])
  })
})

describe('a brand document of a third party', () => {
  test('whose logos are such pictures is built without them, and the answer says so', async () => {
    stranger.set('/comments.png', { body: COMMENTS })
    stranger.set('/uses.svg', { body: USES })
    const logos = ['/comments.png', '/uses.svg'].map((path) => ({ url: stranger.url + path }))
    stranger.set('/logos.json', { body: { ...ACME, logos } })
    const { status, text } = await beside(branded(`${stranger.url}/logos.json`))
    expect([status, text]).toEqual([200, expect.stringContaining('logo')])
    expect(stranger.requested).toContain('/comments.png')
  })

  test.each([5_000, 250 * 1_024])(
    'with a disclaimer of %i letters without a blank is shortened and drawn',
    async (length) => {
      const disclaimers = [{ text: 'm'.repeat(length), required: true }]
      stranger.set(`/${length}.json`, { body: { ...ACME, disclaimers } })
      const { status, text } = await beside(branded(`${stranger.url}/${length}.json`))
      expect([status, text]).toEqual([200, expect.stringContaining('disclaimer')])
    },
  )
})

test('macros that would unfold 500 KB into gigabytes are left as they are, with and without a key', async () => {
  const format_id = formatId('display_300x250_html')
  const content = `<p>${'{OS}'.repeat(125_000)}</p>`
  const manifest = { format_id, assets: { html_creative: { asset_type: 'html', content } } }
  const inputs = [{ name: 'many', macros: { OS: '&'.repeat(4_000) } }]
  const returned = await beside(preview(manifest, { inputs }))
  expect([returned.status, returned.text.length < 100_000]).toEqual([200, true])
  const page = await beside(call(`${url}${pageOf(returned)}/render?OS=${'%26'.repeat(4_000)}`))
  expect([page.status, page.text.length < 5_000_000]).toEqual([200, true])
})

test.each([
  ['message', { message: `https://a/${')'.repeat(9_980)}` }, 200],
  ['message that is too long', { message: `https://a/${')'.repeat(20_000)}` }, 400],
  [
    'prompt',
    {
      creative_manifest: {
        assets: { prompt: { asset_type: 'text', content: `https://a/${')'.repeat(19_980)}` } },
      },
    },
    200,
  ],
])('an address and thousands of brackets in a %s are read', async (_, members, status) => {
  expect((await beside(branded(ACME, members))).status).toBe(status)
})

const svgOf = (width: number, content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${width}">${content}</svg>`
const times = (count: number, one: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => one(n)).join('')
const PLAIN = svgOf(30, '<rect width="30" height="30"/>')
/** Each result of a filter is held until all are there. */
const FLOODS = svgOf(
  2_000,
  `<filter id="f">${times(400, (n) => `<feFlood result="r${n}"/>`)}</filter>
   <rect width="2000" height="2000" filter="url(#f)"/>`,
)
const FILTERS = svgOf(
  2_000,
  times(12, (n) => `<filter id="f${n}"><feMorphology radius="40"/></filter>`) +
    times(12, (n) => `<rect width="2000" height="2000" filter="url(#f${n})"/>`),
)
/** The filter is referred to by an escaped name. */
const longOf = (n: number) =>
  svgOf(
    2_000,
    `<style>rect{\\66 ilter:url(#f)}</style><filter id="f">${'<feMorphology radius="40"/>'.repeat(12)}</filter>
     <rect width="2000" height="${2_000 - n}"/>`,
  )
const drawn = (svg: string) => build({ creative_manifest: pictured(dataPicture(svg)) })

test('a process that takes too much memory is ended, which is reported; the next call succeeds', async () => {
  // Interlaced, so that all of its 400 MB have to be there before the first line is.
  const background = { r: 9, g: 99, b: 199, alpha: 1 }
  const large = sharp({ create: { width: 7_000, height: 7_000, channels: 4, background } })
  const png = await large.toColourspace('rgb16').png({ progressive: true }).toBuffer()
  const creative_manifest = pictured(`data:image/png;base64,${png.toString('base64')}`)
  const { status, text } = await beside(build({ creative_manifest }))
  expect([status, text]).toEqual([422, expect.stringContaining('more memory than one piece')])
  expect((await beside(drawn(PLAIN))).status).toBe(200)
  const { text: metrics } = await call(`${url}/metrics`)
  expect(metrics).toMatch(/adwire_worker_pool_processes_ended_total\{reason="too_large"\} [1-9]/)
})

test.each([
  ['400 results that are held', FLOODS, 'feFlood'],
  ['twelve filters', FILTERS, 'feMorphology'],
])(
  'an SVG with %s is not drawn at all, and the answer says what is too much',
  async (_, svg, step) => {
    const { status, text } = await beside(drawn(svg))
    expect([status, text]).toEqual([422, expect.stringContaining(`most of them for ${step}`)])
  },
)

test('an SVG of 600 bytes whose filters cannot be seen delays no write, and is ended; the next call is done', async () => {
  expect(longOf(0).length).toBeLessThan(700)
  const format_id = formatId('display_300x250_html')
  const html_creative = { asset_type: 'html', content: '<p>{OS}</p>' }
  const path = pageOf(await preview({ format_id, assets: { html_creative } }))
  let answered = 0
  // As many as a process has threads for its files.
  const builds = Array.from({ length: 4 }, async (_, n) => {
    const answer = await drawn(longOf(n))
    answered += 1
    return answer
  })
  // The last of them end with the server.
  void Promise.allSettled(builds)
  for (let n = 0; n < 5; n++) {
    const body = { steps: 1, duration_seconds: 0 }
    expect((await call(`${url}/v3/simulate_task`, { key: KEY, body })).status).toBe(200)
  }
  expect(answered).toBe(0)
  const first = await beside(Promise.race(builds))
  expect([first.status, first.text]).toEqual([
    422,
    expect.stringContaining('more than 2 s to draw'),
  ])
  // The others get one process at a time, since work of their caller had to be ended: others have the rest.
  expect((await beside(call(`${url}${path}/render?OS=Linux`))).status).toBe(200)
  expect(answered).toBeLessThan(4)
  expect(child.exitCode).toBeNull()
})

test('a server that is killed takes its workers with it, also those that draw', async () => {
  const workers = () =>
    readdirSync('/proc').filter((name) => {
      try {
        const words = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0')
        return words.includes(String(child.pid)) && words.some((word) => word.endsWith('worker.js'))
      } catch {
        return false
      }
    })
  expect(workers().length).toBeGreaterThan(0)
  child.removeAllListeners('exit')
  child.kill('SIGKILL')
  await eventually(() => expect(workers()).toEqual([]))
})
