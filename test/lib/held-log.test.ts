import { expect, test } from 'vitest'
import { holdLog } from '../../src/lib/held-log.ts'
import { createLog } from '../../src/lib/log.ts'

test('what is logged before the log is released is written then, in order, and everything after at once', () => {
  const lines: string[] = []
  const destination = { write: (line: string) => lines.push(JSON.parse(line).msg) }
  const held = holdLog(createLog({ level: 'info', destination }))
  held.log.info({ path: '/usr/bin/x' }, 'first')
  held.log.warn('second')
  expect(lines).toEqual([])
  held.letGo()
  held.log.info('third')
  expect(lines).toEqual(['first', 'second', 'third'])
  held.letGo()
  expect(lines).toHaveLength(3)
})
