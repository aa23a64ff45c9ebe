// 50 creatives previewed one call after the other, beside 50 of their kind in one batch, over HTTP: once drawn
// for the first time, once drawn before, and how many pages a second a batch draws: of a server that has
// drawn some ten thousand pages, by rounds in which each side is first in turn, with the processor time beside
// the time on the clock. Then how long a 300x250 picture takes to build, and how many a second come of four
// callers. Flags: --rounds N, --warm N, --store sqlite|postgres-url
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  CLI,
  childrenOf,
  cpuMs,
  startServer,
  stopServer,
  untilReady,
} from './support/processes.mjs'

const COUNT = 50
const AIM = 8
const OUTPUTS = ['url', 'html']
const KEY = `adw_${'b'.repeat(43)}`

export async function run(flags) {
  const { values } = parseArgs({
    args: flags,
    options: {
      rounds: { type: 'string', default: '40' },
      warm: { type: 'string', default: '300' },
      store: { type: 'string', default: 'sqlite' },
    },
  })
  const folder = mkdtempSync(join(tmpdir(), 'adwire-bench-'))
  const server = await startServer([CLI, 'serve', '--demo', '--port', '0', '--data', folder], {
    ADWIRE_CONSOLE: 'false',
    ADWIRE_LOG_LEVEL: 'warn',
    ADWIRE_TASKS_PER_MINUTE: '10000000',
    ADWIRE_DEMO_KEY: KEY,
    ...(values.store === 'sqlite' ? {} : { ADWIRE_DATABASE_URL: values.store }),
  })
  try {
    await untilReady(server)
    await measure(server, { rounds: Number(values.rounds), warm: Number(values.warm) })
    await measureBuilds(server)
  } finally {
    await stopServer(server)
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(server, { rounds, warm }) {
  const preview = caller(server)
  const pids = () => [server.child.pid, ...childrenOf(server.child.pid)]
  for (let round = 0; round < warm; round++) {
    const sides = round % 5 === 0 ? ['singles', 'batch'] : ['batch']
    const output_format = OUTPUTS[round % OUTPUTS.length]
    for (const side of sides)
      await draw(preview, side, { output_format, requests: requestsOf(server) })
  }
  const found = new Map()
  for (let round = 0; round < rounds; round++) {
    for (const output_format of OUTPUTS) {
      // Each side draws creatives of its own; the second time they have been drawn. Each is first in turn.
      const own = { singles: requestsOf(server), batch: requestsOf(server) }
      const sides = round % 2 === 0 ? ['singles', 'batch'] : ['batch', 'singles']
      for (const time of ['first time', 'drawn before']) {
        const row = {}
        for (const side of sides) {
          const preference = { output_format, requests: own[side] }
          const { answer, ...times } = await timed(pids(), () => draw(preview, side, preference))
          check(side, answer)
          row[side] = times
        }
        const name = `${output_format}, ${time}`
        found.set(name, [...(found.get(name) ?? []), row])
      }
    }
  }
  for (const [name, rows] of found) report(name, rows)
}

/** Every picture is another one: equal requests would be equal files. */
async function measureBuilds(server) {
  const build = caller(server, 'build_creative')
  const times = []
  for (let n = 0; n < 25; n++) {
    const began = performance.now()
    await build(buildOf(server, n))
    times.push(performance.now() - began)
  }
  console.log(`build (300x250 picture): median ${median(times.slice(5)).toFixed(1)} ms`)
  const callers = Array.from({ length: 4 }, () => caller(server, 'build_creative'))
  let next = 100
  const began = performance.now()
  await Promise.all(
    callers.map(async (one) => {
      for (let n = 0; n < 15; n++) await one(buildOf(server, next++))
    }),
  )
  const rate = 60 / ((performance.now() - began) / 1_000)
  console.log(`build (300x250 picture), 4 callers: ${rate.toFixed(1)} a second`)
}

function buildOf({ host, port }, n) {
  const format_id = { agent_url: `http://${host}:${port}`, id: 'display_300x250_image' }
  const brand_manifest = {
    name: 'Northwind Outfitters',
    url: 'https://northwind.example',
    colors: { primary: '#0A5C36', secondary: '#F2B705' },
  }
  const inline_offerings = [
    { name: `Trail collection ${n}`, description: 'For long days outside.' },
  ]
  return {
    message: 'friendly',
    target_format_id: format_id,
    creative_manifest: {
      format_id,
      assets: { promoted_offerings: { brand_manifest, inline_offerings } },
    },
  }
}

/** The requests one after the other, or as a batch; returns the last answer. */
async function draw(preview, side, { output_format, requests }) {
  if (side === 'batch') return preview({ request_type: 'batch', output_format, requests })
  let answer
  for (const one of requests) {
    answer = await preview({
      request_type: 'single',
      format_id: one.creative_manifest.format_id,
      output_format,
      ...one,
    })
  }
  return answer
}

/** Read when the clock has stopped: what a caller makes of an answer is its own affair. */
function check(side, bytes) {
  const { results, previews } = JSON.parse(bytes)
  const isWhole =
    side === 'batch'
      ? results?.length === COUNT && results.every(({ success }) => success)
      : previews?.length === 1
  if (!isWhole) throw new Error(`the ${side} failed: ${bytes.toString().slice(0, 500)}`)
}

/** How long it took, and how long the server and its workers were at it; in milliseconds. */
async function timed(pids, work) {
  const before = pids.map(cpuMs)
  const began = performance.now()
  const answer = await work()
  const wall = performance.now() - began
  const cpu = pids.reduce((sum, pid, index) => sum + cpuMs(pid) - before[index], 0)
  return { wall, cpu, answer }
}

/** Of each round its own ratio: what else the machine does disturbs both sides of one round alike. */
function report(what, rounds) {
  const of = (side, kind) => median(rounds.map((round) => round[side][kind]))
  const ratio = (kind) => median(rounds.map(({ singles, batch }) => singles[kind] / batch[kind]))
  const best = (side) => Math.min(...rounds.map((round) => round[side].wall))
  const [singles, batch] = [of('singles', 'wall'), of('batch', 'wall')]
  const perSecond = Math.round((COUNT / batch) * 1_000)
  console.log(
    `preview (${what}): ${COUNT} singles ${singles.toFixed(1)} ms, one batch ${batch.toFixed(1)} ms, ${perSecond} pages/s, ratio ${ratio('wall').toFixed(1)} (aim ${AIM}), of the best rounds ${(best('singles') / best('batch')).toFixed(1)}`,
  )
  const each = (side) => (of(side, 'cpu') / COUNT).toFixed(2)
  console.log(
    `  processor time of a preview: single ${each('singles')} ms, in a batch ${each('batch')} ms, ratio ${ratio('cpu').toFixed(1)}`,
  )
}

/** Images, markup and native creatives, none of which was ever seen before. */
function requestsOf({ host, port }) {
  const agent_url = `http://${host}:${port}`
  return Array.from({ length: COUNT }, (_, index) => {
    const [id, assets] = creative(index % 3, randomUUID())
    const format_id = { agent_url, id }
    return { format_id, creative_manifest: { format_id, assets } }
  })
}

function creative(kind, word) {
  const text = (content) => ({ asset_type: 'text', content })
  const url = (name) => ({
    asset_type: 'url',
    url: `https://acme.example/${name}?w=${word}&c={CITY}`,
  })
  const image = (width, height) => ({
    asset_type: 'image',
    url: `https://cdn.example/${word}.png`,
    width,
    height,
  })
  if (kind === 0) {
    return ['display_300x250_image', { banner_image: image(300, 250), click_url: url('click') }]
  }
  if (kind === 1) {
    const content = `<!doctype html><html><body>${`<p>{CITY} ${word}</p>`.repeat(40)}</body></html>`
    return ['display_300x250_html', { html_creative: { asset_type: 'html', content } }]
  }
  return [
    'native_content',
    {
      headline: text(`Shoes ${word}`),
      body: text('Fast ones, made for every road.'),
      thumbnail: image(600, 400),
      click_url: url('native'),
      disclosure: text('Sponsored by Acme'),
    },
  ]
}

/** One connection that stays open, as a client in earnest would keep it. */
function caller({ host, port }, task = 'preview_creative') {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return (body) => {
    const bytes = Buffer.from(JSON.stringify(body))
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          host,
          port,
          agent,
          method: 'POST',
          path: `/v3/${task}`,
          headers: {
            'content-type': 'application/json',
            'content-length': bytes.byteLength,
            authorization: `Bearer ${KEY}`,
          },
        },
        (answer) => {
          const chunks = []
          answer.on('data', (chunk) => chunks.push(chunk))
          answer.on('end', () => {
            const bytes = Buffer.concat(chunks)
            if (answer.statusCode === 200) resolve(bytes)
            else
              reject(new Error(`answered ${answer.statusCode}: ${bytes.toString().slice(0, 500)}`))
          })
        },
      )
      sent.once('error', reject)
      sent.end(bytes)
    })
  }
}

/** Without rounds in which a process ended; NaN where nothing was measured. */
function median(times) {
  const sorted = times.filter(Number.isFinite).sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
