// Whether a database file is intact, according to SQLite's own checks, and whether problems affect only indexes:
// these can be rebuilt from their tables, so nothing is lost.

import { closedAfter, type FileConnection, literal } from './closed-after.ts'
import { isDamage, sqliteError } from './errors.ts'

/** `quick` reads every page; `full` also compares every index with its table, which takes about eight times as long. */
export type Depth = 'quick' | 'full'

export interface Damage {
  /** In SQLite's words. */
  problems: readonly string[]
  /** Whether these are all. */
  isAll: boolean
  /** Whether all tables are intact, as far as is known. */
  isOnlyIndexes: boolean
}

/** Of a check that lists no more. */
const MAX_LISTED = 100

/** Undefined if the file is intact. Reads the whole file, on this thread, and lists the first problems. */
export function findDamage(path: string, depth: Depth): Damage | undefined {
  return orDamage(() =>
    closedAfter(path, (file) => {
      file.exec('PRAGMA query_only = ON')
      const check = (name: Check) => file.rows(name, `pragma_${name}`).map(([text]) => String(text))
      return damageIn(file, problemsOf(check, depth), MAX_LISTED)
    }),
  )
}

export type Check = 'quick_check' | 'integrity_check'

/** The output of the check, line by line. Damage that makes it impossible to read on is also a line. */
export function orDamage(check: () => Damage | undefined): Damage | undefined {
  try {
    return check()
  } catch (error) {
    if (!isDamage(error)) throw sqliteError(error)
    return { problems: [(error as Error).message], isOnlyIndexes: false, isAll: false }
  }
}

export function problemsOf(check: (name: Check) => string[], depth: Depth): string[] {
  const lines = (name: Check) =>
    check(name)
      .flatMap((text) => text.split('\n'))
      .filter((line) => line !== 'ok' && line !== '' && !line.startsWith('*** in database'))
  const quick = lines('quick_check')
  // The findings of the quick check are classified by their lines; the full check may stop at them.
  return quick.length > 0 || depth === 'quick' ? quick : lines('integrity_check')
}

/** `most`: the maximum number of problems that a check lists. */
export function damageIn(
  file: Pick<FileConnection, 'rows'>,
  problems: readonly string[],
  most: number,
): Damage | undefined {
  if (problems.length === 0) return undefined
  const isAll = problems.length < most
  return { problems, isAll, isOnlyIndexes: isAll && areTablesWhole(file, problems) }
}

/** Every problem must be recognised as one of an index; anything else counts as one of a table. */
function areTablesWhole(file: Pick<FileConnection, 'rows'>, problems: readonly string[]): boolean {
  const roots = file.rows('rootpage', "sqlite_schema WHERE type = 'index'")
  const indexRoots = new Set(roots.map(([root]) => root))
  let tablePages: ReadonlySet<unknown> | undefined
  const isOfIndex = (line: string): boolean => {
    const tree = /^Tree (\d+) page \d+/.exec(line)?.[1]
    if (tree !== undefined) return indexRoots.has(Number(tree))
    if (INDEX_FAULT.test(line)) return true
    const page = PAGE_FAULT.exec(line)?.[1]
    if (page === undefined) return false
    tablePages ??= pagesOfTables(file)
    return !tablePages.has(Number(page))
  }
  // Pages that nothing refers to: they belonged to a tree whose own damage is listed too.
  const others = problems.filter((line) => !/^Page \d+: never used$/.test(line))
  return others.length > 0 && others.every(isOfIndex)
}

const INDEX_FAULT = /^(?:row \d+ missing from|wrong # of entries in|non-unique entry in) index /
const PAGE_FAULT =
  /^(?:Multiple uses for byte \d+ of|Fragmentation of \d+ bytes reported as \d+ on) page (\d+)$/

/** Throws if the tree of a table cannot be traversed. */
function pagesOfTables(file: Pick<FileConnection, 'rows'>): ReadonlySet<unknown> {
  const tables = file.rows('name', "sqlite_schema WHERE type = 'table' AND rootpage > 0")
  const names = ['sqlite_schema', ...tables.map(([name]) => String(name))]
  return new Set(
    names.flatMap((name) =>
      file.rows('pageno', `dbstat WHERE name = ${literal(name)}`).map(([page]) => page),
    ),
  )
}
