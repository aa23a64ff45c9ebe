// 50 creatives previewed one call after the other, beside the same 50 in one batch, over HTTP: once drawn
// for the first time, once drawn before, and how many pages a second a batch draws. Then how long a
// 300x250 picture takes to build, and how many a second come of four callers.
// Flags: --rounds N, --store sqlite|postgres-url
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { CLI, startServer, stopServer, untilReady } from './support/processes.mjs'

const COUNT = 50
const AIM = 5
const KEY = `adw_${'b'.repeat(43)}`

export async function run(flags) {
  const { values } = parseArgs({
    args: flags,
    options: {
      rounds: { type: 'string', default: '7' },
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
    await measure(server, Number(values.rounds))
    await measureBuilds(server)
  } finally {
    await stopServer(server)
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(server, rounds) {
  const preview = caller(server)
  for (let round = 0; round < 3; round++) await compare(preview, requestsOf(server))
  for (const output_format of ['url', 'html']) {
    const cold = []
    const cached = []
    for (let round = 0; round < rounds; round++) {
      const requests = requestsOf(server)
      const others = requestsOf(server)
      // Each side draws creatives of its own; the second time they have been drawn.
      cold.push(await compare(preview, requests, { others, output_format }))
      cached.push(await compare(preview, requests, { others, output_format }))
    }
    tell(`${output_format}, first time`, cold)
    tell(`${output_format}, drawn before`, cached)
  }
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

/** Milliseconds for the requests in sequence, and for these or others of their kind as a batch. */
async function compare(preview, requests, { others = requests, output_format = 'url' } = {}) {
  const began = performance.now()
  for (const one of requests) await preview({ request_type: 'single', output_format, ...one })
  const between = performance.now()
  const answer = await preview({ request_type: 'batch', output_format, requests: others })
  const ended = performance.now()
  if (answer.results?.length !== COUNT || !answer.results.every(({ success }) => success)) {
    throw new Error(`the batch failed: ${JSON.stringify(answer).slice(0, 500)}`)
  }
  return { singles: between - began, batch: ended - between }
}

function tell(what, rounds) {
  const singles = median(rounds.map((round) => round.singles))
  const batch = median(rounds.map((round) => round.batch))
  const perSecond = Math.round((COUNT / batch) * 1_000)
  console.log(
    `preview (${what}): ${COUNT} singles ${singles.toFixed(1)} ms, one batch ${batch.toFixed(1)} ms, ${perSecond} pages/s, ratio ${(singles / batch).toFixed(1)} (aim ${AIM})`,
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
            const text = Buffer.concat(chunks).toString()
            if (answer.statusCode === 200) resolve(JSON.parse(text))
            else reject(new Error(`answered ${answer.statusCode}: ${text.slice(0, 500)}`))
          })
        },
      )
      sent.once('error', reject)
      sent.end(bytes)
    })
  }
}

function median(times) {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)]
}
