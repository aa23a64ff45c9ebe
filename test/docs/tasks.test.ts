import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { KNOWN_TASKS } from '../../src/client/known-tasks.ts'

const pageOf = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../docs/${name}`, import.meta.url)), 'utf8')

test('the table of tasks.md has every task of the protocol', () => {
  const [table = ''] = /(?:^\|.*\n)+/m.exec(pageOf('tasks.md')) ?? []
  const named = [...table.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name)
  expect(Object.keys(KNOWN_TASKS).filter((task) => !named.includes(task))).toEqual([])
})

test('install.md has every entry of the package', () => {
  const { name, exports } = JSON.parse(
    readFileSync(fileURLToPath(new URL('../../package.json', import.meta.url)), 'utf8'),
  ) as { name: string; exports: Record<string, unknown> }
  const entries = Object.keys(exports).filter((entry) => entry !== './package.json')
  const missing = entries.filter(
    (entry) => !pageOf('install.md').includes(`| \`${entry.replace('.', name)}\` |`),
  )
  expect(missing).toEqual([])
})
