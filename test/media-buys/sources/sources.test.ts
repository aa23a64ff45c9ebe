import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { askSource } from '../../../src/media-buys/reporting/ask-source.ts'
import { createFileSource } from '../../../src/media-buys/sources/file.ts'
import { createHttpSource } from '../../../src/media-buys/sources/http.ts'
import { buyRecord, packageRecord } from '../../support/media-buys.ts'

const HOUR_MS = 3_600_000
const START = Date.UTC(2026, 0, 1)
const buy = buyRecord({ media_buy_id: 'mb_1', packages: [packageRecord({ package_id: 'pk_1' })] })
const hour = (at: number) => ({ start: START + at * HOUR_MS, end: START + (at + 1) * HOUR_MS })
const query = (...hours: number[]) => ({
  buy,
  windows: hours.map(hour),
  now: START,
  signal: new AbortController().signal,
})
const iso = (at: number) => new Date(at).toISOString()

describe('the service of an operator', () => {
  type Fetch = Parameters<typeof createHttpSource>[0]['egress']['fetch']
  const requested: Parameters<Fetch>[0][] = []
  const answering = (answer: object) =>
    createHttpSource({
      url: 'https://ads.example/api/',
      headers: { authorization: 'Bearer t' },
      egress: {
        fetch: (async (request: Parameters<Fetch>[0]) => {
          requested.push(request)
          return answer
        }) as unknown as Fetch,
      },
    })
  const ok = (body: object, status = 200) => ({
    ok: true,
    status,
    headers: {},
    body: Buffer.from(JSON.stringify(body)),
  })
  const returned = (at: number) => ({ start: iso(hour(at).start), end: iso(hour(at).end) })

  test('is queried for windows and reports which exist', async () => {
    const ready = {
      ...returned(0),
      status: 'ready',
      is_final: true,
      by_package: [
        { package_id: 'pk_1', impressions: 5, spend: 0.5, completed_views: 2, note: 'x' },
      ],
    }
    const notYet = { ...returned(1), status: 'not_yet', expected_at: iso(START + 9 * HOUR_MS) }
    const source = answering(ok({ windows: [notYet, ready] }))
    expect(await source.deliveryOf(query(0, 1, 2))).toEqual([
      {
        window: hour(0),
        status: 'ready',
        is_final: true,
        by_package: [
          { package_id: 'pk_1', impressions: 5, spend: 0.5, more: { completed_views: 2 } },
        ],
      },
      { window: hour(1), status: 'not_yet', expected_at: START + 9 * HOUR_MS },
      { window: hour(2), status: 'not_yet' },
    ])
    expect(requested[0]).toMatchObject({
      url: 'https://ads.example/api/deliveries',
      method: 'POST',
    })
    expect(JSON.parse(String(requested[0]?.body))).toMatchObject({
      media_buy_id: 'mb_1',
      windows: [returned(0), returned(1), returned(2)],
    })
  })

  test.each([
    ['is not reached', { ok: false, code: 'timeout' }],
    ['answers 500', ok({}, 500)],
    ['answers what is no JSON', { ...ok({}), body: Buffer.from('<html>') }],
    [
      'answers with more than can be summed up',
      ok({
        windows: [
          {
            ...returned(0),
            status: 'ready',
            by_package: [{ package_id: 'pk_1', impressions: 1, spend: 1e303 }],
          },
        ],
      }),
    ],
    [
      'answers less than nothing',
      ok({
        windows: [
          {
            ...returned(0),
            status: 'ready',
            by_package: [{ package_id: 'p', impressions: -1, spend: 1 }],
          },
        ],
      }),
    ],
  ])('that %s is away, and its figures are not there yet', async (_, answer) => {
    const faults: unknown[] = []
    const options = { timeoutMs: 1_000, concurrency: 2, onFault: (f: unknown) => faults.push(f) }
    const { signal, ...question } = query(0)
    expect(await askSource(answering(answer), [question], { ...options, signal })).toEqual([
      [{ window: hour(0), status: 'not_yet' }],
    ])
    expect(faults).toHaveLength(1)
  })
})

describe('a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'adwire-source-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const faults: unknown[] = []
  const onFault = (fault: unknown) => faults.push(fault)

  test('of CSV is there up to the last row of the buy, and is read again when it changed', async () => {
    const path = join(folder, 'd.csv')
    const line = (at: number, impressions: number) =>
      `mb_1,pk_1,${iso(hour(at).start)},${iso(hour(at).end)},${impressions},${impressions / 10},1`
    const head = 'media_buy_id,package_id,start,end,impressions,spend,clicks'
    writeFileSync(path, [head, line(2, 20), line(0, 10), 'mb_1,pk_1,nonsense'].join('\n'))
    const source = createFileSource({ path, onFault })
    const first = { package_id: 'pk_1', impressions: 10, spend: 1, clicks: 1, more: {} }
    expect(await source.deliveryOf(query(0, 1, 3))).toEqual([
      { window: hour(0), status: 'ready', is_final: false, by_package: [first] },
      { window: hour(1), status: 'ready', is_final: false, by_package: [] },
      { window: hour(3), status: 'not_yet' },
    ])
    expect(faults).toHaveLength(1)
    writeFileSync(path, [head, line(0, 11), line(3, 1)].join('\n'))
    utimesSync(path, 1, 1)
    expect(await source.deliveryOf(query(0, 3))).toMatchObject([
      { by_package: [{ impressions: 11 }] },
      { status: 'ready', by_package: [{ impressions: 1 }] },
    ])
  })

  test('in CSV with a count that is not a number has the row reported, and a text column is none of its counts', async () => {
    const path = join(folder, 'words.csv')
    const times = `${iso(hour(0).start)},${iso(hour(0).end)}`
    const rows = [`mb_1,pk_1,${times},5,0.5,many,x`, `mb_1,pk_2,${times},7,0.7,2,Homepage`]
    writeFileSync(
      path,
      ['media_buy_id,package_id,start,end,impressions,spend,clicks,placement', ...rows].join('\n'),
    )
    faults.length = 0
    const [window] = await createFileSource({ path, onFault }).deliveryOf(query(0))
    const second = { package_id: 'pk_2', impressions: 7, spend: 0.7, clicks: 2, more: {} }
    expect(window).toMatchObject({ status: 'ready', by_package: [second] })
    expect(String(faults[0])).toContain('1 rows of')
  })

  test('of JSON lines is read alike; one that is not there is a source that is away', async () => {
    const path = join(folder, 'd.jsonl')
    const row = { media_buy_id: 'mb_1', package_id: 'pk_1', impressions: 3, spend: 0.3 }
    writeFileSync(
      path,
      `${JSON.stringify({ ...row, start: iso(START), end: iso(START + HOUR_MS) })}\n`,
    )
    expect(await createFileSource({ path, onFault }).deliveryOf(query(0))).toMatchObject([
      { status: 'ready', by_package: [{ impressions: 3 }] },
    ])
    const missing = createFileSource({ path: join(folder, 'none.csv'), onFault })
    await expect(missing.deliveryOf(query(0))).rejects.toThrow('ENOENT')
  })
})
