import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { previewCreative } from '../../src/creative/preview-creative.ts'
import { PREVIEW_TTL_MS } from '../../src/creative/preview-store.ts'
import { createMakePreviews } from '../../src/creative/rendering/make-previews.ts'
import type { Recipe } from '../../src/creative/rendering/recipe.ts'
import { ProtocolError } from '../../src/protocol/errors.ts'
import { writerOf } from '../../src/protocol/own-json.ts'
import { RELEASES } from '../../src/protocol/releases/releases.ts'
import {
  type PreviewCreativeRequest,
  type PreviewCreativeResponse,
  previewCreativeRequest,
  previewCreativeResponse,
} from '../../src/protocol/schemas/preview-creative.ts'
import type { CallContext } from '../../src/protocol/task.ts'
import { createPreviewStore } from '../../src/storage/stores/creatives/previews.ts'
import { catalogue, inProcessWorkerPool } from '../support/creative.ts'
import { type TestDatabase, testDatabase } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { AGENT, banner, inlineVast, manifestOf } from './rendering/creatives.ts'

const CALL: CallContext = {
  principal: undefined,
  transport: 'http',
  version: RELEASES.version('unversioned'),
  calledOn: 'http://127.0.0.1:8420',
  signal: new AbortController().signal,
}
const clock = fakeClock()
const workerPool = inProcessWorkerPool()
const format_id = { agent_url: AGENT, id: 'display_300x250_image' }
const single = (over = {}): PreviewCreativeRequest => ({
  request_type: 'single',
  format_id,
  creative_manifest: banner(),
  ...over,
})

let opened: TestDatabase
let transactions = 0
const faults: unknown[] = []
const fetched: string[] = []

beforeAll(async () => {
  opened = await testDatabase('sqlite', { clock })
})
afterAll(() => opened.drop())

function agent() {
  const { database } = opened
  const store = createPreviewStore(database, { clock })
  const makePreviews = createMakePreviews({
    catalogue: catalogue(),
    previews: store,
    publicUrl: () => AGENT,
    egress: {
      fetch: async ({ url }) => {
        fetched.push(url)
        const body = Buffer.from(inlineVast())
        return { ok: true, status: 200, headers: {}, body, url, truncated: false, durationMs: 1 }
      },
    },
    workerPool,
    onFault: (error) => faults.push(error),
  })
  const task = previewCreative({
    makePreviews,
    transact: (work) => {
      transactions++
      return database.transact(work)
    },
    publicUrl: () => AGENT,
    ownAgentUrls: [],
  })
  const preview = async (request: PreviewCreativeRequest, call = CALL) => {
    expect(previewCreativeRequest.safeParse(request).error?.issues).toBeUndefined()
    const answer = (await task.handle(request, call)) as PreviewCreativeResponse
    expect(previewCreativeResponse.safeParse(answer).error?.issues).toBeUndefined()
    // A batch writes its own JSON, which says what JSON.stringify would.
    const written = writerOf(answer)?.('{') ?? JSON.stringify(answer)
    expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify(answer)))
    return answer
  }
  const refusal = async (request: PreviewCreativeRequest) => {
    const error = await task.handle(request, CALL).catch((thrown: unknown) => thrown)
    if (!(error instanceof ProtocolError)) throw new Error('this was not refused')
    return error.errors[0]
  }
  const idIn = (url: string | undefined) => /previews\/([^/]+)/.exec(url ?? '')?.[1] ?? ''
  const pageAt = async (url: string | undefined) => {
    const found = await store.seen(idIn(url))
    if (found?.state !== 'live' || found.body.kind === 'still')
      throw new Error(`${url} is not live`)
    return found.body.text
  }
  const recipeAt = async (url: string | undefined) => {
    const found = await store.recipe(idIn(url))
    return found?.state === 'live' ? (JSON.parse(found.body) as Recipe) : undefined
  }
  return { task, preview, refusal, pageAt, recipeAt }
}

const rows = async (table: string) =>
  Number((await opened.database.read.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`))?.n)

describe('spec 4.2: a single preview', () => {
  test('of a manifest that was built for a generative format may be requested by the name of that', async () => {
    const { preview } = agent()
    const generative = { agent_url: AGENT, id: 'display_300x250_generative' }
    const [one] = (await preview(single({ format_id: generative }))).previews
    expect(one?.renders).toMatchObject([{ dimensions: { width: 300, height: 250 } }])
  })

  test('has a page, its render, an interactive page, and expires after a day', async () => {
    const { preview, pageAt, recipeAt } = agent()
    const answer = await preview(single())
    const [one, ...others] = answer.previews
    expect(others).toEqual([])
    expect(answer).toMatchObject({
      response_type: 'single',
      expires_at: new Date(clock.now() + PREVIEW_TTL_MS).toISOString(),
    })
    expect(one).toMatchObject({ input: { name: 'Default preview' }, format_id })
    expect(one).not.toHaveProperty('preview_html')
    expect(one?.renders).toEqual([
      {
        render_id: expect.any(String),
        output_format: 'url',
        preview_url: one?.preview_url,
        role: 'primary',
        dimensions: { width: 300, height: 250 },
        embedding: { recommended_sandbox: '', csp_policy: expect.stringContaining('sandbox') },
      },
    ])
    expect(one?.preview_url).toMatch(/^https:\/\/ads\.example\/previews\/[\w-]{36}$/)
    expect(await pageAt(one?.preview_url)).toContain('https://cdn.example/banner.png')
    expect(answer.interactive_url).toMatch(/\/previews\/[\w-]{36}\/interactive$/)
    expect((await recipeAt(answer.interactive_url))?.manifest.assets).toHaveProperty('banner_image')
  })

  test('has one preview for each input, in their order, with their macros', async () => {
    const { preview, pageAt } = agent()
    const inputs = ['DE', 'FR'].map((COUNTRY) => ({
      name: COUNTRY,
      macros: { COUNTRY, NOBODY: 'x' },
    }))
    const { previews } = await preview(single({ inputs }))
    expect(previews.map(({ input }) => input)).toEqual(inputs)
    const texts = await Promise.all(previews.map((one) => pageAt(one.preview_url)))
    expect(texts[0]).toContain('?country=DE')
    expect(texts[1]).toContain('?country=FR')
    expect(texts.join()).not.toContain('NOBODY')
  })

  test.each([
    ['html', [false, true]],
    ['both', [true, true]],
    ['url', [true, false]],
  ] as const)('gives what output_format %s says', async (output_format, [hasUrl, hasHtml]) => {
    const { previews } = await agent().preview(single({ output_format }))
    for (const returned of [previews[0], previews[0]?.renders[0]]) {
      expect([returned?.preview_url !== undefined, returned?.preview_html !== undefined]).toEqual([
        hasUrl,
        hasHtml,
      ])
    }
  })

  test('takes the format of the manifest, an alias, and any name of this server', async () => {
    const { preview } = agent()
    const { format_id: _, ...unnamed } = single()
    expect((await preview(unnamed)).previews).toHaveLength(1)
    for (const named of [
      { agent_url: `${AGENT}/`, id: 'display_300x250' },
      { agent_url: `${AGENT}/mcp`, id: format_id.id },
      { agent_url: CALL.calledOn, id: format_id.id },
    ]) {
      expect((await preview(single({ format_id: named }))).previews).toHaveLength(1)
    }
  })

  test('fetches the tag of a VAST creative once for all inputs that ask the same', async () => {
    fetched.length = 0
    const inputs = [{ name: 'a' }, { name: 'b', macros: { CITY: 'x' } }]
    const vast_tag = { asset_type: 'vast' as const, url: 'https://v.example/tag' }
    const creative_manifest = manifestOf('video_vast', { vast_tag })
    await agent().preview(
      single({ format_id: creative_manifest.format_id, creative_manifest, inputs }),
    )
    expect(fetched).toEqual(['https://v.example/tag'])
  })

  test('spec 2.4: reports to a caller of 3.x which assets were taken for slots of other names', async () => {
    const { preview } = agent()
    const { banner_image, ...others } = banner().assets ?? {}
    if (!banner_image) throw new Error('a banner has its image')
    const creative_manifest = manifestOf(format_id.id, { image_main: banner_image, ...others })
    const newer: CallContext = { ...CALL, version: RELEASES.version('3.x') }
    const reported = 'assets.image_main was used as banner_image of the format'
    // Again, since what was drawn before is remembered.
    for (let n = 0; n < 2; n++) {
      expect((await preview(single({ creative_manifest }), newer)).ext).toEqual({
        preview_notes: [reported],
      })
    }
    const batch = {
      request_type: 'batch' as const,
      requests: [{ creative_manifest: banner() }, { creative_manifest }],
    }
    expect((await preview(batch, newer)).ext).toEqual({
      preview_notes: [`requests/1: ${reported}`],
    })
    expect((await preview(single(), newer)).ext).toBeUndefined()
  })

  test('repeats quality as quality_used', async () => {
    expect(await agent().preview(single({ quality: 'draft' }))).toMatchObject({
      quality_used: 'draft',
    })
  })
})

describe('spec 7.1: it refuses', () => {
  const other = { agent_url: AGENT, id: 'no_such_format' }
  test.each([
    ['an unknown format', single({ format_id: other }), 'FORMAT_NOT_SUPPORTED', '/format_id'],
    [
      'a format of another agent',
      single({ format_id: { ...format_id, agent_url: 'https://other.example' } }),
      'FORMAT_NOT_SUPPORTED',
      '/format_id',
    ],
    [
      'a size that the format does not have',
      single({ format_id: { ...format_id, width: 1, height: 1 } }),
      'VALIDATION_ERROR',
      '/format_id',
    ],
    [
      'a manifest of another format',
      single({
        creative_manifest: { ...banner(), format_id: { agent_url: AGENT, id: 'audio_30s' } },
      }),
      'VALIDATION_ERROR',
      '/creative_manifest/format_id',
    ],
    [
      'a variant',
      { request_type: 'variant' as const, variant_id: 'v1' },
      'UNSUPPORTED_FEATURE',
      '/request_type',
    ],
  ])('%s', async (_what, request, code, field) => {
    expect(await agent().refusal(request)).toMatchObject({ code, field })
  })

  test('a manifest that does not fit, with every fault', async () => {
    const error = await agent().refusal(single({ creative_manifest: manifestOf(format_id.id, {}) }))
    expect(error.code).toBe('VALIDATION_ERROR')
    expect(error.issues?.map(({ pointer }) => pointer).sort()).toEqual([
      '/creative_manifest/assets/banner_image',
      '/creative_manifest/assets/click_url',
    ])
  })

  test('a format_id that is a string, with the code of its own', () => {
    const { task } = agent()
    const issues = [{ pointer: '/format_id', message: '', keyword: 'type' }]
    expect(task.refusalFor?.(issues, {})).toBe('INVALID_FORMAT_ID')
  })
})

describe('spec 4.2: a batch', () => {
  const item = (over = {}) => ({ format_id, creative_manifest: banner(), ...over })
  const batch = (...requests: unknown[]): PreviewCreativeRequest => ({
    request_type: 'batch',
    requests,
  })

  test('keeps its order, and one bad request does not fail the others', async () => {
    const { preview } = agent()
    const answer = await preview({
      ...batch(
        item({ creative_id: 'c-1' }),
        item({ format_id: 'display_300x250' }),
        'nonsense',
        item({ format_id: { agent_url: AGENT, id: 'nope' } }),
        item({ creative_manifest: manifestOf(format_id.id, {}) }),
        item({ output_format: 'url', inputs: [{ name: 'a' }, { name: 'b' }] }),
      ),
      output_format: 'html',
    })
    const outcome = answer.results?.map(({ success, error }) => (success ? 'ok' : error?.code))
    expect(outcome).toEqual([
      'ok',
      'INVALID_FORMAT_ID',
      'INVALID_REQUEST',
      'FORMAT_NOT_SUPPORTED',
      'VALIDATION_ERROR',
      'ok',
    ])
    for (const { success, errors, error } of answer.results ?? []) {
      if (!success)
        expect(errors?.[0]).toMatchObject({ code: error?.code, message: error?.message })
    }
    expect(answer.results?.[0]).toMatchObject({ creative_id: 'c-1' })
    expect(answer.previews.map(({ request_index, input }) => [request_index, input.name])).toEqual([
      [0, 'Default preview'],
      [5, 'a'],
      [5, 'b'],
    ])
    expect(answer.previews.map(({ renders }) => renders[0]?.output_format)).toEqual([
      'html',
      'url',
      'url',
    ])
    expect(faults).toEqual([])
  })

  test('is stored in one transaction, and the same page once', async () => {
    const { preview } = agent()
    const own = manifestOf(format_id.id, {
      ...banner().assets,
      banner_image: {
        asset_type: 'image',
        url: 'https://cdn.example/once.png',
        width: 300,
        height: 250,
      },
    })
    const [before, bodies, ids] = [
      transactions,
      await rows('preview_bodies'),
      await rows('previews'),
    ]
    const requests = Array.from({ length: 50 }, () => item({ creative_manifest: own }))
    const answer = await preview(batch(...requests))
    expect(answer.previews).toHaveLength(50)
    expect(new Set(answer.previews.map(({ preview_url }) => preview_url)).size).toBe(50)
    expect(transactions - before).toBe(1)
    expect((await rows('preview_bodies')) - bodies).toBe(1)
    expect((await rows('previews')) - ids).toBe(50)
  })

  test('whose every request is bad is still answered', async () => {
    const answer = await agent().preview(batch({}, 1))
    expect(answer.previews).toEqual([])
    expect(answer.results).toHaveLength(2)
  })

  test('that would draw too much has its last requests refused', async () => {
    const html = 'x'.repeat(450_000)
    const creative_manifest = manifestOf('display_300x250_html', {
      html_creative: { asset_type: 'html', content: `<p>${html}` },
    })
    const inputs = Array.from({ length: 50 }, (_, index) => ({
      name: `${index}`,
      macros: { CITY: `${index}` },
    }))
    const large = {
      format_id: creative_manifest.format_id,
      creative_manifest,
      inputs,
      output_format: 'html',
    }
    const { results } = await agent().preview(batch(large, large, large, large))
    const refused = results?.filter(({ success }) => !success)
    expect(refused?.length).toBeGreaterThan(0)
    expect(refused?.[0]?.error).toMatchObject({ code: 'INVALID_REQUEST' })
  })
})
