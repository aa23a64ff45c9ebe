import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { languageOf } from '../../src/creative/message/language.ts'
import { reportOf } from '../creative/message/reported-on.ts'

const page = readFileSync(new URL('../../docs/creative-agents.md', import.meta.url), 'utf8')
const [, table = ''] = page.split('| message | headline | description | button | notes |\n')
const rows = (table.split('\n\n')[0] ?? '')
  .split('\n')
  .slice(1)
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )

test('the page of the creative agent has at least ten messages as examples, in several languages', () => {
  expect(rows.length).toBeGreaterThanOrEqual(10)
  expect(new Set(rows.map(([message = '']) => languageOf(message))).size).toBeGreaterThan(6)
})

test.each(rows)('spec 4.2: the example %s is true', (...cells) => {
  const [quoted = '', headline, description, button, notes] = cells
  const message = quoted.slice(1, -1)
  const { texts, notes: reported } = reportOf(message)
  expect([texts.headline, texts.description, texts.call_to_action]).toEqual([
    headline,
    description,
    button,
  ])
  expect(reported.join('; ')).toBe(notes)
})
