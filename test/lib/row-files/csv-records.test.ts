import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BrokenFile, MAX_ROW_CHARS } from '../../../src/lib/row-files/broken-file.ts'
import { type CsvRecord, csvLine, csvRecords } from '../../../src/lib/row-files/csv-records.ts'
import { cutAt, gathered } from '../../support/cut-text.ts'

const all = (chunks: readonly string[]) => gathered(csvRecords(chunks))
const fieldsOf = async (...chunks: string[]) => (await all(chunks)).map(({ fields }) => fields)

test.each([
  [
    'a,b\nc,d\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'a,b\r\nc,d',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'a,b\rc,d\r',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['\ufeffa,b\n', [['a', 'b']]],
  ['"a","b"\n', [['a', 'b']]],
  ['"a,1","b\r\n2","c""3"\n', [['a,1', 'b\r\n2', 'c"3']]],
  [
    'a,,\n,\n',
    [
      ['a', '', ''],
      ['', ''],
    ],
  ],
  ['"",b\n""\n', [['', 'b'], ['']]],
  ['5" screen,b\n', [['5" screen', 'b']]],
  ['a\n\n\r\nb', [['a'], ['b']]],
  ['', []],
  ['\n', []],
])('RFC 4180: %j is read as %j', async (text, records) => {
  expect(await fieldsOf(text)).toEqual(records)
})

test.each([
  [
    'a;b\n1,5;c',
    [
      ['a', 'b'],
      ['1,5', 'c'],
    ],
  ],
  [
    'a\tb\n1;5\tc',
    [
      ['a', 'b'],
      ['1;5', 'c'],
    ],
  ],
  [
    '"a;x",b\nc,d',
    [
      ['a;x', 'b'],
      ['c', 'd'],
    ],
  ],
])('the first line of %j determines the separator', async (text, records) => {
  expect(await fieldsOf(text)).toEqual(records)
})

test('a record is known by the line on which it begins', async () => {
  const text = 'a\r\n"two\nlines\r\nand\rmore"\r\nb\n\nc\rd'
  expect((await all([text])).map(({ line, fields }) => [line, fields[0]?.[0]])).toEqual([
    [1, 'a'],
    [2, 't'],
    [6, 'b'],
    [8, 'c'],
    [9, 'd'],
  ])
})

test('text after a closing quote is the fault of its record alone', async () => {
  const records = await all(['a,b\n"x"y,b\nc,d\n'])
  expect(records.map(({ fault }) => fault)).toEqual([
    undefined,
    expect.stringContaining('write a quote twice'),
    undefined,
  ])
})

describe('a file cannot be read on', () => {
  test('when a quote is never closed', async () => {
    await expect(all(['a\n"b\nc'])).rejects.toThrow(BrokenFile)
    await expect(all(['a\n"b\nc'])).rejects.toThrow('line 2')
  })

  test('when a record has no end, which is found before it fills the memory', async () => {
    let given = 0
    function* endless() {
      yield 'a\n"'
      for (;;) {
        given++
        yield 'x\n'.repeat(32_768)
      }
    }
    await expect(gathered(csvRecords(endless()))).rejects.toThrow('line 2')
    expect(given * 65_536).toBeLessThan(MAX_ROW_CHARS + 3 * 65_536)
  })
})

const field = fc.string({
  unit: fc.constantFrom('a', 'b', '"', ',', ';', '\t', '\r', '\n', ' ', 'é', '\u{1f697}', '\ufeff'),
  maxLength: 6,
})

test('what was written is read again, however the text comes in parts', async () => {
  const records = fc.array(fc.array(field, { minLength: 1, maxLength: 4 }), { maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(records, fc.array(fc.nat(60)), async (written, cuts) => {
      // The header determines the separator, as in every file of ours.
      const text = [['id', 'name'], ...written].map(csvLine).join('')
      expect((await fieldsOf(...cutAt(text, cuts))).slice(1)).toEqual(written)
    }),
    { numRuns: 400 },
  )
})

test('where a text is cut changes nothing of what is read, whatever it is', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', '"', ',', '\r', '\n'), maxLength: 24 })
  const outcome = async (chunks: readonly string[]): Promise<CsvRecord[] | string> =>
    all(chunks).catch((error: Error) => error.message)
  await fc.assert(
    fc.asyncProperty(text, fc.array(fc.nat(24)), async (whole, cuts) => {
      expect(await outcome(cutAt(whole, cuts))).toEqual(await outcome([whole]))
    }),
    { numRuns: 400 },
  )
})
