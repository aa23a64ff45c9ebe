import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { BUY_EVENTS, MOVES } from '../../src/media-buys/states.ts'
import { MEDIA_BUY_STATUSES } from '../../src/protocol/statuses.ts'

test('the page of media buys draws the states as the source has them', () => {
  const page = readFileSync(new URL('../../docs/media-buys.md', import.meta.url), 'utf8')
  const rows = MEDIA_BUY_STATUSES.map((status) => {
    const moves = BUY_EVENTS.map((event) => MOVES[status][event])
    return `| \`${status}\` | ${moves.map((to) => (to ? `\`${to}\`` : '-')).join(' | ')} |`
  })
  const table = [
    `| state | ${BUY_EVENTS.join(' | ')} |`,
    `|${'---|'.repeat(BUY_EVENTS.length + 1)}`,
    ...rows,
  ]
  expect(page).toContain(table.join('\n'))
})
