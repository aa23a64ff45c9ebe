import { describe, expect, test } from 'vitest'
import { listCreativeFormats } from '../../src/creative/list-creative-formats.ts'
import { RELEASES } from '../../src/protocol/releases/releases.ts'
import {
  type ListCreativeFormatsRequest,
  type ListCreativeFormatsResponse,
  listCreativeFormatsResponse,
} from '../../src/protocol/schemas/list-creative-formats.ts'
import { type CallContext, isPrepared } from '../../src/protocol/task.ts'
import { catalogue } from '../support/creative.ts'

const PUBLIC = 'https://ads.example'
const CALL: CallContext = {
  principal: undefined,
  transport: 'mcp',
  version: RELEASES.version('unversioned'),
  calledOn: PUBLIC,
  signal: new AbortController().signal,
}
const ALL = catalogue().formats.length
const task = listCreativeFormats({
  catalogue: catalogue(),
  publicUrl: () => PUBLIC,
  ownAgentUrls: [],
  creativeAgents: [],
})
const named = (id: string) => ({ agent_url: PUBLIC, id })
const list = async (request: ListCreativeFormatsRequest) => {
  const answer = await task.handle(request, CALL)
  if (!isPrepared(answer)) throw new Error('the answer is not prepared')
  return answer.value as ListCreativeFormatsResponse
}
const idsOf = ({ formats }: ListCreativeFormatsResponse) =>
  formats.map(({ format_id }) => format_id.id)

describe('a summary', () => {
  const everyPage = async (filter: ListCreativeFormatsRequest = {}) => {
    const pages: ListCreativeFormatsResponse[] = []
    let cursor: string | undefined
    do {
      const request = { ...filter, detail: 'summary' as const }
      const page = await list(
        cursor === undefined ? request : { ...request, pagination: { cursor } },
      )
      pages.push(page)
      cursor = page.pagination?.cursor
    } while (cursor !== undefined)
    return pages
  }

  test('has at most 20 formats and 10 kB a page, and the pages have every format once', async () => {
    const pages = await everyPage()
    for (const page of pages) {
      expect(page.formats.length).toBeLessThanOrEqual(20)
      expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(10_000)
      expect(listCreativeFormatsResponse.parse(page)).toEqual(page)
      expect(page.pagination?.total_count).toBe(ALL)
    }
    expect(pages.flatMap(idsOf)).toEqual(idsOf(await list({})))
  })

  test('spec 2.3: has the members of a format definition, without what an asset must satisfy', async () => {
    const [page] = await everyPage({ format_ids: [named('display_300x250_image')] })
    expect(page?.formats).toEqual([
      {
        format_id: named('display_300x250_image'),
        name: expect.any(String),
        type: 'display',
        renders: [{ role: 'primary', dimensions: { width: 300, height: 250 } }],
        assets_required: expect.arrayContaining([
          {
            item_type: 'individual',
            asset_id: 'banner_image',
            asset_type: 'image',
            required: true,
          },
        ]),
      },
    ])
  })

  test('says how to get the next page, except on the last one, and the full definitions', async () => {
    const messages = (await everyPage()).map(({ message }) => message)
    expect(messages[0]).toBe(
      `20 of ${ALL} formats in short form. For the next page, repeat the call with pagination.cursor set to the cursor of ` +
        'this response. For the full definition of a format, send its format_id in format_ids, without detail.',
    )
    expect(messages.at(-1)).not.toContain('next page')
  })

  test('combines with filters and with the size of a page', async () => {
    const { formats, pagination } = await list({
      detail: 'summary',
      type: 'video',
      pagination: { max_results: 2 },
    })
    expect(formats.map(({ type }) => type)).toEqual(['video', 'video'])
    expect(pagination?.has_more).toBe(true)
  })

  test('is made only when it is requested: without it the list has all formats in full', async () => {
    const { formats, pagination, message } = await list({ detail: 'full' })
    expect(formats).toHaveLength(ALL)
    expect(formats.every(({ assets }) => assets !== undefined)).toBe(true)
    expect([pagination, message]).toEqual([undefined, undefined])
  })
})
