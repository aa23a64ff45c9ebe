// The names that an entry of the package exports, read from its source: those of values and of types.

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface ExportedName {
  name: string
  /** The file that declares it, where that is one of ours. */
  file: string | undefined
}

const LIST = /^export (?:type )?\{([^}]*)\} from '([^']+)'/gm
const ALL = /^export \* from '([^']+)'/gm
const DECLARED = /^export (?:async )?(?:function|const|class|interface|type) (\w+)/gm

export function exportedNames(entry: string): ExportedName[] {
  const text = readFileSync(entry, 'utf8')
  const fileOf = (from: string) => (from.startsWith('.') ? join(dirname(entry), from) : undefined)
  const listed = [...text.matchAll(LIST)].flatMap(([, names = '', from = '']) =>
    names
      .split(',')
      .map((name) => name.trim().replace(/^type /, ''))
      .filter((name) => name !== '')
      .map((name) => ({ name, file: fileOf(from) })),
  )
  const others = [...text.matchAll(ALL)].flatMap(([, from = '']) =>
    exportedNames(join(dirname(entry), from)),
  )
  const declared = [...text.matchAll(DECLARED)].map(([, name = '']) => ({ name, file: entry }))
  return [...listed, ...others, ...declared]
}

/** Whether a comment of documentation stands before the declaration. */
export function isDocumented({ name, file }: ExportedName): boolean {
  if (file === undefined) return true
  const lines = readFileSync(file, 'utf8').split('\n')
  const declaration = new RegExp(
    `^export (?:async )?(?:function|const|class|interface|type) ${name}\\b`,
  )
  const before = lines
    .slice(
      0,
      lines.findIndex((line) => declaration.test(line)),
    )
    .filter((line) => !line.startsWith('// biome-ignore'))
  return before.at(-1)?.endsWith('*/') === true
}
