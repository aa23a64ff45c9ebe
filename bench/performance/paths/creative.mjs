// Pictures of a server: builds a second of four callers, and the processor time of one preview, each with its workers.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CLI, startServer, stopServer, untilReady } from '../../support/processes.mjs'
import { treeCpuMs } from '../processor.mjs'
import { median } from '../rounds.mjs'

const KEY = `adw_${'b'.repeat(43)}`
const CALLERS = 4

export async function measure({ isQuick }) {
  const folder = mkdtempSync(join(tmpdir(), 'adwire-bench-'))
  const server = await startServer([CLI, 'serve', '--demo', '--port', '0', '--data', folder], {
    ADWIRE_CONSOLE: 'false',
    ADWIRE_LOG_LEVEL: 'error',
    ADWIRE_TASKS_PER_MINUTE: '10000000',
    ADWIRE_DEMO_KEY: KEY,
  })
  try {
    await untilReady(server)
    const turns = isQuick ? 2 : 6
    const builds = await repeatedly({ server, turns, each: 15 }, 'build_creative', buildOf)
    const previews = await repeatedly({ server, turns, each: 30 }, 'preview_creative', previewOf)
    return [
      { path: 'build a 300x250 picture', value: builds.rate, unit: '/s', least: 130 },
      { path: 'the same, processor time', value: builds.cpuMs, unit: 'ms' },
      { path: 'preview a creative, processor time', value: previews.cpuMs, unit: 'ms', most: 3 },
    ]
  } finally {
    await stopServer(server)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The median of some turns; the first warms up. Every creative is another one: equal ones would be drawn once. */
async function repeatedly({ server, turns, each }, task, requestOf) {
  const found = []
  let next = 0
  for (let turn = 0; turn <= turns; turn++) {
    const before = treeCpuMs(server.child.pid)
    const began = performance.now()
    const one = async () => {
      for (let n = 0; n < each; n++) await call(server, task, requestOf(server, next++))
    }
    await Promise.all(Array.from({ length: CALLERS }, one))
    const count = each * CALLERS
    const rate = (count * 1_000) / (performance.now() - began)
    const cpuMs = (treeCpuMs(server.child.pid) - before) / count
    if (turn > 0) found.push({ rate, cpuMs })
  }
  return {
    rate: median(found.map(({ rate }) => rate)),
    cpuMs: median(found.map(({ cpuMs }) => cpuMs)),
  }
}

async function call({ host, port }, task, body) {
  const answer = await fetch(`http://${host}:${port}/v3/${task}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${KEY}` },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${task} answered ${answer.status}: ${text.slice(0, 500)}`)
}

function formatOf({ host, port }) {
  return { agent_url: `http://${host}:${port}`, id: 'display_300x250_image' }
}

function buildOf(server, n) {
  const brand_manifest = {
    name: 'Northwind Outfitters',
    url: 'https://northwind.example',
    colors: { primary: '#0A5C36', secondary: '#F2B705' },
  }
  const inline_offerings = [
    { name: `Trail collection ${n}`, description: 'For long days outside.' },
  ]
  return {
    target_format_id: formatOf(server),
    creative_manifest: {
      format_id: formatOf(server),
      assets: { promoted_offerings: { brand_manifest, inline_offerings } },
    },
  }
}

function previewOf(server, n) {
  const format_id = formatOf(server)
  const banner_image = {
    asset_type: 'image',
    url: `https://northwind.example/banner-${n}.png`,
    width: 300,
    height: 250,
  }
  const click_url = {
    asset_type: 'url',
    url_type: 'clickthrough',
    url: `https://northwind.example/${n}`,
  }
  return {
    request_type: 'single',
    format_id,
    output_format: 'url',
    creative_manifest: { format_id, assets: { banner_image, click_url } },
  }
}
