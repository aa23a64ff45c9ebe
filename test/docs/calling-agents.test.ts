import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { startApp } from '../support/app.ts'
import { lastingFolder } from '../support/cli.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PAGE = readFileSync(join(ROOT, 'docs/calling-agents.md'), 'utf8')
const PROGRAMS = [...PAGE.matchAll(/^```js\n\/\/ (\S+\.mjs)\n(.*?)^```$/gms)]

test('the programs of the page run as they are written', async () => {
  const app = await startApp({ config: { demo: true, signalsModel: false, warmUp: false } })
  const { path: folder, remove } = lastingFolder()
  onTestFinished(async () => {
    await app.stop()
    remove()
  })
  const key = await app.principal()
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(ROOT, join(folder, 'node_modules/adwire'))
  const said = new Map<string, string>()
  for (const [, name = '', code = ''] of PROGRAMS) {
    writeFileSync(join(folder, name), code)
    const args = [join(folder, name), app.url, key]
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args)
    expect(stderr).toBe('')
    said.set(name, stdout)
  }
  expect(said.get('call.mjs')).toMatch(/electric/i)
  const [transport, tasks, formats, open] = said.get('open.mjs')?.split('\n') ?? []
  expect(transport).toBe("{ ok: true, transport: 'mcp' }")
  expect(tasks).toContain('get_signals activate_signal')
  expect(Number(formats)).toBeGreaterThan(0)
  expect(open).toBe('[]')
})
