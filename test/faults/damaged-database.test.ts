// A server on a database that was damaged while it was stopped: it says what is wrong and what to do in one line, or
// repairs what can be repaired without loss. Nothing is lost silently, and no query fails with a riddle later.

import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import type { findDamageInProcess as FindDamageInProcess } from '../../src/storage/sqlite/find-damage-in-process.ts'
import { call } from '../support/app.ts'
import { adwire, serve, start } from '../support/cli.ts'
import { type DamagedPlace, filledPlace } from '../support/damage.ts'
import { eventually } from '../support/eventually.ts'

const started = async ({ dataDir }: DamagedPlace) => {
  const { code, stdout, stderr } = await start(['serve', '--port', '0', '--data', dataDir]).ended
  return { code, stdout, lines: stderr.trim().split('\n') }
}

describe('a server does not start on', () => {
  const faults: [string, (place: DamagedPlace) => void, RegExp][] = [
    [
      'a damaged table',
      ({ damage }) => damage('console_audit'),
      /^error: the database \S+ is damaged \(.+\)\. Restore a backup/,
    ],
    [
      'a file that was cut short',
      ({ path }) => truncateSync(path, 500_000),
      /^error: \S+ is cut short/,
    ],
    [
      'an empty file',
      ({ path }) => truncateSync(path, 0),
      /^error: \S+ is empty, so its content is lost/,
    ],
    [
      'another file',
      ({ path }) => writeFileSync(path, 'a letter'),
      /^error: \S+ is not an SQLite database/,
    ],
  ]
  test.each(faults)('%s, and says so in one line', async (_what, change, message) => {
    const place = await filledPlace()
    change(place)
    const before = readFileSync(place.path)
    const { code, stdout, lines } = await started(place)
    expect([code, stdout, lines]).toEqual([1, '', [expect.stringMatching(message)]])
    expect(readFileSync(place.path).equals(before)).toBe(true)
  })
})

test('a damaged index is made again at the start; the command does the same without a server', async () => {
  const place = await filledPlace()
  const rows = place.rows()
  place.damage('console_audit_actor')
  const server = await serve(['--data', place.dataDir])
  expect(server.output.stderr).toContain('indexes of the database were damaged')
  expect((await call(`${server.url}/readyz`)).status).toBe(200)
  server.child.kill('SIGTERM')
  await server.ended
  expect(place.rows()).toEqual(rows)
  // A clean stop leaves no log behind.
  expect(statSync(`${place.path}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0)

  place.damage('console_audit_action')
  const at = ['--data', place.dataDir]
  const checked = await adwire(['database', 'check', '--json', ...at])
  expect(checked.code).toBe(1)
  expect(JSON.parse(checked.stdout)).toMatchObject({ ok: false, isOnlyIndexes: true })
  const repaired = await adwire(['database', 'repair', ...at])
  expect([repaired.code, repaired.stdout]).toEqual([0, expect.stringContaining('kept as')])
  expect(place.rows()).toEqual(rows)
  const again = await adwire(['database', 'check', ...at])
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('is not damaged')])
})

test('the command lists what is damaged in tables, and repairs nothing there', async () => {
  const place = await filledPlace()
  place.damage('console_audit', { from: 200 })
  const before = readFileSync(place.path)
  const at = ['--data', place.dataDir]
  const checked = await adwire(['database', 'check', ...at])
  expect([checked.code, checked.stdout]).toEqual([1, expect.stringContaining('restore a backup')])
  expect(checked.stdout).toMatch(/Tree \d+ page \d+/)
  const repaired = await adwire(['database', 'repair', ...at])
  expect([repaired.code, repaired.stderr]).toEqual([
    1,
    expect.stringContaining('cannot be repaired without loss'),
  ])
  expect(readFileSync(place.path).equals(before)).toBe(true)
})

test('damage that a start did not check for is a 503 and a failed check, and the server keeps running', async () => {
  const place = await filledPlace()
  const at = ['--data', place.dataDir]
  const made = await adwire(['principals', 'create', 'A', '--scopes', 'viewer', '--json', ...at])
  const { key } = JSON.parse(made.stdout) as { key: string }
  place.damage('console_audit', { from: 200 })
  const server = await serve([...at, '--database-check', 'off'], { ADWIRE_CONSOLE: 'true' })
  // What shares a commit with a sweep that meets the damage is refused with it.
  const session = await eventually(async () => {
    const answer = await fetch(`${server.url}/console/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ key }),
    })
    expect(answer.status).toBe(200)
    return answer
  })
  const cookie = session.headers.get('set-cookie')?.split(';')[0] ?? ''
  const pages: number[] = []
  let cursor = ''
  // Page by page into what is damaged.
  for (let n = 0; n < 40 && pages.at(-1) !== 503; n++) {
    const page = await fetch(`${server.url}/console/api/audit?limit=200${cursor}`, {
      headers: { cookie },
    })
    pages.push(page.status)
    if (page.status !== 200) break
    const { next_cursor } = (await page.json()) as { next_cursor?: string }
    cursor = `&cursor=${next_cursor}`
  }
  expect(pages.at(-1)).toBe(503)
  const ready = await call(`${server.url}/readyz`)
  expect([ready.status, ready.body.error]).toEqual([
    503,
    expect.stringContaining('damaged: stop the server and run `adwire database check`'),
  ])
  expect((await call(`${server.url}/api/manifest-refs/lookup?domain=a.example`)).status).toBe(200)
})

describe('a check in a process of its own', () => {
  let findDamageInProcess: typeof FindDamageInProcess
  beforeAll(async () => {
    const path = '../../dist/storage/sqlite/find-damage-in-process.js'
    ;({ findDamageInProcess } = (await import(path)) as {
      findDamageInProcess: typeof FindDamageInProcess
    })
  })

  test('lists everything, so that an index whose root is gone is known to be the only damage', async () => {
    const place = await filledPlace()
    place.damageRoot('console_audit_actor')
    const damage = await findDamageInProcess(place.path, 'quick')
    expect(damage).toMatchObject({ isOnlyIndexes: true, isAll: true })
  })

  test('is ended when its time is up', async () => {
    const place = await filledPlace()
    expect(await findDamageInProcess(place.path, 'full', 1)).toBe('late')
  })

  test('finds nothing in a whole file', async () => {
    const place = await filledPlace()
    expect(await findDamageInProcess(place.path, 'full')).toBeUndefined()
  })
})

const NOBODY = 65_534
const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const asNobody = (...args: string[]) =>
  spawnSync(
    'setpriv',
    [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', process.execPath, MAIN, ...args],
    { env: { PATH: process.env.PATH } },
  )
const canDropPrivileges = asNobody('--version').status === 0
if (!canDropPrivileges) console.warn('SKIPPED: tests of read-only files need root, and setpriv')

describe.skipIf(!canDropPrivileges)(
  'a user that may not write gets a sentence and not a riddle:',
  () => {
    const own = (place: DamagedPlace) => {
      for (const path of [place.dataDir, place.path]) chownSync(path, NOBODY, NOBODY)
      return place
    }
    const error = (place: DamagedPlace) => {
      const { status, stderr } = asNobody('serve', '--port', '0', '--data', place.dataDir)
      expect(status).toBe(1)
      return String(stderr)
    }

    test('a read-only file', async () => {
      const place = own(await filledPlace())
      chmodSync(place.path, 0o400)
      expect(error(place)).toMatch(
        /^error: cannot use the database \S+: this user may not write to it: .*chmod 600/,
      )
    })

    test('a file of someone else', async () => {
      const place = own(await filledPlace())
      chownSync(place.path, 0, 0)
      chmodSync(place.path, 0o644)
      expect(error(place)).toMatch(
        /^error: cannot use the database \S+: this user may not write to it/,
      )
    })

    test('a read-only folder', async () => {
      const place = own(await filledPlace())
      writeFileSync(join(place.dataDir, 'serve.lock'), '', { mode: 0o600 })
      chownSync(join(place.dataDir, 'serve.lock'), NOBODY, NOBODY)
      chmodSync(place.dataDir, 0o500)
      expect(error(place)).toMatch(
        /^error: cannot use the data folder \S+: this user may not write there/,
      )
      chmodSync(place.dataDir, 0o700)
    })

    test('a folder that cannot be made', async () => {
      const place = own(await filledPlace())
      mkdirSync(join(place.dataDir, 'closed'), { mode: 0o555 })
      const { stderr } = asNobody('serve', '--data', join(place.dataDir, 'closed', 'data'))
      expect(String(stderr)).toMatch(
        /^error: cannot use the data folder .*: this user may not write there/,
      )
    })
  },
)
