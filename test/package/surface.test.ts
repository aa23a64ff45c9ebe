import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { exportedNames, isDocumented } from './exported-names.ts'
import { ROOT } from './install.ts'

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

describe.each(Object.entries(SURFACE))('the entry %s', (entry, listed) => {
  test('exports the names that are listed, and no others', () => {
    const names = exportedNames(sourceOf(entry)).map(({ name }) => name)
    expect([...new Set(names)].sort()).toEqual(listed)
  })

  test('has every value that it exports in the list', async () => {
    const values = Object.keys(await import(sourceOf(entry)))
    expect(values.filter((name) => !listed.includes(name))).toEqual([])
  })
})

test('everything that the front door exports says what it is', () => {
  const undocumented = exportedNames(sourceOf('.')).filter((one) => !isDocumented(one))
  expect(undocumented).toEqual([])
})
