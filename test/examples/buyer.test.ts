import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { startApp } from '../support/app.ts'

const PROGRAM = fileURLToPath(new URL('../../examples/buyer/buyer.mjs', import.meta.url))

test('the example buyer finds a signal, activates it and prints the key that the webhook reported', async () => {
  const app = await startApp({ config: { demo: true, signalsModel: false, warmUp: false } })
  const data = mkdtempSync(join(tmpdir(), 'buyer-'))
  onTestFinished(async () => {
    await app.stop()
    rmSync(data, { recursive: true, force: true })
  })
  const key = await app.principal()
  const env = { ...process.env, BUYER_DATA: data, BUYER_PORT: String(await freePort()) }
  const run = async (...words: string[]) => {
    const args = [PROGRAM, app.url, key, ...words]
    return promisify(execFile)(process.execPath, args, { env, timeout: 120_000 })
  }
  const first = await run()
  expect(first.stderr).toBe('')
  expect(first.stdout).toMatch(/^found \S+: .+$/m)
  const reported = /^sandbox: (\{.+\}) \(told by webhook\)$/m.exec(first.stdout)?.[1]
  expect(reported).toBeDefined()

  // Another process finds what the first one received, and calls no one.
  const operation = /^operation (\S+)$/m.exec(first.stdout)?.[1] ?? ''
  const again = await run('--resume', operation)
  expect(again.stdout).toContain(`sandbox: ${reported} (told by webhook)`)
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
