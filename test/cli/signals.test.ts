import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { CatalogueSignal } from '../../src/signals/catalogue.ts'
import { SQLITE_FILE } from '../../src/storage/sqlite/database-file.ts'
import { catalogueSignal, manySignals } from '../support/catalogue.ts'
import { adwire, folder, serve, start } from '../support/cli.ts'
import { emptyPostgres } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'

function fileOf(signals: readonly object[], more = ''): string {
  const file = join(folder(), 'signals.jsonl')
  writeFileSync(file, signals.map((signal) => `${JSON.stringify(signal)}\n`).join('') + more)
  return file
}

const signals = (...args: string[]) => adwire(['signals', ...args])

async function listed(at: readonly string[]): Promise<string[]> {
  const { stdout } = await signals('list', '--limit', '1000', '--json', ...at)
  return (JSON.parse(stdout) as CatalogueSignal[]).map((one) => one.signal_agent_segment_id)
}

describe.each(['sqlite', 'postgres'] as const)('the catalogue of signals [%s]', (store) => {
  const target = async () => {
    if (store === 'sqlite') return ['--create', '--data', folder()]
    const { url, drop } = await emptyPostgres()
    onTestFinished(drop)
    return ['--create', '--database-url', url]
  }

  test('an import keeps the good rows, reports the bad ones, and exits with 1', async () => {
    const at = await target()
    const file = fileOf(
      [...manySignals(2), catalogueSignal({ coverage_percentage: 101 }), manySignals(1)[0] ?? {}],
      'no json\n',
    )
    const first = await signals('import', file, '--json', ...at)
    expect(first.code).toBe(1)
    expect(JSON.parse(first.stdout)).toEqual({
      rows: 5,
      added: 2,
      changed: 0,
      unchanged: 1,
      bad: 2,
      repeated: 1,
      removed: 0,
    })
    expect(first.stderr).toMatch(/^line 3: \/coverage_percentage: This must be at most 100\.$/m)
    expect(first.stderr).toMatch(/^line 4: warning: s-000000 is also on line 1/m)
    expect(first.stderr).toMatch(/^line 5: This is not JSON/m)
    expect(await listed(at)).toEqual(['s-000000', 's-000001'])
  })

  test('a file replaces the catalogue when requested, and is refused when it is empty', async () => {
    const at = await target()
    await signals('import', fileOf(manySignals(5)), ...at)
    const replaced = await signals('import', fileOf(manySignals(3, 4)), '--replace', ...at)
    expect([replaced.code, replaced.stdout, replaced.stderr]).toEqual([
      0,
      '2 added, 0 changed, 1 unchanged, 4 removed, 0 bad of 3 rows\n',
      '',
    ])
    const refused = await signals('import', fileOf([]), '--replace', ...at)
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('no rows')])
    expect(await listed(at)).toEqual(['s-000004', 's-000005', 's-000006'])
  })

  test.each(['json', 'jsonl', 'csv'])('an export as %s is imported as the same', async (format) => {
    const at = await target()
    const all = [
      ...manySignals(3),
      catalogueSignal({
        description: 'With “quotes”, "these", a\nline and | bars',
        visibility: { principals: ['Demo buyer', 'a|b'] },
        custom_pricing: { 'Demo buyer': { cpm: 1, currency: 'EUR' } },
        tags: ['a|b', 'c'],
      }),
    ]
    await signals('import', fileOf(all), ...at)
    const out = join(folder(), `out.${format}`)
    expect((await signals('export', '--out', out, ...at)).code).toBe(0)
    expect(readdirSync(join(out, '..'))).toEqual([`out.${format}`])
    const printed = await signals('export', '--format', format, ...at)
    expect(printed.stdout).toBe(readFileSync(out, 'utf8'))
    const again = await signals('import', out, '--replace', ...at)
    expect(again.stdout).toBe('0 added, 0 changed, 4 unchanged, 0 removed, 0 bad of 4 rows\n')
  })

  test('signals are listed, displayed, counted and deleted', async () => {
    const at = await target()
    await signals('import', fileOf(manySignals(3)), ...at)
    const page = await signals('list', '--after', 's-000000', '--limit', '1', ...at)
    expect(page.stdout).toMatch(/^id .*name\ns-000001 .*2\.5 USD.*12\.5 %.*Audience 000001\n$/)
    const returned = await signals('show', 's-000001', '--json', ...at)
    expect(JSON.parse(returned.stdout)).toMatchObject({ ...manySignals(1, 1)[0], version: 1 })
    const reported = await signals('show', 's-000001', ...at)
    expect(reported.stdout).toContain('name: Audience 000001\n')

    const gone = await signals('delete', 's-000000', 's-000002', ...at)
    expect([gone.code, gone.stdout]).toEqual([0, '2 deleted\n'])
    const missing = await signals('delete', 's-000000', 's-000001', ...at)
    expect([missing.code, missing.stdout]).toEqual([2, '1 deleted\n'])
    expect(missing.stderr).toContain('no signal s-000000')
    expect((await signals('show', 's-000000', ...at)).code).toBe(2)

    await signals('import', fileOf(manySignals(2)), ...at)
    const stats = await signals('stats', '--json', ...at)
    expect(JSON.parse(stats.stdout)).toEqual({
      signals: 2,
      by_type: { marketplace: 2 },
      data_providers: 1,
      version: 8,
      changed_at: expect.stringMatching(/^\d{4}-/),
      vectors: [],
    })
    expect((await signals('stats', ...at)).stdout).toMatch(/^signals: 2\n {2}marketplace: 2\n/)
  })
})

test('the format is determined by the name of the file, or by a flag', async () => {
  const at = ['--create', '--data', folder()]
  const file = join(folder(), 'signals.txt')
  writeFileSync(file, JSON.stringify(manySignals(2)))
  const unknown = await signals('import', file, ...at)
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('use --format')])
  expect((await signals('import', file, '--format', 'json', ...at)).code).toBe(0)
  const missing = await signals('import', '/nowhere.csv', ...at)
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('cannot read')])
  const nowhere = await signals('export', '--out', '/nowhere/out.csv', ...at)
  expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringContaining('cannot write')])
})

test('a file with many bad rows shows the first and counts the rest', async () => {
  const file = fileOf([], 'no\n'.repeat(50))
  const { code, stderr } = await signals('import', file, '--create', '--data', folder())
  expect(code).toBe(1)
  expect(stderr).toContain('line 20: ')
  expect(stderr).not.toContain('line 21: ')
  expect(stderr).toContain('… and 30 more bad rows')
})

test('a demo server has the demo catalogue, and imports continue beside it', async () => {
  const at = ['--data', folder()]
  await serve(['--demo', ...at])
  const { stdout } = await signals('stats', '--json', ...at)
  expect((JSON.parse(stdout) as { signals: number }).signals).toBeGreaterThanOrEqual(400)
  const replaced = await signals('import', fileOf(manySignals(700)), '--replace', '--json', ...at)
  expect(replaced.code).toBe(0)
  expect(JSON.parse(replaced.stdout)).toMatchObject({ added: 700, bad: 0 })
  expect(await listed(at)).toHaveLength(700)
})

test('a replacement killed while it removes has the whole file in, and repeated it is the file', async () => {
  const data = folder()
  const at = ['--create', '--data', data]
  const total = 20_000
  await signals('import', fileOf(manySignals(total)), ...at)
  const file = fileOf(manySignals(500, total))
  const database = join(data, SQLITE_FILE)
  const count = (sql: string) => {
    const reading = new DatabaseSync(database, { readOnly: true })
    try {
      return Number(reading.prepare(`SELECT count(*) AS n FROM ${sql}`).get()?.n)
    } finally {
      reading.close()
    }
  }
  const replacing = start(['signals', 'import', file, '--replace', ...at])
  await eventually(() => expect(count('signal_removals')).toBeGreaterThan(0), {
    timeoutMs: 120_000,
    pauseMs: 2,
  })
  replacing.child.kill('SIGKILL')
  await replacing.ended

  const removed = count('signal_removals')
  expect(removed).toBeLessThan(total)
  expect(count('signals')).toBe(total + 500 - removed)
  expect(count(`signals WHERE signal_agent_segment_id >= 's-020000'`)).toBe(500)
  const again = await signals('import', file, '--replace', '--json', ...at)
  expect(JSON.parse(again.stdout)).toMatchObject({ unchanged: 500, removed: total - removed })
  expect(await listed(at)).toHaveLength(500)
  expect(count('signal_removals')).toBe(total)
})
