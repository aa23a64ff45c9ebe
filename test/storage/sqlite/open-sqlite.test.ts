import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect, onTestFinished, test, vi } from 'vitest'
import { StorageUnavailable } from '../../../src/lib/transaction.ts'
import { SQLITE_FILE } from '../../../src/storage/sqlite/database-file.ts'
import { openSqlite } from '../../../src/storage/sqlite/open-sqlite.ts'
import { turnSnapshot } from '../../../src/storage/sqlite/turn-snapshot.ts'
import { eventually } from '../../support/eventually.ts'

async function opened(options: { flush?: () => Promise<void> } = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'adwire-test-'))
  const database = openSqlite({ dataDir, ...options })
  await database.transact((tx) => tx.run('CREATE TABLE things (v TEXT PRIMARY KEY, b BLOB)'))
  const other = new DatabaseSync(join(dataDir, SQLITE_FILE), { timeout: 0 })
  onTestFinished(async () => {
    if (other.isOpen) other.close()
    // One test has closed it already.
    await database.close().catch(() => {})
    rmSync(dataDir, { recursive: true, force: true })
  })
  return {
    dataDir,
    database,
    other,
    put: (v: string) =>
      database.transact((tx) => tx.run('INSERT INTO things (v) VALUES ($1)', [v])),
    pragma: (sql: string) => database.transact((tx) => tx.get<Record<string, unknown>>(sql)),
    /** What another process would see. */
    seen: () =>
      other
        .prepare('SELECT v FROM things ORDER BY v')
        .all()
        .map((row) => row.v),
  }
}

test('the file is in WAL mode, and its log is the one that is flushed', async () => {
  const { pragma, dataDir } = await opened()
  expect(Object.values((await pragma('PRAGMA journal_mode')) ?? {})).toEqual(['wal'])
  expect(Object.values((await pragma('PRAGMA synchronous')) ?? {})).toEqual([1])
  expect(Object.values((await pragma('PRAGMA foreign_keys')) ?? {})).toEqual([1])
  if (process.platform !== 'linux') return
  const log = statSync(join(dataDir, `${SQLITE_FILE}-wal`)).ino
  const open = readdirSync('/proc/self/fd').map((fd) => {
    const { ino } = statSync(`/proc/self/fd/${fd}`, { throwIfNoEntry: false }) ?? {}
    return ino
  })
  // The writer's, the reader's, and the one that flushes.
  expect(open.filter((ino) => ino === log).length).toBe(3)
})

/** A disk that says when it has written. */
function disk() {
  const flushes: { end(): void; fail(error: Error): void }[] = []
  const flush = () =>
    new Promise<void>((resolve, reject) => flushes.push({ end: resolve, fail: reject }))
  return { flushes, flush }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Opened, with the transaction of `opened` flushed. */
async function onDisk() {
  const { flushes, flush } = disk()
  const opening = opened({ flush })
  await eventually(() => expect(flushes.length).toBe(1))
  flushes[0]?.end()
  return { flushes, ...(await opening) }
}

test('a transaction resolves, and wakes, after the flush that holds it', async () => {
  const { flushes, database } = await onDisk()
  const reported: string[] = []
  database.onWake('topic', () => reported.push('woken'))
  const first = database
    .transact(async (tx) => {
      await tx.run("INSERT INTO things (v) VALUES ('a')")
      await tx.wake('topic')
      tx.afterCommit(() => reported.push('heard'))
    })
    .then(() => reported.push('first'))
  await eventually(() => expect(flushes.length).toBe(2))
  expect(reported).toEqual([])
  flushes[1]?.end()
  await first
  expect(reported.sort()).toEqual(['first', 'heard', 'woken'])
})

test('what comes while the disk is busy shares the next flush', async () => {
  const { flushes, put } = await onDisk()
  const all = [put('a')]
  await eventually(() => expect(flushes.length).toBe(2))
  for (const v of ['b', 'c', 'd']) {
    all.push(put(v))
    await turn()
  }
  flushes[1]?.end()
  await eventually(() => expect(flushes.length).toBe(3))
  flushes[2]?.end()
  await Promise.all(all)
  expect(flushes.length).toBe(3)
})

test('one that need not be flushed waits for no disk, and is kept with the next', async () => {
  const { flushes, put, database, seen } = await onDisk()
  const slow = put('a')
  await eventually(() => expect(flushes.length).toBe(2))
  await database.transact((tx) => tx.run("INSERT INTO things (v) VALUES ('b')"), {
    isFlushed: false,
  })
  expect(seen()).toEqual(['a', 'b'])
  expect(flushes.length).toBe(2)
  flushes[1]?.end()
  await slow
})

test('a flush that failed is a fault until the file is opened again', async () => {
  const { flushes, put, database } = await onDisk()
  const lost = put('a')
  await eventually(() => expect(flushes.length).toBe(2))
  flushes[1]?.fail(new Error('EIO'))
  await expect(lost).rejects.toBeInstanceOf(StorageUnavailable)
  expect(await database.faults()).toEqual([expect.stringContaining('could not be flushed')])
})

test('reads that SQLite has ended by itself leave nothing behind that throws', async () => {
  const connection = new DatabaseSync(':memory:')
  const read = async () => {
    // As after a disk that could not be read: the transaction is gone.
    connection.exec('ROLLBACK')
    throw new Error('disk I/O error')
  }
  const queries = { all: read, get: read, run: read, runEach: read }
  const snapshot = turnSnapshot(connection, queries)
  await expect(snapshot.read.get('SELECT 1')).rejects.toThrow('disk I/O error')
  await turn()
  expect(() => snapshot.end()).not.toThrow()
  connection.close()
})

test('after a flush has failed nothing is accepted any more', async () => {
  const { flushes, put } = await onDisk()
  const [lost, next] = [put('a'), turn().then(() => put('b'))]
  await eventually(() => expect(flushes.length).toBe(2))
  flushes[1]?.fail(new Error('EIO'))
  await expect(lost).rejects.toBeInstanceOf(StorageUnavailable)
  await expect(next).rejects.toBeInstanceOf(StorageUnavailable)
  await expect(put('c')).rejects.toThrow('could not be flushed to the disk')
})

test('all callers that have waited as long for a locked file are notified together', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  let waitedMs = 0
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + waitedMs)
  onTestFinished(() => {
    vi.restoreAllMocks()
    vi.useRealTimers()
  })
  const { put, other } = await opened()
  other.exec('BEGIN IMMEDIATE')
  const all = ['a', 'b', 'c'].map((v) => put(v).catch((error: unknown) => error))
  let received = 0
  for (const one of all) void one.then(() => received++)
  await Promise.resolve()
  waitedMs = 20_000
  for (let tries = 0; received < 3 && tries < 5; tries++) await vi.advanceTimersByTimeAsync(100)
  expect(received).toBe(3)
  for (const one of all) expect(await one).toBeInstanceOf(StorageUnavailable)
  other.exec('ROLLBACK')
  await put('d')
})

test('a transaction resolves after its commit: another connection sees it then', async () => {
  const { put, seen } = await opened()
  for (let n = 0; n < 20; n++) {
    await put(`v${n}`)
    expect(seen()).toContain(`v${n}`)
  }
})

test('transactions that wait together share one commit', async () => {
  const { database, put, seen } = await opened()
  const seenMeanwhile: unknown[][] = []
  await Promise.all([
    put('first'),
    database.transact(async (tx) => {
      expect(await tx.get("SELECT v FROM things WHERE v = 'first'")).toBeDefined()
      seenMeanwhile.push(seen())
    }),
    put('third'),
  ])
  expect(seenMeanwhile).toEqual([[]])
  expect(seen()).toEqual(['first', 'third'])
})

test('one that fails among those that share a commit undoes only its own', async () => {
  const { database, put, seen } = await opened()
  const outcomes = await Promise.allSettled([
    put('a'),
    database.transact(async (tx) => {
      await tx.run("INSERT INTO things (v) VALUES ('b')")
      await tx.run("INSERT INTO things (v) VALUES ('a')")
    }),
    put('c'),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(seen()).toEqual(['a', 'c'])
})

test('while another process writes, a transaction waits and reads continue', async () => {
  const { database, other, put, seen } = await opened()
  other.exec('BEGIN IMMEDIATE')
  other.exec("INSERT INTO things (v) VALUES ('theirs')")
  const waiting = put('ours')
  expect(await database.read.all('SELECT * FROM things')).toEqual([])
  await new Promise((resolve) => setTimeout(resolve, 250))
  other.exec('COMMIT')
  await waiting
  expect(seen()).toEqual(['ours', 'theirs'])
})

test('a full disk is StorageUnavailable, keeps no half, and room makes it work again', async () => {
  const { database, put, pragma, seen } = await opened()
  const { page_count } = (await pragma('PRAGMA page_count')) as { page_count: number }
  await pragma(`PRAGMA max_page_count = ${page_count + 8}`)
  const big = new Uint8Array(20_000)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, (_, n) =>
      database.transact(async (tx) => {
        await tx.run('INSERT INTO things (v) VALUES ($1)', [`small-${n}`])
        await tx.run('INSERT INTO things (v, b) VALUES ($1, $2)', [`big-${n}`, big])
      }),
    ),
  )
  expect(outcomes.some(({ status }) => status === 'rejected')).toBe(true)
  const rows = seen()
  outcomes.forEach((outcome, n) => {
    if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(StorageUnavailable)
    expect(rows.includes(`small-${n}`)).toBe(outcome.status === 'fulfilled')
    expect(rows.includes(`big-${n}`)).toBe(outcome.status === 'fulfilled')
  })
  await pragma('PRAGMA max_page_count = 1000000')
  await put('again')
  expect(seen()).toContain('again')
})

test('a read-only file is StorageUnavailable', async () => {
  const { put, pragma } = await opened()
  await pragma('PRAGMA query_only = ON')
  await expect(put('x')).rejects.toBeInstanceOf(StorageUnavailable)
})

test('a fault of the program is not taken for a fault of the store', async () => {
  const { database } = await opened()
  const typo = database.transact((tx) => tx.run('INSRT INTO things'))
  await expect(typo).rejects.not.toBeInstanceOf(StorageUnavailable)
})

test('a close waits for what was handed in and refuses more', async () => {
  const { database, put, seen, other, dataDir } = await opened()
  const last = put('last')
  const closing = database.close()
  await expect(put('late')).rejects.toBeInstanceOf(StorageUnavailable)
  await Promise.all([last, closing])
  expect(seen()).toEqual(['last'])
  other.close()
  const again = openSqlite({ dataDir })
  expect(await again.read.all('SELECT v FROM things')).toEqual([{ v: 'last' }])
  await again.close()
})

test('once a foreign change was noticed, a read of the same turn sees it', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'adwire-turn-'))
  const mine = openSqlite({ dataDir })
  const other = openSqlite({ dataDir })
  onTestFinished(async () => {
    await Promise.all([mine.close(), other.close()])
    rmSync(dataDir, { recursive: true, force: true })
  })
  await mine.transact((tx) => tx.run('CREATE TABLE t (x INTEGER)'))
  const before = mine.foreignVersion?.()
  // Both happen in one turn of the event loop, so the first read's snapshot is still open.
  expect(await mine.read.all('SELECT x FROM t')).toEqual([])
  await other.transact((tx) => tx.run('INSERT INTO t (x) VALUES (1)'))
  expect(mine.foreignVersion?.()).not.toBe(before)
  expect(await mine.read.all('SELECT x FROM t')).toHaveLength(1)
})
