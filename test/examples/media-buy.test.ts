import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const PROGRAM = fileURLToPath(new URL('../../examples/media-buy/run.mjs', import.meta.url))

test('spec 2.11: the example of a media buy, which checks itself, comes to its final report', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM], { timeout: 240_000 })
  expect(stdout.match(/^report \d scheduled/gm)).toHaveLength(3)
  expect(stdout.match(/^report \d final/gm)).toHaveLength(1)
  expect(stdout).toContain('the sum of the hours is the snapshot, and reporting is complete')
})
