// Texts for users keep to docs/contributing/glossary.md: the usual word, and none of those that it avoids.

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { proseOf, type Text, textsOf } from '../support/texts.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const AVOIDED =
  /\b(told|tells? of|heard|whoever|mend(?:s|ed|ing)?|wish(?:es|ed)?|workshops?|owed|by hand|in words|given up|gives up|give up|goes on|going on|strangers?|nobody|anew|so many|believed|in earnest|asked for|asks for|what is there|in plain words)\b/i

/** Texts that are data or code: word lists, models, SQL, style sheets, the names of things on the wire. */
const NOT_PROSE = [
  /^src\/creative\/(message|layout-engine|motion|directions|model|rendering)\//,
  /^src\/signals\/(matching|asks-for-all|demo)/,
  /^src\/storage\//,
  /^src\/protocol\/releases\//,
]

/** Pages with results of other programs, or of the specification. */
const QUOTED = ['interop.md', 'spec.md']

describe('texts for users avoid the words that the glossary avoids', () => {
  test.each([
    ['the server and its commands', 'src'],
    ['the console', 'console/src'],
  ])('in %s', (_what, folder) => {
    const found = filesOf(folder, /\.tsx?$/)
      .filter((path) => !NOT_PROSE.some((one) => one.test(path)))
      .flatMap((path) => {
        const lang = path.endsWith('x') ? ('tsx' as const) : ('ts' as const)
        return avoidedIn(path, textsOf(readFileSync(ROOT + path, 'utf8'), lang))
      })
    expect(found).toEqual([])
  })

  test('in the README and the documentation', () => {
    const pages = ['README.md', 'CHANGELOG.md', 'ARCHITECTURE.md', ...filesOf('docs', /\.md$/)]
    const found = pages
      .filter((path) => !QUOTED.some((one) => path.endsWith(one)) && !path.endsWith('glossary.md'))
      .flatMap((path) => avoidedIn(path, proseOf(readFileSync(ROOT + path, 'utf8'))))
    expect(found).toEqual([])
  })
})

function filesOf(folder: string, name: RegExp): string[] {
  return readdirSync(ROOT + folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => name.test(path))
    .map((path) => `${folder}/${path}`)
    .sort()
}

function avoidedIn(path: string, texts: readonly Text[]): string[] {
  return texts.flatMap(({ line, text }) => {
    const word = AVOIDED.exec(text)?.[0]
    return word === undefined || /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/.test(text)
      ? []
      : [`${path}:${line}: “${word}” in ${text.trim().slice(0, 120)}`]
  })
}
