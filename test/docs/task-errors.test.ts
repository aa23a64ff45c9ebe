import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { errorCodesPage } from '../../src/app/error-codes-page.ts'
import { ERROR_CODES } from '../../src/protocol/errors.ts'
import { STATUS } from '../../src/transports/http/task-errors.ts'

const PAGE = new URL('../../docs/task-errors.md', import.meta.url)

test('docs/task-errors.md is what `npm run docs` writes', () => {
  expect(readFileSync(PAGE, 'utf8')).toBe(errorCodesPage())
})

test('the page has one row for every code, with its status and recovery', () => {
  const rows = [...errorCodesPage().matchAll(/^\| `([A-Z_]+)` \| (\d+) \| (\w+) \|/gm)]
  expect(rows.map(([, code, status, recovery]) => [code, Number(status), recovery])).toEqual(
    Object.entries(ERROR_CODES).map(([code, recovery]) => [
      code,
      STATUS[code as keyof typeof STATUS],
      recovery,
    ]),
  )
})
