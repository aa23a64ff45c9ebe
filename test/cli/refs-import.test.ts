import { createWriteStream, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, test } from 'vitest'
import { SQLITE_FILE } from '../../src/storage/sqlite/database-file.ts'
import { adwire, folder, start } from '../support/cli.ts'
import { emptyPostgres } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'

const line = (n: number) =>
  JSON.stringify({
    domain: `d${n}.example`,
    manifest_type: 'brand.json',
    reference_type: 'url',
    manifest_url: `https://cdn.example/${n}/brand.json`,
  })

function fileOf(lines: readonly string[]): string {
  const file = join(folder(), 'refs.jsonl')
  writeFileSync(file, lines.join('\n'))
  return file
}

describe.each(['sqlite', 'postgres'] as const)('an import [%s]', (store) => {
  const target = async () => {
    if (store === 'sqlite') return { at: ['--create', '--data', folder()], drop: async () => {} }
    const { url, drop } = await emptyPostgres()
    return { at: ['--create', '--database-url', url], drop }
  }

  test('keeps the good lines and reports the bad ones by number', async () => {
    const { at, drop } = await target()
    const file = fileOf([
      line(1),
      '{"domain":',
      '',
      line(2),
      JSON.stringify({ ...JSON.parse(line(3)), domain: 'localhost' }),
      JSON.stringify({ ...JSON.parse(line(4)), manifest_url: 'http://10.0.0.1/' }),
      line(1),
      `${line(5)}\r`,
    ])
    const first = await adwire(['refs', 'import', file, '--json', ...at])
    expect(first.code).toBe(1)
    expect(JSON.parse(first.stdout)).toEqual({ lines: 8, added: 3, known: 1, bad: 3 })
    expect(first.stderr).toMatch(/^line 2: not JSON/m)
    expect(first.stderr).toMatch(/^line 5: .*single label/m)
    expect(first.stderr).toMatch(/^line 6: manifest_url: /m)
    expect(first.stderr.trim().split('\n')).toHaveLength(3)

    const again = await adwire(['refs', 'import', file, '--json', ...at])
    expect(JSON.parse(again.stdout)).toEqual({ lines: 8, added: 0, known: 4, bad: 3 })
    expect((await adwire(['lookup', 'd5.example', ...at])).code).toBe(0)
    await drop()
  })

  test('of good lines alone exits with 0 and says how many', async () => {
    const { at, drop } = await target()
    const file = fileOf(Array.from({ length: 5_000 }, (_, n) => line(n)))
    const { code, stdout, stderr } = await adwire(['refs', 'import', file, ...at])
    expect([code, stdout, stderr]).toEqual([0, '5000 added, 0 known, 0 bad of 5000 lines\n', ''])
    await drop()
  })

  test('is credited to the organisation that is named, which must exist', async () => {
    const { at, drop } = await target()
    const file = fileOf([line(1)])
    const wrong = await adwire(['refs', 'import', file, '--org', 'org_nobody', ...at])
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringContaining('no organisation org_nobody'),
    ])
    const made = await adwire(['orgs', 'create', 'Acme', '--json', ...at])
    const { organization_id } = JSON.parse(made.stdout) as { organization_id: string }
    const right = await adwire(['refs', 'import', file, '--org', organization_id, ...at])
    expect(right.code).toBe(0)
    await drop()
  })
})

test('what would prove an imported reference is printed, the same each time', async () => {
  const data = folder()
  await adwire(['refs', 'import', fileOf([line(1)]), '--create', '--data', data])
  const reading = new DatabaseSync(join(data, SQLITE_FILE), { readOnly: true })
  const id = reading.prepare('SELECT id FROM manifest_references').get()?.id as string
  reading.close()
  const returned = await adwire(['refs', 'proof', id, '--create', '--data', data])
  expect(returned.code).toBe(0)
  expect(returned.stdout).toMatch(/^TXT _adwire-challenge\.d1\.example "adwire-domain-proof=\S+"$/m)
  const again = await adwire(['refs', 'proof', id, '--json', '--create', '--data', data])
  const { file } = JSON.parse(again.stdout) as { file: { value: string } }
  expect(returned.stdout).toContain(file.value)
  const wrong = await adwire(['refs', 'proof', 'nobody', '--create', '--data', data])
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('no reference nobody')])
})

test('an import with many bad lines shows the first and counts the rest', async () => {
  const file = fileOf(Array.from({ length: 50 }, () => 'nonsense'))
  const { code, stderr } = await adwire(['refs', 'import', file, '--create', '--data', folder()])
  expect(code).toBe(1)
  expect(stderr).toContain('line 20: ')
  expect(stderr).not.toContain('line 21: ')
  expect(stderr).toContain('… and 30 more bad lines')
})

test('an import killed in the middle leaves whole rows, and repeated adds none twice', async () => {
  const total = 120_000
  const file = join(folder(), 'refs.jsonl')
  const writing = createWriteStream(file)
  for (let n = 0; n < total; n += 1_000) {
    writing.write(`${Array.from({ length: 1_000 }, (_, k) => line(n + k)).join('\n')}\n`)
  }
  writing.end()
  await finished(writing)

  const data = folder()
  const database = join(data, SQLITE_FILE)
  const counts = () => {
    const reading = new DatabaseSync(database, { readOnly: true })
    try {
      const count = (sql: string) => Number(reading.prepare(sql).get()?.n)
      return {
        references: count('SELECT count(*) AS n FROM manifest_references'),
        events: count("SELECT count(*) AS n FROM feed_events WHERE entity_type = 'manifest_ref'"),
        withoutEvent: count(
          `SELECT count(*) AS n FROM manifest_references
             WHERE id NOT IN (SELECT entity_id FROM feed_events)`,
        ),
        domains: count('SELECT count(DISTINCT domain) AS n FROM manifest_references'),
        integrity: reading.prepare('PRAGMA integrity_check').get()?.integrity_check,
      }
    } finally {
      reading.close()
    }
  }
  const counted = () => {
    const reading = new DatabaseSync(database, { readOnly: true })
    try {
      return Number(reading.prepare('SELECT count(*) AS n FROM manifest_references').get()?.n)
    } finally {
      reading.close()
    }
  }
  const importing = start(['refs', 'import', file, '--create', '--data', data])
  await eventually(
    () => {
      expect(existsSync(database)).toBe(true)
      expect(counted()).toBeGreaterThan(4_000)
    },
    { timeoutMs: 120_000, pauseMs: 5 },
  )
  importing.child.kill('SIGKILL')
  await importing.ended

  await adwire(['migrate', '--create', '--data', data])
  const left = counts()
  expect(left).toMatchObject({ events: left.references, withoutEvent: 0, integrity: 'ok' })
  expect(left.references).toBeLessThan(total)
  const again = await adwire(['refs', 'import', file, '--json', '--create', '--data', data])
  expect(again.code).toBe(0)
  expect(JSON.parse(again.stdout)).toEqual({
    lines: total,
    added: total - left.references,
    known: left.references,
    bad: 0,
  })
  expect(counts()).toEqual({
    references: total,
    events: total,
    withoutEvent: 0,
    domains: total,
    integrity: 'ok',
  })
})
