// Deadlines under memory pressure (F25): whatever the collector takes, every deadline comes.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const BUILT = fileURLToPath(new URL('../../dist/lib/deadline.js', import.meta.url))

/** Starts deadlines that no one keeps, collects all the while, and prints how many came. */
const program = (start: string) => `
  const { startDeadline } = await import(${JSON.stringify(BUILT)})
  let came = 0
  const begin = () => {
    for (let n = 0; n < 20; n++) (${start}).addEventListener('abort', () => came++)
  }
  begin()
  const until = Date.now() + 2_000
  while (came < 20 && Date.now() < until) {
    gc()
    Array.from({ length: 10_000 }, () => ({}))
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  process.stdout.write(String(came))`

const came = async (start: string): Promise<string> => {
  const args = ['--expose-gc', '--input-type=module', '--eval', program(start)]
  return (await promisify(execFile)(process.execPath, args)).stdout
}

test('every deadline comes, although no one keeps it', async () => {
  const deadline =
    'startDeadline({ timeoutMs: 100, signals: [new AbortController().signal] }).signal'
  expect(await came(deadline)).toBe('20')
})
