import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const PROGRAM = fileURLToPath(new URL('../../examples/seller-and-buyer/run.mjs', import.meta.url))

test('the example of a seller and a buyer, which checks itself, ends well', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM], { timeout: 240_000 })
  expect(stdout).toContain('the buyer was killed')
  expect(stdout).toContain('every activation had its effect exactly once')
})
