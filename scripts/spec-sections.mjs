// docs/spec.md and what cites it: the sections of the page, the files that name one ("spec 6.4" in a
// comment or in the title of a test), and the lines of the page that list those files.

import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const NUMBER = String.raw`\d+(?:\.\d+)?`
const CITED = new RegExp(String.raw`\bspec (${NUMBER}(?:(?:, | and | to )${NUMBER})*)`, 'g')
const HEADING = new RegExp(String.raw`^##+ (${NUMBER})\.? `)
const FILES = /^(?:In the source|In the tests): /

/** Which files below `root` cite which section: a map from its number to the sorted paths. */
export function citedSections(root, folder) {
  const cited = new Map()
  for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(ts|mjs)$/.test(entry.name)) continue
    const path = join(entry.parentPath, entry.name)
    for (const [, list] of readFileSync(path, 'utf8').matchAll(CITED)) {
      for (const [number] of list.matchAll(new RegExp(NUMBER, 'g'))) {
        const paths = cited.get(number) ?? new Set()
        cited.set(number, paths.add(relative(root, path)))
      }
    }
  }
  return new Map([...cited].map(([number, paths]) => [number, [...paths].sort()]))
}

/** The sections of the page in their order: number, and the text without the lists of files. */
export function sectionsOf(page) {
  const sections = []
  for (const line of page.split('\n')) {
    const number = HEADING.exec(line)?.[1]
    if (number !== undefined) sections.push({ number, lines: [] })
    else if (!FILES.test(line)) sections.at(-1)?.lines.push(line)
  }
  return sections.map(({ number, lines }) => ({ number, text: lines.join('\n').trim() }))
}

/** The page with the lists of files of each section, which are at its end. */
export function withFiles(page, root) {
  const source = citedSections(root, 'src')
  const tests = citedSections(root, 'test')
  const lines = page.split('\n').filter((line) => !FILES.test(line))
  const starts = lines.flatMap((line, at) => (HEADING.test(line) ? [at] : []))
  const head = lines.slice(0, starts[0])
  const parts = starts.map((start, n) => {
    const part = lines.slice(start, starts[n + 1])
    const number = HEADING.exec(part[0])?.[1]
    const lists = [
      ['In the source', source.get(number)],
      ['In the tests', tests.get(number)],
    ].flatMap(([title, paths]) => (paths ? ['', `${title}: ${shortened(paths)}`] : []))
    return [...trimmed(part), ...lists, '']
  })
  return `${[...trimmed(head), '', ...parts.flat()].join('\n').trimEnd()}\n`
}

function trimmed(lines) {
  return lines.join('\n').trimEnd().split('\n')
}

/** Files of one folder stand together: `src/lib/{a,b}.ts`. */
function shortened(paths) {
  const folders = new Map()
  for (const path of paths) {
    const at = path.lastIndexOf('/')
    const names = folders.get(path.slice(0, at)) ?? []
    folders.set(path.slice(0, at), [...names, path.slice(at + 1)])
  }
  return [...folders]
    .map(([folder, names]) =>
      names.length === 1 ? `\`${folder}/${names[0]}\`` : `\`${folder}/{${names.join(',')}}\``,
    )
    .join(', ')
}
