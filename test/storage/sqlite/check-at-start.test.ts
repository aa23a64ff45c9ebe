import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createLog } from '../../../src/lib/log.ts'
import { StorageDamaged } from '../../../src/lib/transaction.ts'
import { checkAtStart, type StartCheckOptions } from '../../../src/storage/sqlite/check-at-start.ts'
import { closedAfter } from '../../../src/storage/sqlite/closed-after.ts'
import { openSqlite } from '../../../src/storage/sqlite/open-sqlite.ts'
import { type DamagedPlace, filledPlace, ROWS } from '../../support/damage.ts'

interface Line {
  level: string
  msg: string
  [field: string]: unknown
}

async function start(place: DamagedPlace, options: Partial<StartCheckOptions> = {}) {
  const lines: Line[] = []
  const destination = { write: (text: string) => void lines.push(JSON.parse(text) as Line) }
  const log = createLog({ level: 'info', destination })
  const fault = await checkAtStart({ dataDir: place.dataDir, log, ...options }).then(
    () => undefined,
    (error: unknown) => error as Error,
  )
  return { fault, lines }
}

test('a whole file passes, is left as it was, and nothing is logged', async () => {
  const place = await filledPlace()
  const before = readFileSync(place.path)
  expect(await start(place)).toEqual({ fault: undefined, lines: [] })
  expect(readFileSync(place.path).equals(before)).toBe(true)
})

test('a folder without a database passes', async () => {
  const place = await filledPlace()
  rmSync(place.path)
  expect((await start(place)).fault).toBeUndefined()
})

describe('damaged tables stop the start with what to do, and the file is left as it was:', () => {
  const damages: [string, (place: DamagedPlace) => void][] = [
    ['a whole leaf', ({ damage }) => damage('console_audit')],
    ['the cells of a leaf', ({ damage }) => damage('console_audit', { from: 200 })],
    ['a hundred bytes', ({ damage }) => damage('console_audit', { from: 3_000, to: 3_100 })],
    ['a leaf of nothing but zeros', ({ damage }) => damage('api_keys', { with: 0 })],
    ['the schema', ({ damage }) => damage('sqlite_schema')],
    [
      'a table and an index',
      ({ damage }) => {
        damage('api_keys', { from: 200 })
        damage('console_audit_actor', { from: 200 })
      },
    ],
  ]
  test.each(damages)('%s', async (_what, damage) => {
    const place = await filledPlace()
    damage(place)
    const before = readFileSync(place.path)
    const { fault } = await start(place)
    expect(fault).toBeInstanceOf(StorageDamaged)
    expect(fault?.message).toMatch(
      /^the database \S+adwire\.db is damaged \(.+\)\. Restore a backup .*adwire database check/,
    )
    expect(readFileSync(place.path).equals(before)).toBe(true)
  })
})

describe('damaged indexes are made again from the tables, which the log says:', () => {
  const damages: [string, (place: DamagedPlace) => void][] = [
    ['a whole leaf', ({ damage }) => damage('console_audit_actor')],
    [
      'the cells of a leaf',
      ({ damage }) => damage('console_audit_actor', { from: 2_500, to: 3_500, with: 0x41 }),
    ],
    [
      'the places of the cells',
      ({ damage }) => damage('console_audit_actor', { from: 8, to: 200 }),
    ],
    ['the index of a primary key', ({ damage }) => damage('sqlite_autoindex_api_keys_1')],
    [
      'several',
      ({ damage }) => {
        damage('api_keys_of')
        damage('console_audit_action', { from: 500, to: 2_000 })
      },
    ],
  ]
  test.each(damages)('%s', async (_what, damage) => {
    const place = await filledPlace()
    const rows = place.rows()
    expect(rows).toHaveLength(ROWS - 10)
    damage(place)
    const before = readFileSync(place.path)
    const { fault, lines } = await start(place)
    expect(fault).toBeUndefined()
    expect(lines).toMatchObject([
      {
        level: 'warn',
        msg: expect.stringContaining('nothing was lost'),
        problems: expect.any(Array),
      },
    ])
    expect(place.rows()).toEqual(rows)
    // The damaged file is kept as it was.
    expect(readFileSync(lines[0]?.damaged_file as string).equals(before)).toBe(true)
    expect(readdirSync(place.dataDir).filter((name) => name.includes('rebuilt'))).toEqual([])
    expect(statSync(place.path).mode & 0o777).toBe(0o600)

    expect(await start(place)).toEqual({ fault: undefined, lines: [] })
    closedAfter(place.path, (file) => {
      const byIndex = "console_audit INDEXED BY console_audit_actor WHERE actor_id >= ''"
      expect(file.rows('count(*)', byIndex)).toEqual([[ROWS - 10]])
      // Ids of deleted rows are not given out again.
      file.exec(
        "INSERT INTO console_audit (at, actor_id, actor_name, action, outcome) VALUES (1, 'a', 'a', 'a', 'done')",
      )
      expect(file.rows('max(audit_id)', 'console_audit')).toEqual([[ROWS + 1]])
    })
  })

  test('an index that lacks a row of its table, which only the full check finds', async () => {
    const place = await filledPlace()
    // Swaps two entries of the index, both of the same length.
    const bytes = readFileSync(place.path)
    const at = bytes.lastIndexOf('prn_1234')
    bytes.write('prn_1235', at)
    writeFileSync(place.path, bytes)
    const { fault, lines } = await start(place)
    expect(fault).toBeUndefined()
    expect(lines).toMatchObject([{ msg: expect.stringContaining('made again') }])
    expect(await start(place)).toEqual({ fault: undefined, lines: [] })
  })
})

describe('what is no database is never overwritten:', () => {
  const files: [string, (place: DamagedPlace) => void, RegExp][] = [
    [
      'half a file',
      ({ path }) => truncateSync(path, statSync(path).size / 2),
      /is cut short \(\d+ of \d+ bytes\): restore a backup/,
    ],
    ['the first hundred bytes', ({ path }) => truncateSync(path, 100), /is cut short/],
    [
      'an empty file',
      ({ path }) => truncateSync(path, 0),
      /is empty, so its content is lost: restore a backup .*, or delete the file/,
    ],
    [
      'another file',
      ({ path }) => writeFileSync(path, 'hello, this is a letter to a friend'),
      /is not an SQLite database/,
    ],
    [
      'a folder',
      ({ path }) => {
        rmSync(path)
        mkdirSync(path)
      },
      /is not a file/,
    ],
    [
      'a log without its file',
      ({ path }) => {
        rmSync(path)
        writeFileSync(`${path}-wal`, 'x'.repeat(5_000))
      },
      /is missing, but its log \S+-wal exists and would be lost/,
    ],
    [
      'an empty file with a log, which SQLite would delete',
      ({ path }) => {
        truncateSync(path, 0)
        writeFileSync(`${path}-wal`, 'x'.repeat(5_000))
      },
      /is empty/,
    ],
  ]
  test.each(files)('%s', async (_what, change, message) => {
    const place = await filledPlace()
    change(place)
    const before = readdirSync(place.dataDir).map((name) => [
      name,
      statSync(join(place.dataDir, name)).size,
    ])
    expect((await start(place)).fault?.message).toMatch(message)
    // The administrative commands, which check nothing, open it neither.
    expect(() => openSqlite({ dataDir: place.dataDir })).toThrow(message)
    expect(
      readdirSync(place.dataDir).map((name) => [name, statSync(join(place.dataDir, name)).size]),
    ).toEqual(before)
  })
})

describe('the log of a process that was killed', () => {
  /** As a kill leaves the files: copied while the database is open. */
  async function killed(): Promise<DamagedPlace> {
    const open = await filledPlace()
    const database = openSqlite({ dataDir: open.dataDir })
    for (let n = 0; n < 20; n++) {
      await database.transact((tx) =>
        tx.run(
          "INSERT INTO console_audit (at, actor_id, actor_name, action, outcome) VALUES ($1, 'x', 'x', 'late', 'done')",
          [n],
        ),
      )
    }
    const place = await filledPlace()
    for (const end of ['', '-wal']) copyFileSync(open.path + end, place.path + end)
    await database.close()
    return place
  }
  const late = ({ path }: DamagedPlace) =>
    closedAfter(path, (file) =>
      file.rows('count(*)', "console_audit WHERE action = 'late'"),
    )[0]?.[0]

  test('is read by SQLite itself, and nothing is logged', async () => {
    const place = await killed()
    expect(await start(place)).toEqual({ fault: undefined, lines: [] })
    expect(late(place)).toBe(20)
  })

  test('that was torn at its end loses what was not finished, and no more', async () => {
    const place = await killed()
    const log = `${place.path}-wal`
    truncateSync(log, statSync(log).size - 1_000)
    expect(await start(place)).toEqual({ fault: undefined, lines: [] })
    expect(late(place)).toBe(19)
  })

  test('that is damaged in its middle is reported with the commits that are missing, and kept', async () => {
    const place = await killed()
    const log = readFileSync(`${place.path}-wal`)
    log.fill(0xff, Math.floor(log.length / 2), Math.floor(log.length / 2) + 64)
    writeFileSync(`${place.path}-wal`, log)
    const { fault, lines } = await start(place)
    expect(fault).toBeUndefined()
    const kept = Number(late(place))
    expect(kept).toBeLessThan(20)
    expect(lines).toMatchObject([{ level: 'warn', commits: 20 - kept }])
    expect(readFileSync(lines[0]?.kept as string).equals(log)).toBe(true)
  })
})

describe('how deep it looks', () => {
  const hidden = async () => {
    const place = await filledPlace()
    place.damage('console_audit')
    return place
  }

  test('a file beyond the limits that was closed cleanly is not read', async () => {
    const { fault, lines } = await start(await hidden(), { fullBytes: 1, quickBytes: 2 })
    expect(fault).toBeUndefined()
    expect(lines).toMatchObject([{ level: 'info', msg: expect.stringContaining('not checked') }])
  })

  test('the same file after a stop that was not clean is', async () => {
    const place = await hidden()
    writeFileSync(`${place.path}-wal`, 'not a log')
    const { fault } = await start(place, { fullBytes: 1, quickBytes: 2 })
    expect(fault).toBeInstanceOf(StorageDamaged)
  })

  test('the setting full looks, and off does not', async () => {
    const limits = { fullBytes: 1, quickBytes: 2 }
    expect((await start(await hidden(), { ...limits, mode: 'full' })).fault).toBeDefined()
    expect((await start(await hidden(), { mode: 'off' })).fault).toBeUndefined()
  })
})

test('damage that is met later is a fault of the storage, by name, and reads of other tables continue', async () => {
  const place = await filledPlace()
  place.damage('console_audit')
  const database = openSqlite({ dataDir: place.dataDir })
  try {
    expect(await database.faults()).toEqual([])
    const read = database.read.all('SELECT * FROM console_audit NOT INDEXED')
    await expect(read).rejects.toBeInstanceOf(StorageDamaged)
    await expect(read).rejects.toThrow(/damaged: stop the server and run `adwire database check`/)
    // The snapshot of the reads ends with the turn, which must not throw where no one could catch it.
    await nextTurn()
    await nextTurn()
    expect(await database.read.all('SELECT key_id FROM api_keys')).toHaveLength(ROWS)
    expect(await database.faults()).toEqual([expect.stringContaining('is damaged')])
    await database.transact((tx) => tx.run('DELETE FROM api_keys WHERE key_id = $1', ['key_1']))
    expect(await database.faults()).toEqual([expect.stringContaining('is damaged')])
  } finally {
    await database.close()
  }
})

test('a database is created completely or not at all, regardless of which process is first', async () => {
  const place = await filledPlace()
  rmSync(place.path)
  const databases = [0, 1, 2].map(() => openSqlite({ dataDir: place.dataDir }))
  for (const database of databases) await database.close()
  expect(readdirSync(place.dataDir).filter((name) => name.includes('new'))).toEqual([])
  expect(statSync(place.path).size).toBeGreaterThan(0)
})
