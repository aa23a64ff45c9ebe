// A media buy from the product to its final report, in half a minute: the clock goes from hour to hour as soon as
// the hour's report has come.
//
//   npm run build && node examples/media-buy/run.mjs

import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApp, makeConfig } from 'adwire'

const HOUR_MS = 3_600_000
const clock = clockFromFullHour()

// The seller, with the products of the demo and a simulated ad server whose figures are there at once.
const place = mkdtempSync(join(tmpdir(), 'media-buy-'))
const seller = await createApp(
  makeConfig({
    data: place,
    port: 0,
    demo: true,
    demoKey: 'adw_example_key_0123456789abcdef',
    egressAllow: ['127.0.0.0/8'],
    egressAllowHttp: true,
    logLevel: 'error',
    simulatedDelayMinutes: 0,
    simulatedLatePercent: 0,
    reportCorrectionHours: 1,
    signalsModel: false,
    warmUp: false,
  }),
)
await seller.start()
const { key } = await seller.createPrincipal({ name: 'Buyer' })

// The buyer, which receives reports. docs/receiving-webhooks.md has one that verifies signatures and survives a
// crash.
const reports = []
const keys = new Set()
const buyer = createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const { idempotency_key, result } = JSON.parse(Buffer.concat(chunks))
  // A webhook may come twice, under one key.
  if (!keys.has(idempotency_key)) reports.push(result)
  keys.add(idempotency_key)
  response.end()
}).listen(0, '127.0.0.1')
await once(buyer, 'listening')

const { products } = await call('get_products', { brief: 'front page of a newspaper' })
const [product] = products
console.log(`found ${product.product_id}: ${product.name}`)

const creative = {
  creative_id: 'banner-1',
  name: 'Banner',
  format_id: formatNamed('display_300x250_image'),
  assets: {
    banner_image: { url: 'https://brand.example/banner.png', width: 300, height: 250 },
    click_url: { url: 'https://brand.example/' },
  },
}
const { media_buy_id, media_buy_status } = await call('create_media_buy', {
  start_time: 'asap',
  end_time: new Date(Math.floor(Date.now() / HOUR_MS + 3) * HOUR_MS).toISOString(),
  packages: [
    {
      product_id: product.product_id,
      budget: 600,
      creatives: [creative],
      pricing_option_id: product.pricing_options[0].pricing_option_id,
    },
  ],
  reporting_webhook: {
    url: `http://127.0.0.1:${buyer.address().port}/reports`,
    reporting_frequency: 'hourly',
  },
})
assert.equal(media_buy_status, 'active')
console.log(`bought ${media_buy_id}`)

for (let hours = 0; !reports.some(isFinal); hours++) {
  assert(hours < 12, 'there was no final report within twelve hours')
  const before = reports.length
  clock.forward(HOUR_MS)
  // An hour that only settles what was reported has no report of its own.
  await until(() => reports.length > before, hours < 3 ? 30_000 : 6_000)
}
for (const { sequence_number, notification_type, reporting_period, ...report } of reports) {
  const [{ totals }] = report.media_buy_deliveries
  const hours = [reporting_period.start, reporting_period.end].map((time) => time.slice(11, 16))
  const what = `${sequence_number} ${notification_type.padEnd(9)} ${hours.join(' to ')}`
  console.log(`report ${what}: ${totals.impressions} impressions, ${totals.spend} spent`)
}

// Nothing is missing: every report once, one final, and its sums are those of the snapshot and of the hours.
assert.deepEqual(
  reports.map(({ sequence_number }) => sequence_number),
  reports.map((_, index) => index + 1),
)
assert.deepEqual(reports.map(isFinal), [...reports.slice(1).map(() => false), true])
const hourly = reports.filter(({ notification_type }) => notification_type === 'scheduled')
assert.equal(hourly.length, 3)
const delivery = await call('get_media_buy_delivery', { media_buy_ids: [media_buy_id] })
const [snapshot] = delivery.media_buy_deliveries
assert.equal(impressionsOf(reports.at(-1)), snapshot.totals.impressions)
assert.equal(
  hourly.reduce((sum, report) => sum + impressionsOf(report), 0),
  snapshot.totals.impressions,
)
// The seller sees within seconds that the last report was taken.
const healthNow = async () =>
  (await call('get_reporting_status', { media_buy_ids: [media_buy_id] })).health
await until(async () => (await healthNow()) === 'complete', 10_000)
console.log(`the sum of the hours is the snapshot, and reporting is ${await healthNow()}`)

await seller.stop()
buyer.closeAllConnections()
buyer.close()
rmSync(place, { recursive: true })

async function call(task, request) {
  const response = await fetch(`${seller.url()}/v3/${task}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(request),
  })
  const body = await response.json()
  assert.equal(body.status, 'completed', JSON.stringify(body))
  return body
}

function formatNamed(id) {
  return { agent_url: seller.url(), id }
}

function isFinal({ notification_type }) {
  return notification_type === 'final'
}

function impressionsOf({ media_buy_deliveries: [{ totals }] }) {
  return totals.impressions
}

async function until(isSo, mostMs) {
  for (let waited = 0; !(await isSo()) && waited < mostMs; waited += 100) await sleep(100)
}

/** The time of this process, seller's and buyer's, from the next full hour on: it can be put forward. */
function clockFromFullHour() {
  const { now } = Date
  const elapsed = performance.now.bind(performance)
  let ahead = HOUR_MS - (now() % HOUR_MS)
  Date.now = () => now() + ahead
  // This one too: a server does not follow the time of day when it jumps.
  performance.now = () => elapsed() + ahead
  return {
    forward: (ms) => {
      ahead += ms
    },
  }
}
