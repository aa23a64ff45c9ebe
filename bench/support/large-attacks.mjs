// Calls that are valid, and large: what multiplies is at its limits. Part of `attacks.mjs`.
import { connect } from 'node:net'
import { call, many, post, serving, tally } from './attack-calls.mjs'
import { IMAGE, imageCreative, inDays, offersIn, purchase } from './large-requests.mjs'

const PACKAGES = 100
const CREATIVES = 100

/** @type {Record<string, { about: string, run: (target: Target) => Promise<string> }>} */
export const LARGE_ATTACKS = {
  'delivery-hourly': {
    about: 'the hours of 400 days of 100 packages, eight times at once',
    run: async (to) => {
      const old = await task(to, 'create_media_buy', await buy(to, PACKAGES, { startDays: -400 }))
      const made = old.media_buy_id
        ? old
        : await task(to, 'create_media_buy', await buy(to, PACKAGES))
      const body = { media_buy_ids: [made.media_buy_id], time_granularity: 'hourly' }
      const requested = await many(8, () =>
        post(to, '/v3/get_media_buy_delivery', text(body), to.key),
      )
      return `${old.media_buy_id ? 'the buy was made' : 'an old start was refused'}; ${requested}`
    },
  },
  'old-reports': {
    about: 'a buy that began 1,090 days ago, with hourly reports',
    run: (to) =>
      serving({}, async (at) => {
        const hook = { url: `${at}/reports`, reporting_frequency: 'hourly' }
        const old = await buy(to, 1, { startDays: -1_090, reporting_webhook: hook })
        const answered = await post(to, '/v3/create_media_buy', text(old), to.key)
        await new Promise((resolve) => setTimeout(resolve, 10_000))
        return answered
      }),
  },
  assignments: {
    about: '100 packages with 100 creatives each, then six of each call about them',
    run: async (to) => {
      const creatives = Array.from({ length: CREATIVES }, (_, n) =>
        imageCreative(`large-${n}`, formatId(to, IMAGE)),
      )
      await task(to, 'sync_creatives', { creatives })
      const creative_ids = creatives.map(({ creative_id }) => creative_id)
      const made = await task(to, 'create_media_buy', await buy(to, PACKAGES))
      const { media_buy_id } = made
      const packages = made.packages?.map(({ package_id }) => ({ package_id, creative_ids }))
      const update = text({ media_buy_id, packages })
      const filled = await post(to, '/v3/update_media_buy', update, to.key)
      const again = await many(6, () => post(to, '/v3/update_media_buy', update, to.key))
      const listing = text({ include_assignments: true, pagination: { max_results: 100 } })
      const listed = await many(6, () => post(to, '/v3/list_creatives', listing, to.key))
      const synced = await many(6, () =>
        post(to, '/v3/sync_creatives', text({ creatives }), to.key),
      )
      return `${filled}; ${again}; ${listed}; ${synced}`
    },
  },
  'unread-batches': {
    about: '100 keyless MCP batches of 50 tools/list whose answers are not read',
    run: async (to) => {
      const batch = text(
        Array.from({ length: 50 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list' })),
      )
      const sockets = Array.from({ length: 100 }, () => unread(to, '/mcp', batch))
      const statuses = await Promise.all(sockets.map(({ status }) => status))
      for (const { socket } of sockets) socket.destroy()
      return tally(statuses)
    },
  },
  'huge-budget': {
    about: 'buys with a budget of 1e303',
    run: async (to) => {
      const body = await buy(to, 1)
      const packages = body.packages.map((one) => ({ ...one, budget: 1e303 }))
      return many(4, () =>
        post(to, '/v3/create_media_buy', text({ ...body, packages, buyer_ref: ref() }), to.key),
      )
    },
  },
  'slow-logos': {
    about: 'six logos with twenty filter steps each',
    run: (to) =>
      many(6, (n) => {
        const svg = Buffer.from(slowLogo(n)).toString('base64')
        const url = `data:image/svg+xml;base64,${svg}`
        const brand_manifest = { name: 'Acme', url: 'https://acme.example', logos: [{ url }] }
        const target_format_id = formatId(to, IMAGE)
        const body = { target_format_id, promoted_offerings: { brand_manifest } }
        return post(to, '/v3/build_creative', text(body), to.key)
      }),
  },
  'many-buys': {
    about: '30 buys with 100 packages each, listed eight times at once',
    run: async (to) => {
      const body = await buy(to, PACKAGES)
      for (let n = 0; n < 30; n++) {
        await task(to, 'create_media_buy', { ...body, buyer_ref: ref() })
      }
      const listing = text({ pagination: { max_results: 100 }, include_snapshot: true })
      return many(8, () => post(to, '/v3/get_media_buys', listing, to.key))
    },
  },
  'called-agent': {
    about: 'an agent called four times, each answer 4 MB of {}',
    run: (to) => {
      const objects = `{"jsonrpc":"2.0","id":1,"result":{"x":[${'{},'.repeat(1_300_000)}{}]}}`
      return serving({ '/mcp': objects }, (at) =>
        many(4, () => {
          const body = { agent_url: `${at}/mcp`, task: 'get_signals', params: {} }
          return post(to, '/v3/call_proto_agent', text(body), to.callerKey)
        }),
      )
    },
  },
  'keyless-previews': {
    about: 'a preview drawn without a key over 24 connections',
    run: async (to) => {
      const format_id = formatId(to, 'display_300x250_html')
      const assets = { html_creative: { asset_type: 'html', content: '<p>{CITY}</p>' } }
      const creative_manifest = { format_id, assets }
      const request = { request_type: 'single', format_id, creative_manifest }
      const made = await call(to, '/v3/preview_creative', text(request), to.key)
      const page = /\/previews\/[\w-]+(?=\/interactive)/.exec(made.text)?.[0]
      if (!page) return String(made.status)
      return many(240, (n) => post(to, `${page}/render?CITY=Town${n}`))
    },
  },
}

const text = JSON.stringify
const ref = () => `large-${Math.random()}`

function formatId(to, id) {
  return { agent_url: `http://${to.host}:${to.port}`, id }
}

async function task(to, name, body) {
  const answer = await call(to, `/v3/${name}`, text(body), to.key)
  try {
    return JSON.parse(answer.text)
  } catch {
    return {}
  }
}

async function buy(to, packages, { startDays, ...members } = {}) {
  const products = await task(to, 'get_products', { pagination: { max_results: 50 } })
  const start = startDays === undefined ? {} : { start_time: inDays(startDays) }
  return purchase(offersIn(products), { packages, days: 60, ...start, ...members })
}

function slowLogo(n) {
  const step = (at) => `<feMorphology operator="dilate" radius="${40 + ((at + n) % 7)}"/>`
  const steps = Array.from({ length: 20 }, (_, at) => step(at)).join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 1000"><filter id="f">${steps}</filter><rect width="1000" height="1000" filter="url(#f)"/></svg>`
}

/** A request whose answer is never read beyond its status. */
function unread({ host, port }, path, body) {
  const socket = connect({ host, port })
  socket.once('connect', () =>
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
        `Accept: application/json, text/event-stream\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    ),
  )
  const status = new Promise((resolve) => {
    const end = () => resolve('cut off')
    socket.once('error', end)
    socket.once('close', end)
    setTimeout(() => resolve('no answer'), 20_000)
    socket.once('data', (chunk) => {
      socket.pause()
      resolve(chunk.toString('latin1', 9, 12))
    })
  })
  return { socket, status }
}
