import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_ROW_CHARS } from '../../../src/lib/row-files/broken-file.ts'
import type { StoredSignal } from '../../../src/signals/catalogue.ts'
import { exportSignals } from '../../../src/signals/export-signals.ts'
import { FILE_FORMATS, type FileFormat } from '../../../src/signals/files/file-formats.ts'
import { formatOf, signalRows } from '../../../src/signals/files/signal-rows.ts'
import { anySignal, catalogueSignal } from '../../support/catalogue.ts'
import { cutAt, gathered } from '../../support/cut-text.ts'

const rows = (format: FileFormat, ...chunks: string[]) => gathered(signalRows(format, chunks))
const good = JSON.stringify(catalogueSignal())

/** Row names with what became of each: the id of its signal, or the places of its faults. */
async function outcomes(format: FileFormat, text: string) {
  return (await rows(format, text)).map((read) => [
    read.row,
    read.ok ? read.signal.signal_agent_segment_id : read.faults.map(({ pointer }) => pointer),
  ])
}

test.each([
  ['a.json', 'json'],
  ['/x/B.JSONL', 'jsonl'],
  ['a.ndjson', 'jsonl'],
  ['a.b.csv', 'csv'],
  ['a.txt', undefined],
  ['json', undefined],
])('the name %s determines the format %s', (file, format) => {
  expect(formatOf(file)).toBe(format)
})

test('rows of JSON lines are named by their lines, and empty lines are none', async () => {
  const text = `\ufeff${good}\r\n\n  \nno json\n{"name":1}\n${good}`
  const [id] = [catalogueSignal().signal_agent_segment_id]
  expect(await outcomes('jsonl', text)).toEqual([
    ['line 1', id],
    ['line 4', ['']],
    ['line 5', expect.arrayContaining(['/signal_agent_segment_id', '/name'])],
    ['line 6', id],
  ])
})

test('a line of JSON may hold the line breaks of other worlds', async () => {
  const signal = catalogueSignal({ description: 'one\u2028two\u0085three' })
  const read = await rows('jsonl', `${JSON.stringify(signal).replace('\u0085', '\\u0085')}\n`)
  expect(read).toMatchObject([{ ok: false }])
  const kept = catalogueSignal({ description: 'one\u2028two' })
  expect(await rows('jsonl', JSON.stringify(kept))).toMatchObject([{ ok: true, signal: kept }])
})

test('rows of a JSON array are named by their index', async () => {
  expect(await outcomes('json', `{"signals":[${good}, 7, ${good}]}`)).toMatchObject([
    ['element 0', 'acme-ev-intenders'],
    ['element 1', ['']],
    ['element 2', 'acme-ev-intenders'],
  ])
})

test('spec 2.6: cells of a CSV hold the people in a signal, and say where they are wrong', async () => {
  const head =
    'signal_agent_segment_id,name,description,signal_type,data_provider,coverage_percentage'
  const line = (attributes: string, predicate: string) =>
    `a,A,A,marketplace,Acme,1,2,USD,openx,${attributes},"${predicate.replaceAll('"', '""')}"`
  const age = { min: 18, include_unknown: false }
  const text = [
    `${head},cpm,currency,platforms,restricted_attributes,demographic_predicate`,
    line('age|health_data', JSON.stringify({ age })),
    line('health_data', JSON.stringify({ age })),
    line('age', '{"age":'),
  ].join('\n')
  const [good, unnamed, broken] = await rows('csv', text)
  expect(good).toMatchObject({
    signal: { restricted_attributes: ['age', 'health_data'], demographic_predicate: { age } },
  })
  expect(unnamed).toMatchObject({ row: 'line 3', faults: [{ pointer: '/restricted_attributes' }] })
  expect(broken).toMatchObject({ row: 'line 4', faults: [{ pointer: '/demographic_predicate' }] })
})

test('a bad row reports the id it has, so that its signal can be kept', async () => {
  const bad = JSON.stringify(catalogueSignal({ coverage_percentage: 101 }))
  expect(await rows('jsonl', bad)).toMatchObject([
    { ok: false, id: 'acme-ev-intenders', faults: [{ pointer: '/coverage_percentage' }] },
  ])
})

test('a row that is too long is left out, and those around it are read', async () => {
  const long = JSON.stringify({ name: 'x'.repeat(MAX_ROW_CHARS) })
  const cuts = Array.from({ length: 20 }, (_, n) => n * 65_536)
  const read = await rows('jsonl', ...cutAt(`${good}\n${long}\n${good}\n${long}`, cuts))
  expect(read.map(({ ok }) => ok)).toEqual([true, false, true, false])
})

test.each(FILE_FORMATS)(
  'bytes that are not UTF-8 are the fault of their row [%s]',
  async (format) => {
    const text = {
      json: `[${good.replace('Acme', 'Acm\ufffd')},${good}]`,
      jsonl: `${good.replace('Acme', 'Acm\ufffd')}\n${good}`,
      csv: `signal_agent_segment_id,name\na,Acm\ufffd\n`,
    }[format]
    expect((await rows(format, text))[0]).toMatchObject({
      ok: false,
      faults: [{ message: expect.stringContaining('not UTF-8') }],
    })
  },
)

describe('a CSV file', () => {
  const header =
    'signal_agent_segment_id,name,description,signal_type,data_provider,coverage_percentage,countries,cpm,currency,platforms,tags'
  const line = 'a,Name,Words,marketplace,Acme,12.5,us|GB,2.5,USD,the-trade-desk|sandbox,x|y'

  test('needs few columns: prices and platforms have short ones', async () => {
    const [read] = await rows('csv', `${header}\r\n${line}\r\n`)
    expect(read).toMatchObject({
      row: 'line 2',
      ok: true,
      signal: {
        coverage_percentage: 12.5,
        countries: ['US', 'GB'],
        pricing_options: [{ model: 'cpm', cpm: 2.5, currency: 'USD' }],
        deployments: [
          { type: 'platform', platform: 'the-trade-desk', is_live: false },
          { type: 'platform', platform: 'sandbox', is_live: false },
        ],
        tags: ['x', 'y'],
      },
    })
  })

  test('may hold JSON in a cell, and other columns in any order and spelling', async () => {
    const deployments = '"[{""agent_url"":""https://a.example"",""is_live"":true}]"'
    const text = [
      'Signal Agent Segment ID;Name;Description;catalog_type;Data-Provider;Coverage_Percentage;deployments;visibility;countries;whatever',
      `a;Name;Words;owned;Acme;5;${deployments};Buyer|Other;"[""DE""]";x`,
    ].join('\n')
    expect(await rows('csv', text)).toMatchObject([
      {
        ok: true,
        signal: {
          signal_type: 'owned',
          deployments: [{ type: 'agent', is_live: true }],
          visibility: { principals: ['Buyer', 'Other'] },
          countries: ['DE'],
        },
      },
    ])
  })

  test('reports bad cells and rows by their lines', async () => {
    const text = [
      header,
      line.replace('12.5', 'many'),
      line.replace(',USD', ','),
      `${line},surplus`,
      `"${line}`.replace(',', '"x,'),
      line,
    ].join('\n')
    expect(await outcomes('csv', text)).toEqual([
      ['line 2', ['/coverage_percentage']],
      ['line 3', ['/pricing/currency']],
      ['line 4', ['']],
      ['line 5', ['']],
      ['line 6', 'a'],
    ])
    const json = `signal_agent_segment_id,deployments\na,"[{]"\n`
    expect(await outcomes('csv', json)).toEqual([['line 2', ['/deployments']]])
  })

  test.each([
    ['name,description\n', 'including signal_agent_segment_id'],
    ['signal_agent_segment_id,name,Name\n', 'the column name twice'],
    ['signal_agent_segment_id,"a"b\n', 'cannot be read'],
  ])('without a good header is none: %j', async (text, message) => {
    await expect(rows('csv', text)).rejects.toThrow(message)
  })
})

test.each(FILE_FORMATS)('an export is read as the same signals [%s]', async (format) => {
  const catalogue = fc.uniqueArray(anySignal, {
    maxLength: 4,
    selector: ({ signal_agent_segment_id }) => signal_agent_segment_id,
  })
  await fc.assert(
    fc.asyncProperty(catalogue, fc.array(fc.nat(400)), async (signals, cuts) => {
      const parts = await gathered(exportSignals(pagesOf(signals.map(stored)), format))
      const read = await rows(format, ...cutAt(parts.join(''), cuts))
      expect(read.map((row) => (row.ok ? row.signal : row.faults))).toEqual(signals)
    }),
    { numRuns: 200 },
  )
})

function stored(signal: StoredSignal['signal']): StoredSignal {
  return { signal, version: 1, text_digest: '', changed_at: 0 }
}

/** Pages of one, so that the joints between pages are seen. */
function pagesOf(all: readonly StoredSignal[]) {
  return {
    page: async (after: string | undefined) => {
      const ids = all.map(({ signal }) => signal.signal_agent_segment_id)
      const at = after === undefined ? 0 : ids.indexOf(after) + 1
      return all.slice(at, at + 1)
    },
  }
}
