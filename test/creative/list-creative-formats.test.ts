import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FormatCatalogue } from '../../src/creative/format-catalogue.ts'
import { filterFormats } from '../../src/creative/format-filters.ts'
import { listCreativeFormats } from '../../src/creative/list-creative-formats.ts'
import { cursorOf } from '../../src/protocol/cursor.ts'
import { RELEASES } from '../../src/protocol/releases/releases.ts'
import type { Format } from '../../src/protocol/schemas/format.ts'
import {
  type ListCreativeFormatsRequest,
  type ListCreativeFormatsResponse,
  listCreativeFormatsRequest,
  listCreativeFormatsResponse,
} from '../../src/protocol/schemas/list-creative-formats.ts'
import { type CallContext, isPrepared } from '../../src/protocol/task.ts'
import { catalogue } from '../support/creative.ts'

const PUBLIC = 'https://ads.example'
const CALL: CallContext = {
  principal: undefined,
  transport: 'http',
  version: RELEASES.version('unversioned'),
  calledOn: 'http://127.0.0.1:8420',
  signal: new AbortController().signal,
}

function agent({
  formats = catalogue(),
  publicUrl = () => PUBLIC,
  ownAgentUrls = [] as string[],
  creativeAgents = [] as string[],
}: {
  formats?: FormatCatalogue
  publicUrl?: () => string
  ownAgentUrls?: string[]
  creativeAgents?: string[]
} = {}) {
  const task = listCreativeFormats({ catalogue: formats, publicUrl, ownAgentUrls, creativeAgents })
  const prepared = async (request: ListCreativeFormatsRequest = {}, calledOn = CALL.calledOn) => {
    const answer = await task.handle(request, { ...CALL, calledOn })
    if (!isPrepared(answer)) throw new Error('the answer is not prepared')
    return answer
  }
  const list = async (request: ListCreativeFormatsRequest = {}, calledOn = CALL.calledOn) =>
    (await prepared(request, calledOn)).value as ListCreativeFormatsResponse
  const ids = async (request: ListCreativeFormatsRequest, calledOn = CALL.calledOn) =>
    idsOf((await list(request, calledOn)).formats)
  return { task, prepared, list, ids }
}

const idsOf = (formats: readonly Pick<Format, 'format_id'>[]) =>
  formats.map(({ format_id }) => format_id.id)
const named = (id: string, agent_url = PUBLIC) => ({ agent_url, id })
const { list, ids, prepared, task } = agent()
const ALL = catalogue().formats.length

/** A catalogue with what the project's own files do not have. */
function withFormats(...own: Partial<Format>[]): FormatCatalogue {
  const base = catalogue()
  const [template] = base.formats
  const formats = own.map((members, index) => ({
    ...(template as Format),
    accepts_parameters: undefined,
    format_id: named(`own_${index}`),
    ...members,
  }))
  return { ...base, formats }
}

describe('without filters', () => {
  test('spec 4.2: every format is listed, with ids of the public URL and no pages', async () => {
    const answer = await list()
    expect(answer.formats).toHaveLength(ALL)
    expect(listCreativeFormatsResponse.safeParse(answer).success).toBe(true)
    expect(answer.formats.every(({ format_id }) => format_id.agent_url === PUBLIC)).toBe(true)
    expect(answer).not.toHaveProperty('pagination')
    expect(answer).not.toHaveProperty('creative_agents')
    for (const format of answer.formats) {
      expect(format).toMatchObject({
        name: expect.any(String),
        description: expect.any(String),
        type: expect.any(String),
        assets_required: expect.any(Array),
        assets: expect.any(Array),
      })
    }
  })

  test('spec 4.2: other creative agents are named when the operator names some', async () => {
    const creativeAgents = ['https://more.example/mcp']
    const answer = await agent({ creativeAgents }).list()
    expect(answer.creative_agents).toEqual([{ agent_url: 'https://more.example/mcp' }])
    expect(listCreativeFormatsResponse.safeParse(answer).success).toBe(true)
  })

  test('the answer is made once for a public URL, and again for another', async () => {
    let url = PUBLIC
    const changing = agent({ publicUrl: () => url })
    const first = await changing.prepared()
    expect(await changing.prepared({ context: { a: 1 }, include_pricing: true })).toBe(first)
    expect(JSON.parse(first.json)).toEqual(first.value)
    const filtered = await changing.prepared({ type: 'audio', max_width: undefined })
    expect(await changing.prepared({ type: 'audio' })).toBe(filtered)
    url = 'https://moved.example'
    const answer = await changing.list({ type: 'audio' })
    expect(answer.formats[0]?.format_id.agent_url).toBe(url)
    expect((await changing.list()).formats[0]?.format_id.agent_url).toBe(url)
  })

  test('the ids of what a format builds have the public URL too', async () => {
    const { formats } = await list({ name_search: 'leaderboard generated' })
    expect(formats[0]?.output_format_ids).toEqual([named('display_728x90_image')])
  })
})

describe('spec 4.2: the filter', () => {
  test.each([
    ['video', 16],
    ['display', 47],
    ['audio', 4],
    ['dooh', 4],
  ] as const)('type %s gives %i formats of it', async (type, count) => {
    const { formats } = await list({ type })
    expect(formats).toHaveLength(count)
    expect(new Set(formats.map((format) => format.type))).toEqual(new Set([type]))
  })

  test('format_ids gives these and no error for unknown ones', async () => {
    const wanted = [named('audio_30s', `${PUBLIC}/`), named('nothing'), named('video_vast')]
    expect(await ids({ format_ids: wanted })).toEqual(['video_vast', 'audio_30s'])
    expect(await ids({ format_ids: [named('nothing')] })).toEqual([])
    expect(await ids({ format_ids: [named('audio_30s', 'https://else.example')] })).toEqual([])
  })

  test('format_ids knows aliases and templates with parameters', async () => {
    const sized = { ...named('display_html'), width: 88, height: 31 }
    expect(await ids({ format_ids: [named('display_300x250'), sized] })).toEqual([
      'display_html',
      'display_300x250_image',
    ])
    const misfit = { ...named('display_300x250_image'), width: 88, height: 31 }
    expect(await ids({ format_ids: [misfit] })).toEqual([])
  })

  test('format_ids takes the URL called on and the operator’s URLs for this server', async () => {
    const format_ids = [named('audio_30s', 'https://other.example')]
    expect(await ids({ format_ids }, 'https://other.example')).toEqual(['audio_30s'])
    expect(await ids({ format_ids }, 'https://third.example')).toEqual([])
    const { ids: anyIds } = agent({ ownAgentUrls: ['*'] })
    expect(await anyIds({ format_ids })).toEqual(['audio_30s'])
  })

  test('asset_types gives formats with any of them, required or not', async () => {
    const { formats } = await list({ asset_types: ['javascript', 'vast'] })
    expect(idsOf(formats)).toEqual(['display_js', 'video_vast', 'video_vast_30s'])
    expect(await ids({ asset_types: ['image'] })).toContain('sponsored_recommendation')
    expect(await ids({ asset_types: [] })).toHaveLength(ALL)
  })

  test('a VAST tag counts as video and a DAAST tag as audio, as what they bring', async () => {
    const video = await ids({ asset_types: ['video'] })
    expect(video).toEqual(expect.arrayContaining(await ids({ asset_types: ['vast'] })))
    const audio = await ids({ asset_types: ['audio'] })
    expect(audio).toEqual(expect.arrayContaining(await ids({ asset_types: ['daast'] })))
    // It does not go the other way round.
    expect(await ids({ asset_types: ['vast'] })).not.toEqual(video)
  })

  test('native formats can be requested by their type', async () => {
    const { formats } = await list({ type: 'native' })
    expect(formats.length).toBeGreaterThan(0)
    expect(new Set(formats.map(({ type }) => type))).toEqual(new Set(['native']))
  })

  test.each([
    { max_width: 0 },
    { max_height: 0 },
    { max_width: 0, max_height: 0, type: 'display' as const },
  ])('%o is the size of nothing, not even of a template', async (filters) => {
    expect(await ids(filters)).toEqual([])
  })

  test('asset_types looks into repeatable groups', async () => {
    const slide = { asset_id: 'slide', asset_type: 'image' as const }
    const group = {
      item_type: 'repeatable_group' as const,
      asset_group_id: 'slides',
      required: true,
      min_count: 1,
      max_count: 9,
      assets: [slide],
    }
    const formats = withFormats({ assets: [group] }, { assets: [] })
    expect(await agent({ formats }).ids({ asset_types: ['image'] })).toEqual(['own_0'])
  })

  test('of sizes is inclusive, passes templates and fails what has no size', async () => {
    const small = await ids({ max_width: 300, max_height: 250 })
    expect(small).toContain('display_300x250_image')
    expect(small).toContain('display_300x50_html')
    expect(small).toContain('display_image')
    expect(small).not.toContain('display_336x280_image')
    expect(small).not.toContain('audio_30s')
    expect(small).not.toContain('native_standard')
    expect(small).not.toContain('video_standard')
    expect(await ids({ max_width: 299, min_width: 161 })).not.toContain('display_300x250_image')
    expect(await ids({ min_height: 1_920, type: 'video' })).toEqual([
      'video_dimensions',
      'video_1080x1920',
    ])
    expect(await ids({ max_width: 0, type: 'dooh' })).toEqual([])
  })

  test('of sizes passes when one render fits all bounds', async () => {
    const render = (width: number, height: number) => ({
      role: 'primary',
      dimensions: { width, height },
    })
    const range = { role: 'primary', dimensions: { min_width: 200, max_width: 400, height: 50 } }
    const inches = {
      role: 'primary',
      dimensions: { width: 8, height: 11, unit: 'inches' as const },
    }
    const formats = withFormats(
      { renders: [render(900, 900), render(100, 100)] },
      { renders: [render(100, 900), render(900, 100)] },
      { renders: [range] },
      { renders: [inches] },
    )
    const own = agent({ formats })
    expect(await own.ids({ max_width: 100, max_height: 100 })).toEqual(['own_0'])
    expect(await own.ids({ min_width: 300, max_width: 350 })).toEqual(['own_2'])
    expect(await own.ids({ max_width: 199, max_height: 60 })).toEqual([])
    expect(await own.ids({ min_height: 1 })).not.toContain('own_3')
  })

  test('is_responsive separates formats that adapt from the rest', async () => {
    const adapting = await ids({ is_responsive: true })
    const rest = await ids({ is_responsive: false })
    expect(adapting).toContain('product_card_detailed')
    expect(adapting).toContain('native_standard')
    expect(adapting).not.toContain('display_image')
    expect(adapting.length + rest.length).toBe(ALL)
    const dimensions = { width: 9, height: 9, responsive: { width: false, height: false } }
    const formats = withFormats({ renders: [{ role: 'primary', dimensions }] })
    expect(await agent({ formats }).ids({ is_responsive: true })).toEqual([])
  })

  test('name_search is a part of the name in any case', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('Rectangle', 'VAST', 'audio', '30 sec', ')'),
        async (word) => {
          const lower = await ids({ name_search: word.toLowerCase() })
          expect(lower.length).toBeGreaterThan(0)
          expect(await ids({ name_search: word.toUpperCase() })).toEqual(lower)
        },
      ),
      { numRuns: 10 },
    )
    expect(await ids({ name_search: 'no such name' })).toEqual([])
    expect(await ids({ name_search: '.*' })).toEqual([])
  })

  test('wcag_level gives formats of at least that level', async () => {
    const formats = withFormats(
      { accessibility: { wcag_level: 'A' } },
      { accessibility: { wcag_level: 'AA' } },
      { accessibility: { wcag_level: 'AAA' } },
      {},
    )
    const own = agent({ formats })
    expect(await own.ids({ wcag_level: 'A' })).toEqual(['own_0', 'own_1', 'own_2'])
    expect(await own.ids({ wcag_level: 'AAA' })).toEqual(['own_2'])
  })

  test('disclosure_positions wants all of them', async () => {
    expect(await ids({ disclosure_positions: ['audio'] })).toHaveLength(4)
    expect(await ids({ disclosure_positions: ['overlay', 'subtitle'] })).toHaveLength(16)
    expect(await ids({ disclosure_positions: ['overlay', 'audio'] })).toEqual([])
  })

  test('disclosure_persistence wants all of them in one position', async () => {
    expect(await ids({ disclosure_persistence: ['continuous', 'flexible'] })).toHaveLength(16)
    expect(await ids({ disclosure_persistence: ['flexible'] })).toHaveLength(20)
  })

  test('output_format_ids and input_format_ids give formats with any of them', async () => {
    const output_format_ids = [named('display_300x250'), named('display_970x250_image')]
    expect(await ids({ output_format_ids })).toEqual([
      'display_300x250_generative',
      'display_970x250_generative',
    ])
    const input_format_ids = [named('audio_30s')]
    expect(await ids({ input_format_ids })).toEqual([])
    const formats = withFormats({ input_format_ids }, {})
    expect(await agent({ formats }).ids({ input_format_ids })).toEqual(['own_0'])
  })
})

const size = fc.option(fc.constantFrom(0, 50, 250, 300, 600, 970, 1_080, 1_920), { nil: undefined })
const maybe = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined })
const someIds = fc.option(
  fc.array(
    fc.constantFrom('display_image', 'display_300x250', 'display_728x90_image', 'audio_30s', 'no'),
    { maxLength: 4 },
  ),
  { nil: undefined },
)
const filters = fc
  .record({
    type: maybe('video' as const, 'display' as const, 'audio' as const, 'dooh' as const),
    asset_types: maybe(['image' as const], ['url' as const, 'html' as const], ['catalog' as const]),
    max_width: size,
    max_height: size,
    min_width: size,
    min_height: size,
    is_responsive: maybe(true, false),
    name_search: maybe('image', 'e', '30 SECONDS', 'banner'),
    disclosure_positions: maybe(['footer'], ['prominent', 'footer']),
    disclosure_persistence: maybe(['continuous'], ['flexible']),
    format_ids: someIds,
    output_format_ids: someIds,
  })
  .map(({ format_ids, output_format_ids, ...others }) =>
    listCreativeFormatsRequest.parse({
      ...others,
      format_ids: format_ids?.map((id) => named(id)),
      output_format_ids: output_format_ids?.map((id) => named(id)),
    }),
  )

describe('for every request', () => {
  test('spec 4.2: filters combine with AND', async () => {
    const { formats } = catalogue()
    const nameOf = ({ id }: { id: string }) => catalogue().aliases.get(id)?.id ?? id
    await fc.assert(
      fc.asyncProperty(filters, async (request) => {
        const together = await ids(request)
        let left = new Set(idsOf(formats))
        for (const [name, value] of Object.entries(request)) {
          const alone = idsOf(filterFormats(formats, { [name]: value }, nameOf))
          left = new Set(alone.filter((id) => left.has(id)))
        }
        expect(together).toEqual([...left])
      }),
    )
  })

  test('spec 4.2: the pages together are the list without pages', async () => {
    await fc.assert(
      fc.asyncProperty(filters, fc.integer({ min: 1, max: 100 }), async (request, max_results) => {
        const whole = await ids(request)
        const found: string[] = []
        let cursor: string | undefined
        do {
          const page = await list({ ...request, pagination: { max_results, cursor } })
          expect(page.formats.length).toBeLessThanOrEqual(max_results)
          expect(page.pagination?.total_count).toBe(whole.length)
          expect(page.pagination?.has_more).toBe(page.pagination?.cursor !== undefined)
          expect(listCreativeFormatsResponse.safeParse(page).success).toBe(true)
          found.push(...idsOf(page.formats))
          cursor = page.pagination?.cursor
        } while (cursor !== undefined)
        expect(found).toEqual(whole)
      }),
      { numRuns: 60 },
    )
  })
})

describe('pages', () => {
  test('have 50 formats by default', async () => {
    const first = await list({ pagination: {} })
    expect(first.formats).toHaveLength(50)
    expect(first.pagination).toMatchObject({ has_more: true, total_count: ALL })
    const second = await list({ pagination: { cursor: first.pagination?.cursor } })
    expect(second.formats).toHaveLength(ALL - 50)
    expect(second.pagination).toEqual({ has_more: false, total_count: ALL })
  })

  test.each(['nothing', '', cursorOf('list_creative_formats', ['no']), '../..'])(
    'are refused for the cursor %j',
    async (cursor) => {
      await expect(prepared({ pagination: { cursor } })).rejects.toMatchObject({
        errors: [{ code: 'INVALID_REQUEST', field: '/pagination/cursor' }],
      })
    },
  )
})

describe('the task', () => {
  test('spec 4.2: is public, changes nothing and belongs to the creative agent', () => {
    expect(task).toMatchObject({
      name: 'list_creative_formats',
      area: 'creative',
      access: 'public',
      changes: false,
    })
  })

  test('spec 7.1: a format id that is no object is refused as such', () => {
    const at = (pointer: string) => [{ pointer, message: '', keyword: 'type' }]
    expect(task.refusalFor?.(at('/format_ids/0'), {})).toBe('INVALID_FORMAT_ID')
    expect(task.refusalFor?.(at('/max_width'), {})).toBeUndefined()
  })
})
