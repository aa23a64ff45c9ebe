import { readdirSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import fastify, { type FastifyInstance } from 'fastify'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenStills, openStills } from '../../src/app/open-stills.ts'
import { previewCreative } from '../../src/creative/preview-creative.ts'
import { createMakePreviews } from '../../src/creative/rendering/make-previews.ts'
import { showPreview } from '../../src/creative/rendering/show-preview.ts'
import { createDrawStills } from '../../src/creative/stills/draw-stills.ts'
import { RELEASES } from '../../src/protocol/releases/releases.ts'
import type { CreativeManifest } from '../../src/protocol/schemas/creative-manifest.ts'
import type {
  PreviewCreativeRequest,
  PreviewCreativeResponse,
} from '../../src/protocol/schemas/preview-creative.ts'
import { createPreviewStore } from '../../src/storage/stores/creatives/previews.ts'
import { previewRoutes } from '../../src/transports/http/preview-routes.ts'
import { AGENT, banner, EVERY_KIND, html5 } from '../creative/rendering/creatives.ts'
import { BROWSER_TITLE, CHROMIUM } from '../support/browser.ts'
import { catalogue, inProcessWorkerPool } from '../support/creative.ts'
import { type TestDatabase, testDatabase } from '../support/databases.ts'

const canaryHits: string[] = []
const jobs: string[] = []
const gone: string[] = []
const profiles = () => readdirSync(tmpdir()).filter((name) => name.startsWith('adwire-browser-'))
const before = new Set(profiles())
let opened: TestDatabase
let stills: OpenStills
let server: FastifyInstance
let canary: Server
let canaryUrl: string
let ask: (request: PreviewCreativeRequest) => Promise<PreviewCreativeResponse>

describe.skipIf(!CHROMIUM)(`still pictures ${BROWSER_TITLE}`, () => {
  beforeAll(async () => {
    opened = await testDatabase('sqlite')
    const log = { info: () => {}, warn: () => {}, error: () => {} } as never
    stills = openStills({
      config: { chromium: CHROMIUM, chromiumProcesses: 1, chromiumMemoryMb: 1_024 },
      log,
      // Wide, so that only what hangs is ended on a machine that has much else to do.
      maxStillMs: 15_000,
      metrics: {
        worked: ({ outcome }) => jobs.push(outcome),
        workerGone: (reason) => gone.push(reason),
      },
    }) as OpenStills
    const red = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#f00' } })
      .png()
      .toBuffer()
    const egress = {
      fetch: async ({ url }: { url: string }) => {
        const headers = { 'content-type': 'image/png' }
        return { ok: true, status: 200, headers, body: red, url, truncated: false, durationMs: 1 }
      },
    }
    const ownAsset = async () => undefined
    const previews = createPreviewStore(opened.database)
    const workerPool = inProcessWorkerPool()
    const drawStills = createDrawStills({
      browser: stills.browser,
      egress: egress as never,
      ownAsset,
    })
    const makePreviews = createMakePreviews({
      catalogue: catalogue(),
      previews,
      workerPool,
      drawStills,
      publicUrl: () => AGENT,
      onFault: () => {},
    })
    const ports = { publicUrl: () => AGENT, ownAgentUrls: [] }
    const { transact } = opened.database
    const task = previewCreative({ ...ports, makePreviews, transact })
    const version = RELEASES.version('unversioned')
    const call = { calledOn: AGENT, version, signal: new AbortController().signal } as never
    ask = async (request) => (await task.handle(request, call)) as PreviewCreativeResponse
    server = fastify()
    previewRoutes(showPreview({ previews, workerPool }))(server)
    canary = createServer((request, response) => {
      canaryHits.push(`${request.method} ${request.url}`)
      response.setHeader('access-control-allow-origin', '*').end('')
    })
    await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve))
    canaryUrl = `http://127.0.0.1:${(canary.address() as AddressInfo).port}`
  })
  afterAll(async () => {
    await stills?.close()
    await server?.close()
    canary?.close()
    await opened?.drop()
    // Its profile goes with a browser.
    expect(profiles().filter((name) => !before.has(name))).toEqual([])
  })

  const single = (creative_manifest: CreativeManifest, more = {}) =>
    ask({ request_type: 'single', output_format: 'image', creative_manifest, ...more })

  /** As it is served. */
  async function pictureOf(response: PreviewCreativeResponse, at = 0) {
    const url = new URL(response.previews[at]?.preview_url ?? '')
    const answer = await server.inject(url.pathname)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
    })
    const { data, info } = await sharp(answer.rawPayload)
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const pixel = (x: number, y: number) => [
      ...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3),
    ]
    return { width: info.width, height: info.height, pixel, pixels: data.toString('base64') }
  }

  test('spec 2.5: of markup and its script, an image, a batch and a native ad', async () => {
    const script = `<body style="margin:0;background:#00f"><script>document.body.style.background='#0f0'</script>`
    const requests = [
      { creative_manifest: html5(script) },
      { creative_manifest: banner(), quality: 'production' },
      { creative_manifest: html5('<p>as a page</p>'), output_format: 'url' },
    ]
    const answer = await ask({ request_type: 'batch', output_format: 'image', requests })
    expect(answer.results?.map(({ success }) => success)).toEqual([true, true, true])
    const drawn = await pictureOf(answer)
    expect(drawn).toMatchObject({ width: 300, height: 250 })
    expect([drawn.pixel(2, 2), drawn.pixel(297, 247)]).toEqual([
      [0, 255, 0],
      [0, 255, 0],
    ])
    const image = await pictureOf(answer, 1)
    expect(image).toMatchObject({ width: 600, height: 500 })
    expect([image.pixel(4, 4), image.pixel(595, 495)]).toEqual([
      [255, 0, 0],
      [255, 0, 0],
    ])
    expect(answer.previews[2]?.preview_url).not.toContain('.png')
    const [, , native] = EVERY_KIND.find(([kind]) => kind === 'native') ?? []
    const card = await single(native as CreativeManifest)
    const { width, height } = await pictureOf(card)
    expect(card.previews[0]?.renders[0]?.dimensions).toEqual({ width, height })
  })

  test.each([
    ['Japanese', '東京都', '大阪府'],
    ['Korean', '서울시', '부산시'],
    ['Arabic', 'قهوة', 'شاي'],
    ['Hebrew', 'קפה', 'מאפ'],
    ['Hindi', 'चाय', 'दूध'],
    ['Thai', 'ชา', 'ยา'],
  ])('spec 2.5: %s is set in letters, whatever fonts the machine has', async (_, one, other) => {
    const drawn = async (content: string) => {
      const [, , mention] = EVERY_KIND.find(([kind]) => kind === 'text') ?? []
      const { assets, ...rest } = mention as CreativeManifest
      const mention_text = { asset_type: 'text' as const, content }
      return pictureOf(await single({ ...rest, assets: { ...assets, mention_text } }))
    }
    const [first, again, second] = [await drawn(one), await drawn(one), await drawn(other)]
    expect(again.pixels).toBe(first.pixels)
    // Boxes in place of letters would look alike.
    expect(second.pixels).not.toBe(first.pixels)
  })

  test('a creative reaches no network, by whatever way, and no file', async () => {
    const host = new URL(canaryUrl).host
    const way = `
      const told = () => { document.body.style.background = '#f00' }
      fetch('${canaryUrl}/fetch').then(told, () => {}); new Image().src = '${canaryUrl}/image'
      try { new WebSocket('ws://${host}/socket') } catch {}
      navigator.sendBeacon('${canaryUrl}/beacon', 'x')
      const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:${host}' }, { urls: 'turn:${host}?transport=tcp', username: 'a', credential: 'b' }] })
      peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer))
      new Worker(URL.createObjectURL(new Blob(["fetch('${canaryUrl}/worker')"])))
      for (const [tag, member] of [['script', 'src'], ['iframe', 'src'], ['video', 'src'], ['object', 'data'], ['link', 'href']]) {
        const made = document.createElement(tag); made[member] = '${canaryUrl}/' + tag; made.rel = 'prefetch'; made.hidden = true; document.body.append(made)
      }
      const file = document.createElement('iframe'); file.hidden = true; file.src = 'file:///etc/passwd'; document.body.append(file)
      peer.onicecandidate = ({ candidate }) => { if (candidate) told('a peer sees ' + candidate.candidate) }
`
    const answer = await single(
      html5(
        `<base href="${canaryUrl}/"><body style="margin:0;background:#0f0"><img hidden src="${canaryUrl}/img"><script>${way}</script></body>`,
      ),
    )
    const { pixel } = await pictureOf(answer)
    expect(pixel(150, 125)).toEqual([0, 255, 0])
    await single(html5(`<script>location.href = '${canaryUrl}/leave'</script>`))
    expect(canaryHits).toEqual([])
    // The canary receives every request.
    await fetch(`${canaryUrl}/heard`)
    expect(canaryHits).toEqual(['GET /heard'])
  })

  test('one that never ends, and one that takes all memory, is ended, and the next is drawn', async () => {
    const requests = [
      { creative_manifest: html5('<script>for(;;);</script>') },
      {
        creative_manifest: html5(
          '<script>const all=[];for(;;)all.push(new Uint8Array(5e7).fill(1))</script>',
        ),
      },
      { creative_manifest: html5('<body style="margin:0;background:#00f">') },
    ]
    const answer = await ask({ request_type: 'batch', output_format: 'image', requests })
    expect(answer.results?.map(({ success }) => success)).toEqual([false, false, true])
    expect(answer.results?.[0]?.errors?.[0]?.message).toContain('more time')
    expect(gone[0]).toBe('too_long')
    expect(['too_large', 'crashed']).toContain(gone[1])
    expect((await pictureOf(answer)).pixel(150, 125)).toEqual([0, 0, 255])
  })

  test('a tall one is whole, and one that is larger than a picture is drawn smaller', async () => {
    const markup = `<body style="margin:0"><div style="height:6000px;background:linear-gradient(#f00 0 50%,#00f 50%)"></div>`
    const manifest = {
      format_id: { agent_url: AGENT, id: 'display_html', width: 100, height: 6_000 },
      assets: { html_creative: { asset_type: 'html' as const, content: markup } },
    }
    const { width, height, pixel } = await pictureOf(await single(manifest))
    expect(height).toBe(4_096)
    expect(width).toBe(68)
    expect([pixel(30, 10), pixel(30, 4_080)]).toEqual([
      [255, 0, 0],
      [0, 0, 255],
    ])
  })

  test('an address of a page is no picture, and that of a picture no page', async () => {
    const page = await single(banner(), { output_format: 'url' })
    const picture = await single(banner())
    const path = (answer: PreviewCreativeResponse) =>
      new URL(answer.previews[0]?.preview_url ?? '').pathname
    expect((await server.inject(`${path(page)}.png`)).statusCode).toBe(404)
    expect((await server.inject(path(picture).replace('.png', ''))).statusCode).toBe(404)
    expect((await server.inject(path(page))).statusCode).toBe(200)
  })
})
