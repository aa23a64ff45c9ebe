import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const PROGRAM = fileURLToPath(new URL('../../examples/assistant/run.mjs', import.meta.url))

test('spec 1: the example of an assistant finds a signal, activates it and waits until it is live', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM], { timeout: 120_000 })
  expect(stdout).toContain('the tool is call_proto_agent')
  expect(stdout).toMatch(/found \d+ signals/)
  expect(stdout).toMatch(/activated: live is true, by \{"type":"segment_id"/)
})
