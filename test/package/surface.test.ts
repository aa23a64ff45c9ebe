import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exportedNames, isDocumented } from './exported-names.ts'
import { ROOT, run } from './install.ts'

/** What is public, by entry: a change of it is a decision, and is made here too. */
const SURFACE = JSON.parse(
  readFileSync(new URL('./surface.json', import.meta.url), 'utf8'),
) as Record<string, readonly string[]>

const { exports: entries } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  exports: Record<string, unknown>
}
const sourceOf = (entry: string) => join(ROOT, 'src', entry, 'index.ts')

test('the list of what is public has every entry of the package', () => {
  const modules = Object.keys(entries).filter((entry) => !entry.endsWith('.json'))
  expect(Object.keys(SURFACE)).toEqual(modules)
})

test.each(Object.entries(SURFACE))(
  'the entry %s exports the names that are listed, and no others',
  (entry, listed) => {
    const names = exportedNames(sourceOf(entry)).map(({ name }) => name)
    expect([...new Set(names)].sort()).toEqual(listed)
  },
)

test('the built entries have no value that is not listed', async () => {
  const names = Object.keys(SURFACE).map((entry) => `adwire${entry.slice(1)}`)
  const code = `
    const modules = await Promise.all(${JSON.stringify(names)}.map((name) => import(name)))
    console.log(JSON.stringify(modules.map((module) => Object.keys(module))))`
  const ran = await run(process.execPath, ['--input-type=module', '-e', code], { cwd: ROOT })
  const values = JSON.parse(ran.stdout) as string[][]
  const unlisted = Object.values(SURFACE).map((listed, n) =>
    values[n]?.filter((name) => !listed.includes(name)),
  )
  expect(unlisted).toEqual(names.map(() => []))
})

test('everything that the front door exports says what it is', () => {
  const undocumented = exportedNames(sourceOf('.')).filter((one) => !isDocumented(one))
  expect(undocumented).toEqual([])
})
