import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ALL_LIMITS, limitsPage, strayLimits } from '../../src/app/limits-page.ts'
import { servedTasks } from '../../src/app/served-tasks.ts'

const PAGE = new URL('../../docs/limits.md', import.meta.url)

let served: Awaited<ReturnType<typeof servedTasks>>
beforeAll(async () => {
  served = await servedTasks()
})
afterAll(() => served.close())

test('docs/limits.md is what `npm run docs` writes', () => {
  expect(readFileSync(PAGE, 'utf8')).toBe(limitsPage(served.tasks.entries))
})

test('every limit has a row that says what is answered beyond it', () => {
  const [limitsPart = ''] = limitsPage(served.tasks.entries).split('## Cost of each task')
  const rows = limitsPart
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| limit |'))
  const limits = ALL_LIMITS.flatMap(([, table]) => Object.values(table))
  expect(rows).toHaveLength(limits.length)
  for (const row of rows) expect(row).toMatch(/^\| [^|]+ \| \d[^|]* \| [^|]*\| [^|]*\w[^|]* \|$/)
})

test('the tests that a page of limits names are there', () => {
  const named = ALL_LIMITS.flatMap(([, , tests]) => tests)
  const missing = named.filter(
    (name) => !existsSync(new URL(`../../test/${name}.test.ts`, import.meta.url)),
  )
  expect(missing).toEqual([])
})

test('a limit that is set has the default of its setting', () => {
  expect(strayLimits()).toEqual([])
})
