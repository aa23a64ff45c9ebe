// What outsiders may send to harm others, by name: each is sent to a server by `attacker.mjs` while
// `attacks.mjs` measures what others notice. Run in a thread of its own.
import { createSocket } from 'node:dgram'
import { connect } from 'node:net'
import { call, many, post, serving, tally } from './attack-calls.mjs'
import { LARGE_ATTACKS } from './large-attacks.mjs'

const MIB = 1_024 * 1_024

/** @type {Record<string, { about: string, run: (target: Target) => Promise<string> }>} */
export const ATTACKS = {
  'keyless-10mib': {
    about: 'one keyless POST of 10 MiB of small values',
    run: (to) => post(to, '/v3/preview_creative', smallValues(10 * MIB - 100)),
  },
  'keyless-10mib-x12': {
    about: 'twelve of them at once',
    run: (to) => many(12, () => post(to, '/v3/preview_creative', smallValues(10 * MIB - 100))),
  },
  'keyed-10mib': {
    about: 'one POST with a key of 10 MiB of small values',
    run: (to) => post(to, '/v3/preview_creative', smallValues(10 * MIB - 100), to.key),
  },
  'mcp-context': {
    about: 'a keyless call over MCP with a context of 9 MiB',
    run: (to) =>
      post(
        to,
        '/mcp',
        JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: {
            name: 'build_creative',
            arguments: { context: { a: Array(500_000).fill('<<<<<<<<<<<<') } },
          },
        }),
      ),
  },
  'a2a-unknown-skill': {
    about: '15 messages over A2A of 8 MB with a skill that there is not',
    run: (to) => many(15, () => post(to, '/a2a', message('no_such', 8e6), to.key)),
  },
  'svg-comments': {
    about: 'a picture of 780 bytes that an exponential expression would judge',
    run: (to) => post(to, '/v3/build_creative', build(to, dataPicture(comments(45))), to.key),
  },
  'svg-use': {
    about: 'an SVG of 80 KB that a quadratic expression would judge',
    run: (to) =>
      post(
        to,
        '/v3/build_creative',
        build(to, dataPicture(`<svg>${'use '.repeat(20_000)}`)),
        to.key,
      ),
  },
  'svg-filters': {
    about: 'an SVG of 1.2 KB with twelve filters, four at once',
    run: (to) =>
      many(4, () => post(to, '/v3/build_creative', build(to, dataPicture(filters())), to.key)),
  },
  'brand-logo': {
    about: "a stranger's brand document whose logo is the first picture",
    run: (to) =>
      serving({ '/b.json': brand({ logos: [{ url: '/l.png' }] }), '/l.png': comments(45) }, (at) =>
        post(to, '/v3/build_creative', buildFor(to, `${at}/b.json`), to.key),
      ),
  },
  'long-word': {
    about: 'a brand document with a disclaimer of 200 000 letters without a space',
    run: (to) =>
      serving(
        { '/b.json': brand({ disclaimers: [{ text: 'm'.repeat(200_000), required: true }] }) },
        (at) => post(to, '/v3/build_creative', buildFor(to, `${at}/b.json`), to.key),
      ),
  },
  'macro-bomb': {
    about: 'a page with {OS} 125 000 times, drawn with a value of 4 000 &',
    run: async (to) => {
      const made = await call(
        to,
        '/v3/preview_creative',
        preview(to, `<p>${'{OS}'.repeat(125_000)}</p>`),
        to.key,
      )
      const page = /\/previews\/[\w-]+(?=\/interactive)/.exec(made.text)?.[0]
      if (!page) return String(made.status)
      const drawn = await call(to, `${page}/render?OS=${'%26'.repeat(4_000)}`)
      return `${made.status} ${drawn.status}`
    },
  },
  'prompt-brackets': {
    about: 'a message of 20 KB: an address and brackets',
    run: (to) =>
      post(
        to,
        '/v3/build_creative',
        JSON.stringify({ ...JSON.parse(buildFor(to)), message: `https://a/${')'.repeat(20_000)}` }),
        to.key,
      ),
  },
  'search-x60': { about: '60 keyless searches at once', run: (to) => searches(to, 60) },
  'search-x230': { about: '230 keyless searches at once', run: (to) => searches(to, 230) },
  'feed-streams': {
    about: '200 streams of the change feed of one organisation that are never read',
    run: (to) => streams(to, 200),
  },
  'dead-names': {
    about: '40 webhooks to names that never resolve',
    run: (to) =>
      many(40, (n) =>
        post(
          to,
          '/v3/simulate_task',
          JSON.stringify({
            duration_seconds: 1,
            push_notification_config: { url: `https://n${n}.never.test/`, operation_id: `op-${n}` },
          }),
          to.key,
        ),
      ),
  },
  ...LARGE_ATTACKS,
}

/** A name server that never answers; the server under attack is configured to query it. */
export async function silentNameServer() {
  const socket = createSocket('udp4')
  await new Promise((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return { port: socket.address().port, close: () => socket.close() }
}

function smallValues(bytes) {
  return `{"signal_spec":"cars","deliver_to":{"x":[${'[],'.repeat((bytes - 60) / 3)}[]]}}`
}

function comments(count) {
  return `${'<!---->'.repeat(count)}x`
}

function filters() {
  const blur =
    '<feGaussianBlur stdDeviation="300"/><feTurbulence baseFrequency="0.9" numOctaves="40"/>'
  const all = Array.from({ length: 12 }, (_, n) => `<filter id="f${n}">${blur}</filter>`).join('')
  const marks = Array.from(
    { length: 12 },
    (_, n) => `<rect width="4000" height="4000" filter="url(#f${n})"/>`,
  ).join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" width="4000" height="4000">${all}${marks}</svg>`
}

function dataPicture(text) {
  return `data:image/png;base64,${Buffer.from(text).toString('base64')}`
}

function brand(members) {
  return JSON.stringify({ name: 'Acme', url: 'https://acme.example', ...members })
}

function formatId(to, id) {
  return { agent_url: `http://${to.host}:${to.port}`, id }
}

function build(to, url) {
  const format_id = formatId(to, 'display_300x250_image')
  return JSON.stringify({
    target_format_id: format_id,
    creative_manifest: {
      format_id,
      assets: { banner_image: { asset_type: 'image', url, width: 300, height: 250 } },
    },
  })
}

function buildFor(to, brand_manifest = { name: 'Acme', url: 'https://acme.example' }) {
  return JSON.stringify({
    target_format_id: formatId(to, 'display_300x250_image'),
    promoted_offerings: { brand_manifest },
  })
}

function preview(to, content) {
  const format_id = formatId(to, 'display_300x250_html')
  const assets = { html_creative: { asset_type: 'html', content } }
  return JSON.stringify({
    request_type: 'single',
    format_id,
    creative_manifest: { format_id, assets },
  })
}

function message(skill, bytes) {
  return JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'message/send',
    params: {
      message: {
        role: 'user',
        messageId: 'm1',
        parts: [
          { kind: 'data', data: { skill, parameters: { context: { a: 'x'.repeat(bytes) } } } },
        ],
      },
    },
  })
}

function searches(to, count) {
  const body = JSON.stringify({
    signal_spec: 'people in large cities who plan to buy an electric car and cook at home',
    deliver_to: { deployments: [{ type: 'platform', platform: 'sandbox' }], countries: ['US'] },
  })
  return many(count, () => post(to, '/v3/get_signals', body))
}

async function streams(to, count) {
  const answers = await Promise.all(
    Array.from({ length: count }, () => opened(to, '/api/registry/feed/stream')),
  )
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  for (const { socket } of answers) socket.destroy()
  return tally(answers.map(({ status }) => status))
}

function opened({ host, port, organizationKey }, path) {
  return new Promise((resolve) => {
    const socket = connect({ host, port })
    socket.once('connect', () =>
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${organizationKey}\r\n\r\n`,
      ),
    )
    socket.once('data', (chunk) => {
      socket.pause()
      resolve({ socket, status: chunk.toString('latin1', 9, 12) })
    })
    socket.once('error', () => resolve({ socket, status: 'cut' }))
    socket.once('close', () => resolve({ socket, status: 'cut' }))
  })
}
