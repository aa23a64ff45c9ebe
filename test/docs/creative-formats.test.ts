import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readFormatFile } from '../../src/creative/format-file.ts'
import { formatsPage } from '../../src/creative/formats-page.ts'
import { catalogue } from '../support/creative.ts'

const PAGE = new URL('../../docs/creative-formats.md', import.meta.url)

test('docs/creative-formats.md is what `npm run docs` writes', () => {
  expect(readFileSync(PAGE, 'utf8')).toBe(formatsPage())
})

test('the page has a row for every format and every alias', () => {
  const page = formatsPage()
  const { formats, aliases } = catalogue()
  for (const id of [...formats.map(({ format_id }) => format_id.id), ...aliases.keys()]) {
    expect(page).toMatch(new RegExp(`^\\| \`${id}\` \\| `, 'm'))
  }
})

test('the example of a file on the page is a file that can be used', () => {
  const example = /```json\n(.*?)```/s.exec(formatsPage())?.[1] ?? ''
  const read = readFormatFile(Buffer.from(example))
  expect(read.faults).toEqual([])
  expect(read.formats).toHaveLength(1)
})
