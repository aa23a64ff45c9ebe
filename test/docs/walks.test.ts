// The walks of ARCHITECTURE.md are the ways that requests really go: each file is there, is reached from one before
// it, and never leads back up.

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8')

interface Step {
  file: string
  /** The interface that it stands behind, where no one before it imports it. */
  port: string | undefined
}

const walks = walksOf(page)

test('there are six walks: a task call, webhooks out and in, a report, a console page and an outgoing call', () => {
  expect([...walks.keys()]).toEqual([
    'A task call',
    'A webhook out',
    'A webhook in',
    'A media buy to its report and webhook',
    'A console page',
    'An outgoing call',
  ])
})

describe.each([...walks])('%s', (_, steps) => {
  const files = steps.map(({ file }) => file)

  test('names files that are there, each once', () => {
    const all = [...files, ...steps.flatMap(({ port }) => port ?? [])]
    expect(all.filter((file) => !existsSync(join(ROOT, 'src', file)))).toEqual([])
    expect(new Set(files).size).toBe(files.length)
    expect(files.length).toBeGreaterThan(3)
  })

  test('reaches each file from one before it, by its import or by a port that both know', () => {
    const unreached = steps.filter(({ file, port }, at) => {
      if (at === 0) return false
      const before = files.slice(0, at)
      if (port === undefined) return !before.some((earlier) => importsOf(earlier).has(file))
      return !before.some((earlier) => importsOf(earlier).has(port)) || !importsOf(file).has(port)
    })
    expect(unreached).toEqual([])
  })

  test('leads to no file that imports one before it', () => {
    const up = files.flatMap((file, at) =>
      files
        .slice(0, at)
        .flatMap((earlier) => (importsOf(file).has(earlier) ? [[file, earlier]] : [])),
    )
    expect(up).toEqual([])
  })

  test('comes back to no folder that it has left, lib/ aside', () => {
    const folders = files.map((file) => file.split('/')[0]).filter((folder) => folder !== 'lib')
    const entered = folders.filter((folder, at) => folder !== folders[at - 1])
    expect(new Set(entered).size).toBe(entered.length)
  })
})

/** Under "Six walks": a heading each, and a numbered line for each file. */
function walksOf(text: string): Map<string, Step[]> {
  const section = text.split(/^## /m).find((part) => part.startsWith('Six walks')) ?? ''
  const parts = section.split(/^### /m).slice(1)
  return new Map(
    parts.map((part) => {
      const [name = '', ...lines] = part.split('\n')
      const steps = lines.flatMap((line): Step[] => {
        const [, file, port] = /^\d+\. `([^`]+)`(?:, behind `([^`]+)`)?:/.exec(line) ?? []
        return file === undefined ? [] : [{ file, port }]
      })
      return [name, steps]
    }),
  )
}

/** Paths below src/, of values and of types. */
function importsOf(file: string): Set<string> {
  const text = readFileSync(join(ROOT, 'src', file), 'utf8')
  const named = [...text.matchAll(/(?:from|import|import\()\s*'(\.[^']+)'/g)]
  return new Set(named.map(([, path = '']) => join(dirname(file), path)))
}
