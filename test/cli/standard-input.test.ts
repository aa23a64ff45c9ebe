import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { catalogueSignal } from '../support/catalogue.ts'
import { folder } from '../support/cli.ts'

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

test('- is standard input, for references and for signals', () => {
  const at = ['--create', '--json', '--data', folder()]
  const reference = {
    domain: 'acme.example',
    manifest_type: 'brand.json',
    reference_type: 'url',
    manifest_url: 'https://acme.example/brand.json',
  }
  const read = (args: readonly string[], line: unknown) =>
    spawnSync(process.execPath, [MAIN, ...args, ...at], {
      input: `${JSON.stringify(line)}\n`,
      encoding: 'utf8',
    })
  const refs = read(['refs', 'import', '-'], reference)
  expect([refs.status, JSON.parse(refs.stdout)]).toEqual([0, expect.objectContaining({ added: 1 })])
  const signals = read(['signals', 'import', '-', '--format', 'jsonl'], catalogueSignal())
  expect([signals.status, JSON.parse(signals.stdout)]).toEqual([
    0,
    expect.objectContaining({ added: 1 }),
  ])
})
