import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type {
  SignalImportLine,
  SignalImportReport,
} from '../../../../src/console/api/signal-imports.ts'
import { startApp, type TestApp } from '../../../support/app.ts'
import { catalogueSignal, manySignals } from '../../../support/catalogue.ts'
import { type ConsoleClient, signIn } from '../../../support/console.ts'
import { eventually } from '../../../support/eventually.ts'

const MB = 1_048_576
const HEADER =
  'signal_agent_segment_id,name,description,signal_type,data_provider,coverage_percentage,cpm,currency,platforms'
const GOOD = 'n-1,New one,Something new,marketplace,Me,12,1.5,USD,sandbox'
const CSV = `${HEADER}\n${GOOD}\nn-2,Bad,Some,market,Me,120,1,USD,sandbox\n`

describe.each(['sqlite', 'postgres'] as const)('importing a file in the console [%s]', (store) => {
  let app: TestApp
  let operator: ConsoleClient
  let viewer: ConsoleClient

  beforeAll(async () => {
    app = await startApp({ store, config: { trustProxy: ['127.0.0.1'], taskConcurrency: 0 } })
    operator = await signIn(app, await app.principal('operator'))
    viewer = await signIn(app, await app.principal('viewer'))
  })
  afterAll(() => app.stop())
  beforeEach(async () => {
    const { transact, signals } = app.storage
    const ids = await signals.ids(undefined, 100_000)
    await transact((tx) => signals.remove(tx, ids))
    await transact((tx) => signals.put(tx, [catalogueSignal()]))
  })

  interface Sent {
    query?: Record<string, string>
    headers?: Record<string, string>
    by?: ConsoleClient
    signal?: AbortSignal
  }
  const send = (body: string, { query = {}, headers = {}, by = operator, signal }: Sent = {}) => {
    const requested = new URLSearchParams({ name: 'a.csv', format: 'csv', mode: 'check', ...query })
    return fetch(`${app.url}/console/api/signal-imports?${requested}`, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/octet-stream',
        cookie: by.cookie,
        'x-adwire-csrf': by.csrf,
        ...headers,
      },
      ...(signal && { signal }),
    })
  }
  const linesOf = async (response: Response): Promise<SignalImportLine[]> =>
    (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  const reportOf = async (body: string, sent?: Sent): Promise<SignalImportReport> => {
    const response = await send(body, sent)
    const last = (await linesOf(response)).at(-1)
    if (!last || !('report' in last)) throw new Error(JSON.stringify(last))
    return last.report
  }
  const ids = () => app.storage.signals.ids(undefined, 100)
  const audit = async () => (await viewer.get('/audit?action=signals.import')).body.items

  test('a check reports what would happen and what is wrong by row, and changes nothing', async () => {
    const before = await audit()
    const report = await reportOf(CSV)
    expect(report).toMatchObject({
      mode: 'check',
      totals: { rows: 2, added: 1, changed: 0, unchanged: 0, bad: 1, removed: 0 },
      faults: [
        {
          row: 'line 3',
          faults: [
            { pointer: '/signal_type', message: 'This must be one of marketplace, custom, owned.' },
            { pointer: '/coverage_percentage', message: 'This must be at most 100.' },
          ],
        },
      ],
      changes: [{ id: 'n-1', outcome: 'added', row: 'line 2' }],
    })
    expect(await ids()).toEqual(['acme-ev-intenders'])
    expect(await audit()).toEqual(before)
  })

  test('what was checked is imported, another file is not, and the audit log has both', async () => {
    const { digest } = await reportOf(CSV)
    const query = { mode: 'import', digest, name: '<b>a</b>.csv' }
    const other = await reportOf(`${CSV}n-3,New,Other,marketplace,Me,1,1,USD,sandbox\n`, { query })
    expect(other.totals.stopped).toContain('not the file that was checked')
    expect(await ids()).toEqual(['acme-ev-intenders'])
    expect((await audit())[0]).toMatchObject({ outcome: 'refused', target: '<b>a</b>.csv' })

    const report = await reportOf(CSV, { query })
    expect(report).toMatchObject({ mode: 'import', totals: { added: 1, bad: 1 }, changes: [] })
    expect(await ids()).toEqual(['acme-ev-intenders', 'n-1'])
    const [ended, begun] = await audit()
    expect(ended).toMatchObject({ outcome: 'done', detail: expect.stringContaining('1 added') })
    expect(begun).toMatchObject({ outcome: 'done', detail: expect.stringContaining('begun') })
  })

  test('a file that is the whole catalogue removes the rest, and is checked for that first', async () => {
    const query = { replace: 'true' }
    expect((await reportOf(CSV, { query })).changes).toEqual([
      { id: 'n-1', outcome: 'added', row: 'line 2' },
      { id: 'acme-ev-intenders', outcome: 'removed' },
    ])
    const done = await reportOf(CSV, { query: { ...query, mode: 'import' } })
    expect(done.totals).toMatchObject({ added: 1, removed: 1 })
    expect(await ids()).toEqual(['n-1'])
  })

  test('JSON and JSON lines are read as well, and a broken file says where it breaks', async () => {
    const [first, second] = manySignals(2)
    const json = await reportOf(JSON.stringify([first, { ...second, name: 7 }]), {
      query: { format: 'json' },
    })
    expect(json).toMatchObject({ totals: { added: 1, bad: 1 }, faults: [{ row: 'element 1' }] })
    const lines = await reportOf(`${JSON.stringify(first)}\n{nonsense\n`, {
      query: { format: 'jsonl' },
    })
    expect(lines).toMatchObject({ totals: { added: 1, bad: 1 }, faults: [{ row: 'line 2' }] })
    const broken = await reportOf(`[${JSON.stringify(first)} 5`, { query: { format: 'json' } })
    expect(broken.totals).toMatchObject({ added: 1, stopped: expect.stringContaining('element 0') })
    expect((await reportOf('', { query: { format: 'json' } })).totals.stopped).toBeDefined()
  })

  test('faults beyond a thousand rows are counted and not returned', async () => {
    const rows = Array.from({ length: 1_500 }, (_, n) => `b-${n},,,,,,,,`)
    const report = await reportOf([HEADER, ...rows].join('\n'))
    expect(report.totals.bad).toBe(1_500)
    expect(report.faults).toHaveLength(1_000)
  })

  test('who may not, or comes from elsewhere, is refused before the file is read', async () => {
    const query = { mode: 'import' }
    const refused = [
      await send(CSV, { query, by: viewer }),
      await send(CSV, { query, headers: { 'x-adwire-csrf': 'x' } }),
      await send(CSV, { query, headers: { origin: 'https://evil.example' } }),
      await send(CSV, { query, headers: { cookie: '' } }),
      await send(CSV, { query, headers: { 'content-type': 'text/csv' } }),
      await send(CSV, { query: { ...query, format: 'xml' } }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 401, 415, 400])
    for (const response of refused) expect(await response.json()).toHaveProperty('error.message')
    expect(await ids()).toEqual(['acme-ev-intenders'])
  })

  /** The status, whatever becomes of the rest of the body. */
  const statusOf = (headers: Record<string, string>, chunks: readonly Buffer[]) =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = request(`${app.url}/console/api/signal-imports?name=a&format=csv&mode=check`, {
        method: 'POST',
        headers: {
          'content-type': 'application/octet-stream',
          cookie: operator.cookie,
          'x-adwire-csrf': operator.csrf,
          ...headers,
        },
      })
      sent.on('error', reject)
      sent.on('response', (response) => {
        sent.off('error', reject).on('error', () => {})
        response.resume()
        resolve(response.statusCode)
        sent.destroy()
      })
      sent.flushHeaders()
      for (const chunk of chunks) sent.write(chunk)
    })

  test('a file of more than 20 MB is refused, by what it says and by what comes', async () => {
    expect(await statusOf({ 'content-length': String(20 * MB + 1) }, [])).toBe(413)
    const chunks = Array.from({ length: 21 }, () => Buffer.alloc(MB))
    expect(await statusOf({ 'transfer-encoding': 'chunked' }, chunks)).toBe(413)
    expect((await reportOf(CSV)).totals.added).toBe(1)
  })

  test('a client that goes away cancels it: whole signals stay, and the audit log says so', async () => {
    const leaving = new AbortController()
    const text = manySignals(20_000)
      .map((signal) => JSON.stringify(signal))
      .join('\n')
    const query = { mode: 'import', format: 'jsonl' }
    const response = await send(text, { query, signal: leaving.signal })
    // The first line says how far it is.
    await response.body?.getReader().read()
    leaving.abort()
    await eventually(async () =>
      expect((await audit())[0]).toMatchObject({
        outcome: 'refused',
        detail: expect.stringContaining('cancelled'),
      }),
    )
    const left = await app.storage.signals.count()
    expect(left).toBeLessThan(20_001)
    // And there is room for another.
    await eventually(async () => expect((await send(CSV)).status).toBe(200))
  })

  test('of one principal one file is read at a time', async () => {
    const text = manySignals(20_000)
      .map((signal) => JSON.stringify(signal))
      .join('\n')
    const leaving = new AbortController()
    const first = await send(text, { query: { format: 'jsonl' }, signal: leaving.signal })
    const second = await send(CSV)
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '10'])
    await first.body?.cancel()
    leaving.abort()
    await eventually(async () => expect((await send(CSV)).status).toBe(200))
  })
})
