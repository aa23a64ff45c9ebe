// How rows are locked until the transaction ends. SQLite has one writer, so there these clauses are empty.

/** Waits for rows that another transaction has locked. */
export const FOR_UPDATE = '{{for_update}}'

/** Skips rows that another transaction has locked: claiming never waits. */
export const SKIP_LOCKED = '{{skip_locked}}'

/** A condition: the column is among those that the query selects and locks, skipping rows locked by others. */
export function amongLocked(column: string, query: string): string {
  return `${column} {{among}}${query} ${SKIP_LOCKED}{{among_end}}`
}
