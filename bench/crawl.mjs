// The crawler over a simulated network on loopback, beside a bare undici loop that fetches the same files and parses them;
// with kill -9 in the middle, after which nothing that was stored may be lost. Flags: --domains N, --concurrency N,
// --database-url postgres://…
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Agent, request } from 'undici'
import { openStorage } from '../dist/app/open-storage.js'
import { CLI, residentMb, startServer, stopServer } from './support/processes.mjs'

const WELL_KNOWN = '/.well-known/adagents.json'
const MAX_BYTES = 4_194_304

export async function run(flags) {
  const { values } = parseArgs({
    args: flags,
    options: {
      domains: { type: 'string', default: '100000' },
      concurrency: { type: 'string', default: '64' },
      'database-url': { type: 'string' },
    },
  })
  const domains = Number(values.domains)
  const concurrency = Number(values.concurrency)
  const folder = mkdtempSync(join(tmpdir(), 'adwire-bench-'))
  const config = { data: folder, databaseUrl: values['database-url'], databasePool: 4 }
  const hosts = await startServer([
    new URL('./support/crawl-hosts.mjs', import.meta.url).pathname,
    String(Math.min(6_800, Math.floor(domains * 0.15))),
  ])
  try {
    const bare = await bareLoop(hosts, { domains, concurrency })
    console.log(`bare undici loop: ${bare.toFixed(0)} domains/s`)
    await addDomains(config, domains)
    const { rate, memory } = await crawl(hosts, { config, domains, concurrency })
    console.log(`adwire crawl:     ${rate.toFixed(0)} domains/s, one kill -9 included`)
    console.log(`ratio ${(rate / bare).toFixed(2)} (aim 0.50)`)
    console.log(`memory: ${memory.map((mb) => mb.toFixed(0)).join(', ')} MB, quarter by quarter`)
  } finally {
    await stopServer(hosts)
    rmSync(folder, { recursive: true, force: true })
  }
}

const hostOf = (n) => `h${n}.example`

/** Each file fetched and parsed once, with the one step that a crawl takes: a pointer, a redirect, ads.txt. */
async function bareLoop({ host, port }, { domains, concurrency }) {
  const dispatcher = new Agent({ connections: concurrency })
  const get = async (path) => {
    const { statusCode, headers, body } = await request(`http://${host}:${port}${path}`, {
      dispatcher,
    })
    let bytes = 0
    const chunks = []
    for await (const chunk of body) {
      bytes += chunk.length
      if (bytes > MAX_BYTES) return { statusCode, headers }
      chunks.push(chunk)
    }
    return { statusCode, headers, text: Buffer.concat(chunks).toString('utf8') }
  }
  let next = 0
  let managed
  const started = performance.now()
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (next < domains) {
        const name = hostOf(next++)
        let { statusCode, headers, text } = await get(`/${name}${WELL_KNOWN}`)
        if (statusCode === 302)
          ({ text } = await get(`/${name}${new URL(headers.location).pathname}`))
        if (statusCode === 404) await get(`/${name}/ads.txt`)
        const file = text && statusCode !== 404 ? JSON.parse(text) : undefined
        // Fetched once, as the crawler keeps what several domains share.
        if (file?.authoritative_location) managed ??= get('/network.example/network.json')
        await managed
      }
    }),
  )
  await dispatcher.close()
  return domains / ((performance.now() - started) / 1_000)
}

async function addDomains(config, domains) {
  const storage = await openStorage(config)
  for (let start = 0; start < domains; start += 1_000) {
    const length = Math.min(1_000, domains - start)
    const names = Array.from({ length }, (_, n) => hostOf(start + n))
    await storage.transact((tx) => storage.crawl.add(tx, names, { foundBy: 'bench', at: 0 }))
  }
  await storage.close()
}

async function crawl(hosts, { config, domains, concurrency }) {
  const storage = await openStorage(config)
  const memory = []
  const done = async () => domains - (await storage.crawl.counts()).never
  const until = async (server, count) => {
    while ((await done()) < count) await sleep(100)
    memory.push(residentMb(server.child.pid))
  }
  const started = performance.now()
  const first = await startCrawler(hosts, { config, concurrency })
  await until(first, domains / 4)
  await until(first, domains / 2)
  const before = await storage.crawl.counts()
  first.child.removeAllListeners('exit')
  const ended = new Promise((resolve) => first.child.once('exit', resolve))
  first.child.kill('SIGKILL')
  await ended
  const after = await storage.crawl.counts()
  for (const status of ['valid', 'invalid', 'absent', 'failed']) {
    if (after[status] < before[status]) throw new Error(`the kill lost domains that were ${status}`)
  }
  const second = await startCrawler(hosts, { config, concurrency })
  await until(second, (domains * 3) / 4)
  await until(second, domains)
  const seconds = (performance.now() - started) / 1_000
  const counts = await storage.crawl.counts()
  console.log(`found: ${JSON.stringify(counts)}`)
  const good = counts.valid / domains
  if (good < 0.9) throw new Error(`only ${counts.valid} of ${domains} domains are valid`)
  await stopServer(second)
  await storage.close()
  return { rate: domains / seconds, memory }
}

function startCrawler(hosts, { config: { data, databaseUrl }, concurrency }) {
  const where = databaseUrl ? ['--database-url', databaseUrl] : ['--data', data]
  return startServer([CLI, 'serve', '--port', '0', ...where], {
    ADWIRE_EGRESS_HOSTS: `*.example=http://${hosts.host}:${hosts.port}/{host}`,
    ADWIRE_EGRESS_ALLOW: '127.0.0.0/8',
    ADWIRE_EGRESS_ALLOW_HTTP: 'true',
    ADWIRE_REGISTRY_VERIFY_CONCURRENCY: '0',
    ADWIRE_REGISTRY_CRAWL_CONCURRENCY: String(concurrency),
    ADWIRE_REGISTRY_CRAWL_PER_MINUTE: '1000000',
    ADWIRE_REGISTRY_CRAWL_GAP_MS: '0',
    ADWIRE_LOG_LEVEL: 'warn',
  })
}
