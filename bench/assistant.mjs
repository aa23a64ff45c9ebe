// What an assistant has in its context after six typical jobs over MCP: the tools and instructions that it reads once,
// and its calls with their responses, each counted once (a result also contains its text as JSON). The same calls are
// made on this build and, with --cli FILE, on another one.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { CLI, startServer, stopServer, untilReady } from './support/processes.mjs'

const QUIET = { ADWIRE_LOG_LEVEL: 'error', ADWIRE_SIGNALS_MODEL: 'false' }
const DAY_MS = 86_400_000
const MAX_POLLS = 20
const POLL_MS = 500

export async function run(flags) {
  const { values } = parseArgs({
    args: flags,
    options: { cli: { type: 'string' }, verbose: { type: 'boolean', default: false } },
  })
  const builds = [...(values.cli ? [['other build', values.cli]] : []), ['this build', CLI]]
  const columns = []
  for (const [title, cli] of builds) columns.push([title, await measure(cli, values.verbose)])
  print(columns)
}

async function measure(cli, isVerbose) {
  const folder = mkdtempSync(join(tmpdir(), 'adwire-bench-'))
  const server = await startServer([cli, 'serve', '--demo', '--port', '0', '--data', folder], QUIET)
  try {
    await untilReady(server)
    return await doJobs(await assistantOf(server, isVerbose))
  } finally {
    await stopServer(server)
    rmSync(folder, { recursive: true, force: true })
  }
}

async function assistantOf({ host, port, output }, isVerbose) {
  const url = `http://${host}:${port}`
  const key = /demo key: (\S+)/.exec(output())?.[1]
  let bytes = 0
  let calls = 0
  const rpc = async (method, params) => {
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const { result, error } = await response.json()
    if (!result) throw new Error(`${method}: ${JSON.stringify(error)}`)
    return result
  }
  const count = (value) => {
    bytes += Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value))
  }
  return {
    url,
    readTools: async () => {
      count((await rpc('initialize', { protocolVersion: '2025-06-18' })).instructions ?? '')
      count((await rpc('tools/list', {})).tools)
    },
    call: async (name, given) => {
      const { content, structuredContent, isError } = await rpc('tools/call', {
        name,
        arguments: given,
      })
      const text = content[0].text
      if (isVerbose) console.log(`  ${name}: ${Buffer.byteLength(text)} bytes`)
      if (isError) throw new Error(`${name} was refused: ${text}`)
      count(given)
      count(text)
      calls += 1
      return structuredContent
    },
    take: () => {
      const taken = { bytes, calls }
      bytes = 0
      calls = 0
      return taken
    },
  }
}

const JOBS = [
  'Read the tools, once',
  'Find a format, build a banner',
  'Preview it',
  'Find and activate an audience',
  'Create a media buy',
  'Check its delivery',
  'Find out why a webhook failed',
]

async function doJobs(assistant) {
  const results = new Map()
  const job = async (name, work) => {
    const made = await work()
    results.set(name, assistant.take())
    return made
  }
  const [tools, banner, preview, audience, buy, delivery, webhook] = JOBS
  await job(tools, () => assistant.readTools())
  const built = await job(banner, () => buildBanner(assistant))
  await job(preview, () => assistant.call('preview_creative', { request_type: 'single', ...built }))
  await job(audience, () => activateAudience(assistant))
  const bought = await job(buy, () => buyMedia(assistant, built))
  await job(delivery, () =>
    assistant.call('get_media_buy_delivery', { media_buy_ids: [bought.media_buy_id] }),
  )
  await failedWebhook(assistant, bought)
  await job(webhook, () => assistant.call('get_media_buys', activityOf(bought)))
  return results
}

let keys = 0
function newKey() {
  keys += 1
  return `assistant-${Date.now()}-${keys}`
}

async function buildBanner({ call }) {
  const { formats } = await call('list_creative_formats', { type: 'display', detail: 'summary' })
  const { format_id } = formats.find((format) => format.format_id.id === 'display_300x250_image')
  const { creative_manifest } = await call('build_creative', {
    target_format_id: format_id,
    message: 'A summer sale of tents: 40 % off until Sunday',
    brand: { domain: 'acmeoutdoor.example' },
    idempotency_key: newKey(),
  })
  return { format_id, creative_manifest }
}

async function activateAudience({ call }) {
  const deployments = [{ type: 'platform', platform: 'the-trade-desk' }]
  const { signals } = await call('get_signals', {
    signal_spec: 'people about to buy an electric car',
    deliver_to: { deployments, countries: ['US'] },
    max_results: 5,
  })
  const { signal_agent_segment_id } = signals[0]
  const { task_id } = await call('activate_signal', {
    signal_agent_segment_id,
    deployments,
    idempotency_key: newKey(),
  })
  if (task_id !== undefined) await call('get_task_status', { task_id })
}

async function buyMedia({ call, url }, { format_id, creative_manifest }) {
  const { products } = await call('get_products', {
    buying_mode: 'brief',
    brief: 'display banners on news sites',
  })
  const product = products.find(({ format_ids }) =>
    format_ids.some(({ id }) => id === format_id.id),
  )
  const { media_buy_id, packages } = await call('create_media_buy', {
    brand: { domain: 'acmeoutdoor.example' },
    account: { brand: { domain: 'acmeoutdoor.example' }, operator: 'agency.example' },
    packages: [
      {
        product_id: product.product_id,
        pricing_option_id: product.pricing_options[0].pricing_option_id,
        budget: 5_000,
      },
    ],
    start_time: 'asap',
    end_time: new Date(Date.now() + 30 * DAY_MS).toISOString(),
    // A receiver of the demo that answers 503.
    push_notification_config: { url: `${url}/demo/receivers/busy`, operation_id: 'op_1' },
    idempotency_key: newKey(),
  })
  await call('sync_creatives', {
    creatives: [{ creative_id: 'tents', ...creative_manifest }],
    assignments: [{ creative_id: 'tents', package_id: packages[0].package_id }],
    idempotency_key: newKey(),
  })
  return { media_buy_id }
}

function activityOf({ media_buy_id }) {
  return { media_buy_ids: [media_buy_id], include_webhook_activity: true }
}

/** Waits until the webhook about the new status of the buy has failed; what is read meanwhile is not counted. */
async function failedWebhook({ call, take }, bought) {
  for (let poll = 0; poll < MAX_POLLS; poll++) {
    const { media_buys } = await call('get_media_buys', activityOf(bought))
    take()
    if (media_buys[0]?.webhook_activity?.some(({ status }) => status === 'failed')) return
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  throw new Error('no webhook has failed')
}

function print(columns) {
  const titles = columns.flatMap(([title]) => [`${title}, bytes`, 'calls'])
  console.log(['job'.padEnd(32), ...titles.map((title) => title.padStart(20))].join(''))
  for (const name of JOBS) {
    const figures = columns.flatMap(([, results]) => {
      const { bytes, calls } = results.get(name)
      return [bytes, calls]
    })
    row(name, figures)
  }
  const sums = columns.flatMap(([, results]) => {
    const all = [...results.values()]
    return [sum(all.map(({ bytes }) => bytes)), sum(all.map(({ calls }) => calls))]
  })
  row('together', sums)
}

function row(name, figures) {
  console.log([name.padEnd(32), ...figures.map((figure) => String(figure).padStart(20))].join(''))
}

function sum(values) {
  return values.reduce((total, value) => total + value, 0)
}
