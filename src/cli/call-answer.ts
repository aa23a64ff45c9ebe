// Prints an agent's answer: as a table if there is one for it, otherwise as formatted JSON, and as exact JSON for
// programs.

import pc from 'picocolors'
import { escapeControls } from '../lib/escape-controls.ts'
import { isObject } from '../protocol/schemas/checks.ts'
import { tableOf } from './answer-tables.ts'
import { fittedLines } from './fitted-table.ts'
import { pastedWord, printableText } from './printable-text.ts'
import { print } from './terminal.ts'

export function showAnswer(body: Record<string, unknown>, { json }: { json: boolean }): void {
  const table = json ? undefined : tableOf(body)
  if (!table) {
    print(escapeControls(json ? JSON.stringify(body) : JSON.stringify(body, null, 2)))
    return
  }
  if (table.rows.length === 0) print('none')
  else for (const line of fittedLines(table, process.stdout.columns)) print(line)
  for (const note of notesOf(body)) print(note)
}

/** What the reader must know and the table has no column for. */
function notesOf({
  message,
  errors,
  pagination,
  currency,
  status,
}: Record<string, unknown>): string[] {
  const reported = Array.isArray(errors) ? errors.filter(isObject) : []
  const { has_more, cursor, total_count } = isObject(pagination) ? pagination : {}
  const notes = [
    ...(typeof status === 'string' && status !== 'completed' ? [`status: ${status}`] : []),
    ...(typeof message === 'string' ? [message] : []),
    ...(typeof currency === 'string' ? [`currency: ${currency}`] : []),
    ...reported.map(
      ({ code, message: what }) => `note: ${[code, what].filter(Boolean).join(': ')}`,
    ),
    ...(typeof cursor === 'string'
      ? [`more results exist: add --pagination '{"cursor":"${pastedWord(cursor, '<cursor>')}"}'`]
      : has_more === true
        ? [`more results exist${typeof total_count === 'number' ? `: ${total_count} in all` : ''}`]
        : []),
  ]
  return notes.map((note) => pc.dim(printableText(note)))
}
