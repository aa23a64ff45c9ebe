import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MAX_STILLS } from '../../../src/creative/limits.ts'
import { previewCreative } from '../../../src/creative/preview-creative.ts'
import type { Found, PreviewContent } from '../../../src/creative/preview-store.ts'
import { createMakePreviews } from '../../../src/creative/rendering/make-previews.ts'
import { createDrawStills } from '../../../src/creative/stills/draw-stills.ts'
import type { StillBrowser } from '../../../src/creative/stills/still-browser.ts'
import type { StillRequest } from '../../../src/lib/browser/take-still.ts'
import { WorkerPoolError } from '../../../src/lib/worker-pool/worker-pool-error.ts'
import { ManyErrors, ProtocolError } from '../../../src/protocol/errors.ts'
import { RELEASES } from '../../../src/protocol/releases/releases.ts'
import {
  type PreviewCreativeRequest,
  type PreviewCreativeResponse,
  previewCreativeRequest,
  previewCreativeResponse,
} from '../../../src/protocol/schemas/preview-creative.ts'
import { createPreviewStore } from '../../../src/storage/stores/creatives/previews.ts'
import { catalogue, inProcessWorkerPool } from '../../support/creative.ts'
import { type TestDatabase, testDatabase } from '../../support/databases.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { AGENT, banner, EVERY_KIND, html5 } from '../rendering/creatives.ts'

const clock = fakeClock()
const workerPool = inProcessWorkerPool()
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
let opened: TestDatabase

beforeAll(async () => {
  opened = await testDatabase('sqlite', { clock })
})
afterAll(() => opened.drop())

interface StandIn {
  take?: StillBrowser['take']
  fetch?: (request: { url: string }) => { status: number; mediaType: string } | undefined
  hasBrowser?: boolean
}

/** The real task, store and pages, with a browser that answers at once. */
function agent({ take, fetch = () => IMAGE, hasBrowser = true }: StandIn = {}) {
  const taken: StillRequest[] = []
  const fetched: string[] = []
  const browser: StillBrowser = {
    atOnce: 2,
    take: async (request, by) => {
      taken.push(request)
      const { width, height } = request
      return take ? take(request, by) : { png: PNG, width, height, isCut: false }
    },
  }
  const egress = {
    fetch: async (request: { url: string }) => {
      fetched.push(request.url)
      const answer = fetch(request)
      if (!answer) return { ok: false as const, code: 'timeout' as const, message: 'too slow' }
      const headers = { 'content-type': answer.mediaType }
      const common = { url: request.url, truncated: false, durationMs: 1, headers }
      return { ok: true as const, status: answer.status, body: Buffer.from('bytes'), ...common }
    },
  }
  const own = `${AGENT}/assets/own.png`
  const drawStills = createDrawStills({
    browser,
    egress: egress as never,
    ownAsset: async (url) =>
      url === own ? { mediaType: 'image/png', bytes: Buffer.from('own') } : undefined,
  })
  const store = createPreviewStore(opened.database, { clock })
  const task = previewCreative({
    makePreviews: createMakePreviews({
      catalogue: catalogue(),
      previews: store,
      publicUrl: () => AGENT,
      workerPool,
      onFault: (error) => {
        throw error
      },
      drawStills: hasBrowser ? drawStills : undefined,
    }),
    transact: opened.database.transact,
    publicUrl: () => AGENT,
    ownAgentUrls: [],
  })
  const version = RELEASES.version('unversioned')
  const call = { calledOn: AGENT, version, signal: new AbortController().signal } as never
  const preview = async (request: PreviewCreativeRequest) => {
    expect(previewCreativeRequest.safeParse(request).error?.issues).toBeUndefined()
    const answer = (await task.handle(request, call)) as PreviewCreativeResponse
    expect(previewCreativeResponse.safeParse(answer).error?.issues).toBeUndefined()
    return answer
  }
  const found = (id: string | undefined): Promise<Found<PreviewContent>> => store.seen(id ?? '')
  return { preview, taken, fetched, found, own }
}

const IMAGE = { status: 200, mediaType: 'image/png' }
const single = (creative_manifest = banner(), more = {}): PreviewCreativeRequest => ({
  request_type: 'single',
  output_format: 'image',
  creative_manifest,
  ...more,
})
const batch = (requests: unknown[], more = {}): PreviewCreativeRequest => ({
  request_type: 'batch',
  output_format: 'image',
  requests,
  ...more,
})
const errorOf = async (work: Promise<unknown>) => {
  const error = await work.catch((thrown: unknown) => thrown)
  if (error instanceof ProtocolError || error instanceof ManyErrors) return error.errors[0]
  throw error
}

describe('spec 2.5: a preview as a picture', () => {
  test('is at its preview_url as a PNG, and expires as pages do', async () => {
    const { preview, found, taken } = agent()
    const { previews, interactive_url } = await preview(single())
    const [render] = previews[0]?.renders ?? []
    expect(render).toEqual({
      render_id: expect.any(String),
      output_format: 'image',
      preview_url: `${AGENT}/previews/${render?.render_id}.png`,
      role: 'primary',
      dimensions: { width: 300, height: 250 },
    })
    expect(previews[0]?.preview_url).toBe(render?.preview_url)
    expect(interactive_url).toMatch(/\/interactive$/)
    expect(await found(render?.render_id)).toMatchObject({ body: { kind: 'still', bytes: PNG } })
    expect(taken[0]).toMatchObject({ width: 300, height: 250, scale: 1, settleMs: 0 })
  })

  test('is drawn with the policy that its page is served with', async () => {
    const { preview, taken } = agent()
    await preview(single(html5('<script>1</script>')))
    const page = await preview(single(html5('<script>1</script>'), { output_format: 'html' }))
    const [render] = page.previews[0]?.renders ?? []
    expect(taken[0]?.headers['content-security-policy']).toBe(render?.embedding?.csp_policy)
    expect(taken[0]?.html).toBe(render?.preview_html)
    expect(taken[0]?.files.size).toBe(0)
  })

  test('of one without a size shows the creative however tall, at the scale of its quality', async () => {
    const { preview, taken } = agent()
    const [, , native] = EVERY_KIND.find(([kind]) => kind === 'native') ?? []
    await preview(single(native, { quality: 'production' }))
    expect(taken[0]).toMatchObject({ element: '.stage', scale: 2 })
  })

  test('is refused where there is no browser, and says what to install', async () => {
    const { preview } = agent({ hasBrowser: false })
    const refusal = await errorOf(preview(single()))
    expect(refusal).toMatchObject({ code: 'UNSUPPORTED_FEATURE', field: '/output_format' })
    expect(refusal?.message).toMatch(/install Chromium.*ADWIRE_CHROMIUM/)
    const requests = [
      { creative_manifest: banner() },
      { creative_manifest: banner(), output_format: 'image' },
    ]
    const { results } = await preview(batch(requests, { output_format: 'url' }))
    expect(results?.map(({ success }) => success)).toEqual([true, false])
    expect(results?.[1]?.errors?.[0]?.code).toBe('UNSUPPORTED_FEATURE')
  })
})

describe('what a picture shows', () => {
  test('are the images of the page and nothing else, each fetched once for a call', async () => {
    const { preview, taken, fetched } = agent()
    await preview(batch([{ creative_manifest: banner() }, { creative_manifest: banner() }]))
    expect(fetched).toEqual(['https://cdn.example/banner.png'])
    const bytes = Buffer.from('bytes')
    const expected = [['https://cdn.example/banner.png', { mediaType: 'image/png', bytes }]]
    expect(taken.map(({ files }) => [...files])).toEqual([expected, expected])
  })

  test('of this server’s own is read from its store, and http: is known under https: too', async () => {
    const { preview, taken, fetched, own } = agent()
    const image = { asset_type: 'image', url: own, width: 300, height: 250 } as const
    await preview(single(banner({ banner_image: image })))
    expect(fetched).toEqual([])
    expect(taken[0]?.files.get(own)?.bytes.toString()).toBe('own')
    const old = { ...image, url: 'http://cdn.example/a.png#x' }
    await preview(single(banner({ banner_image: old })))
    const addresses = ['http://cdn.example/a.png', 'https://cdn.example/a.png']
    expect([...(taken[1]?.files.keys() ?? [])]).toEqual(addresses)
  })

  test.each([
    ['is not there', { status: 404, mediaType: 'image/png' }, 'answered 404'],
    ['is no image', { status: 200, mediaType: 'text/html' }, 'it is no image'],
    ['does not come', undefined, 'timeout'],
  ])('lacks what %s, and the answer says so', async (_case, answer, reason) => {
    const { preview, taken } = agent({ fetch: () => answer })
    const { ext } = await preview(single())
    expect(taken[0]?.files.size).toBe(0)
    expect(ext?.preview_notes).toEqual([expect.stringContaining(reason)])
    const { ext: ofBatch } = await preview(batch([{ creative_manifest: banner() }]))
    expect(ofBatch?.preview_notes).toEqual([expect.stringMatching(/^requests\/0: https:\/\/cdn/)])
  })

  test('is cut with a note where it is taller than a picture may be', async () => {
    const take = async () => ({ png: PNG, width: 800, height: 10_000, isCut: true })
    const { ext, previews } = await agent({ take }).preview(single())
    expect(ext?.preview_notes).toEqual([expect.stringContaining('is cut off after')])
    expect(previews[0]?.renders[0]?.dimensions).toEqual({ width: 800, height: 10_000 })
  })
})

describe('a picture that is too much', () => {
  test('fails alone: the others of the batch are there', async () => {
    const take: StillBrowser['take'] = async ({ html, width, height }) => {
      if (html.includes('for(;;)')) throw new WorkerPoolError('too_long')
      return { png: PNG, width, height, isCut: false }
    }
    const requests = [html5('<p>one</p>'), html5('<script>for(;;);</script>'), html5('<p>two</p>')]
    const { preview } = agent({ take })
    const { results } = await preview(
      batch(requests.map((creative_manifest) => ({ creative_manifest }))),
    )
    expect(results?.map(({ success }) => success)).toEqual([true, false, true])
    expect(results?.[1]?.errors?.[0]).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('more time'),
    })
  })

  test('a full queue refuses the call, which can be repeated', async () => {
    const refusal = new ProtocolError('RATE_LIMITED', 'too much of yours', { retry_after: 1 })
    const { preview } = agent({ take: () => Promise.reject(refusal) })
    expect(await errorOf(preview(batch([{ creative_manifest: banner() }])))).toMatchObject({
      code: 'RATE_LIMITED',
    })
  })

  test(`one call has at most ${MAX_STILLS} of them`, async () => {
    const { preview, taken } = agent()
    const inputs = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `${at}` }))
    const requests = (count: number) => [
      { creative_manifest: html5('<p>a</p>'), inputs: inputs(count) },
      { creative_manifest: html5('<p>b</p>'), inputs: inputs(25) },
    ]
    expect((await preview(batch(requests(MAX_STILLS - 25)))).previews).toHaveLength(MAX_STILLS)
    expect(taken).toHaveLength(MAX_STILLS)
    const refusal = await errorOf(preview(batch(requests(MAX_STILLS - 24))))
    expect(refusal).toMatchObject({ code: 'INVALID_REQUEST', field: '/output_format' })
  })
})
