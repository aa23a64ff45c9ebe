import { existsSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFilmFolder, sweepFilmFolders } from '../../../src/creative/video/film-folders.ts'
import { startApp } from '../../support/app.ts'
import { folder } from '../../support/cli.ts'
import { eventually } from '../../support/eventually.ts'

const HOUR_MS = 3_600_000
const NOW = Date.parse('2026-01-02T12:00:00Z')

function aged(path: string, hours: number, now = NOW): string {
  const at = new Date(now - hours * HOUR_MS)
  utimesSync(path, at, at)
  return path
}

function made(root: string, name: string, hours: number): string {
  const path = join(root, name)
  mkdirSync(path)
  writeFileSync(join(path, 'frame.png'), 'x')
  return aged(path, hours)
}

function sweep(root: string) {
  const reported: string[] = []
  const log = { debug: (_: unknown, message: string) => reported.push(message) }
  return sweepFilmFolders({ clock: { now: () => NOW }, log: log as never, root }).then(
    () => reported,
  )
}

test('folders of films that were left behind hours ago are removed, and no others', async () => {
  const root = folder()
  const old = made(root, 'adwire-video-aB3xyZ', 7)
  const kept = [
    made(root, 'adwire-video-young1', 1),
    made(root, 'adwire-video-of-mine', 99),
    made(root, 'adwire-browser-aB3xyZ', 99),
    made(root, 'my-adwire-video-aB3xyZ', 99),
  ]
  const file = join(root, 'adwire-video-aFile0')
  writeFileSync(file, 'x')
  kept.push(aged(file, 99))

  expect(await sweep(root)).toEqual(['the folder of an old film was removed'])
  expect(existsSync(old)).toBe(false)
  expect(kept.filter((path) => !existsSync(path))).toEqual([])
})

test('a link is not followed, neither as such a folder nor within one', async () => {
  const root = folder()
  const elsewhere = made(folder(), 'precious', 99)
  symlinkSync(elsewhere, join(root, 'adwire-video-Link00'))
  const old = made(root, 'adwire-video-aB3xyZ', 7)
  symlinkSync(elsewhere, join(old, 'link'))
  aged(old, 7)

  await sweep(root)
  expect(existsSync(old)).toBe(false)
  expect(existsSync(join(root, 'adwire-video-Link00'))).toBe(true)
  expect(existsSync(join(elsewhere, 'frame.png'))).toBe(true)
})

test('a folder that cannot be read is reported at the debug level only', async () => {
  expect(await sweep('/no/such/folder')).toEqual(['folders of old films were not looked for'])
})

test('a server sweeps them when it starts, by the name that it makes them with', async () => {
  const left = await makeFilmFolder()
  expect(dirname(left)).toBe(tmpdir())
  expect(basename(left)).toMatch(/^adwire-video-/)
  aged(left, 7, Date.now())
  const app = await startApp({})
  try {
    await eventually(() => expect(existsSync(left)).toBe(false))
  } finally {
    await app.stop()
  }
})
