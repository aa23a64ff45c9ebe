import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderFault, privateFile } from '../../src/storage/sqlite/private-files.ts'
import { adwire, folder } from '../support/cli.ts'

test('a command on a folder without a database is refused, and creates none without --create', async () => {
  const data = join(folder(), 'typo')
  const list = ['orgs', 'list', '--json', '--data', data]
  expect(await adwire(list)).toMatchObject({
    code: 2,
    stdout: '',
    stderr: `error: no database at ${data}: serve makes one, or give --create\n`,
  })
  expect(existsSync(data)).toBe(false)
  expect(await adwire([...list, '--create'])).toMatchObject({ code: 0, stdout: '[]\n' })
})

test('a missing database host ends the command with one line, without the password', async () => {
  const url = 'postgres://u:hush@nohost.invalid/adwire'
  for (const command of [
    ['serve', '--port', '0'],
    ['orgs', 'list'],
  ]) {
    const { code, stderr } = await adwire([...command, '--database-url', url])
    expect([command, code]).toEqual([command, 1])
    expect(stderr).toMatch(
      /^error: the PostgreSQL database cannot be reached at nohost\.invalid\/adwire \(schema adwire\) \(E\w+\): check --database-url\n$/,
    )
  }
})

test('an unusable data folder is reported with its path and how to fix it, and nothing spins', () => {
  const file = join(folder(), 'file')
  writeFileSync(file, '')
  for (const path of [file, join(file, 'under')]) {
    expect(() => privateFile(path, 'x')).toThrow(
      `cannot use the data folder ${path}: it is, or lies in, a file: give a folder with --data`,
    )
  }
  // Where nothing can be made, not even by root.
  expect(() => privateFile('/proc/nowhere/deep', 'x')).toThrow(
    'cannot use the data folder /proc/nowhere/deep: it cannot be made there',
  )
  const denied = Object.assign(new Error('EACCES: …'), { code: 'EACCES' })
  expect(folderFault(denied, '/srv/x').message).toBe(
    'cannot use the data folder /srv/x: this user may not write there: give a folder of its own with --data',
  )
  expect(readFileSync(file, 'utf8')).toBe('')
})

test('an old Node is reported with the required version, before any of our code is loaded', async () => {
  const fake = `data:text/javascript,${encodeURIComponent(
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.0' } })",
  )}`
  const { code, stdout, stderr } = await adwire(['--version'], {
    NODE_OPTIONS: `--import ${fake}`,
  })
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^error: adwire needs Node 20\.19 or later, .*: install a newer one\n$/)
})
