import { expect, test } from 'vitest'
import { findConfinement } from '../../../src/lib/browser/confinement.ts'

const found = (isRoot: boolean, hasNamespaces: boolean) =>
  findConfinement({ isRoot, searchPath: '', works: () => hasNamespaces })

test('with user namespaces a browser has its sandbox and no network, regardless of the user that runs the server', () => {
  for (const isRoot of [true, false]) {
    const { before, hasSandbox } = found(isRoot, true)
    expect(hasSandbox).toBe(true)
    expect(before).toContain('--net')
  }
})

test('only root drops the sandbox, and only where it cannot work', () => {
  expect(found(false, false)).toEqual({ before: [], user: undefined, hasSandbox: true })
  expect(found(true, false)).toMatchObject({ before: [], hasSandbox: false })
})

test('a browser never runs as root', () => {
  expect(found(true, true).user).toEqual({ uid: 65_534, gid: 65_534 })
  expect(found(true, false).user).toEqual({ uid: 65_534, gid: 65_534 })
})

test('what the system offers is tried as the user that the browser runs as', () => {
  const tried: unknown[] = []
  const works = (command: readonly string[], user: unknown) =>
    tried.push([command.at(-1), user]) > 0
  findConfinement({ isRoot: true, searchPath: '', works })
  expect(tried).toEqual([['true', { uid: 65_534, gid: 65_534 }]])
})

test('a program that is not there works for no one', () => {
  expect(findConfinement({ isRoot: false, searchPath: '/nowhere' }).before).toEqual([])
})
