import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect, test } from 'vitest'
import { SQLITE_FILE } from '../../src/storage/sqlite/database-file.ts'
import { catalogueSignal, manySignals } from '../support/catalogue.ts'
import { adwire, folder } from '../support/cli.ts'

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

/** All that a database holds. */
function contentOf(data: string): string {
  const reading = new DatabaseSync(join(data, SQLITE_FILE), { readOnly: true })
  try {
    const tables = reading.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()
    return JSON.stringify(
      tables.map(({ name }) => [name, reading.prepare(`SELECT * FROM ${name}`).all()]),
    )
  } finally {
    reading.close()
  }
}

const piped = (args: readonly string[], rows: readonly object[], more = '') =>
  spawnSync(process.execPath, [MAIN, ...args], {
    input: rows.map((row) => `${JSON.stringify(row)}\n`).join('') + more,
    encoding: 'utf8',
  })

const reference = {
  domain: 'acme.example',
  manifest_type: 'brand.json',
  reference_type: 'url',
  manifest_url: 'https://acme.example/brand.json',
}

test('a dry run of an import says what it would do, from a file or standard input, and does nothing', async () => {
  const data = folder()
  const [first, second] = manySignals(2) as [object, object]
  piped(['signals', 'import', '-', '--format', 'jsonl', '--create', '--data', data], [first])
  const before = contentOf(data)
  const trying = ['--dry-run', '--data', data]

  const signals = ['signals', 'import', '-', '--format', 'jsonl', ...trying]
  const good = piped(signals, [{ ...first, coverage_percentage: 7 }, second])
  expect([good.status, good.stderr, good.stdout]).toEqual([
    0,
    '',
    'line 1: s-000000 changed: coverage_percentage\n' +
      'line 2: s-000001 added\n' +
      'dry run: 1 added, 1 changed, 0 unchanged, 0 bad of 2 rows\n',
  ])
  const faulty = piped([...signals, '--replace', '--json'], [second], 'bad\n'.repeat(25))
  expect(faulty.status).toBe(1)
  expect(faulty.stderr.trim().split('\n')).toHaveLength(25)
  expect(JSON.parse(faulty.stdout)).toMatchObject({ dry_run: true, added: 1, removed: 1, bad: 25 })

  const file = join(folder(), 'refs.jsonl')
  writeFileSync(file, `${JSON.stringify(reference)}\n`)
  expect(await adwire(['refs', 'import', file, ...trying])).toEqual({
    code: 0,
    stderr: '',
    stdout:
      'line 1: acme.example brand.json added: https://acme.example/brand.json\n' +
      'dry run: 1 added, 0 known, 0 bad of 1 lines\n',
  })
  const refs = piped(['refs', 'import', '-', '--json', ...trying], [reference], 'bad\n')
  expect([refs.status, JSON.parse(refs.stdout)]).toEqual([
    1,
    { dry_run: true, lines: 2, added: 1, known: 0, bad: 1 },
  ])
  expect(contentOf(data)).toBe(before)
})

test('a dry run makes no database and brings none up to date', () => {
  const data = folder()
  const at = ['signals', 'import', '-', '--format', 'jsonl', '--dry-run', '--data', data]
  const reported = ({ status, stderr }: ReturnType<typeof piped>) => [status, stderr]
  expect(reported(piped([...at, '--create'], [catalogueSignal()]))).toEqual([
    2,
    expect.stringContaining('omit --create'),
  ])
  expect(reported(piped(at, [catalogueSignal()]))[0]).toBe(2)
  expect(existsSync(join(data, SQLITE_FILE))).toBe(false)

  piped(['migrate', '--data', data], [])
  const writing = new DatabaseSync(join(data, SQLITE_FILE))
  writing.exec("DELETE FROM adwire_migrations WHERE owner = 'signals'")
  writing.close()
  const before = contentOf(data)
  expect(reported(piped(at, [catalogueSignal()]))).toEqual([
    2,
    expect.stringContaining('run adwire migrate first'),
  ])
  expect(contentOf(data)).toBe(before)
})
