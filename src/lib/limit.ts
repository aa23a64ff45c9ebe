// How a limit is declared, so that the code that keeps it and the page that tells of it cannot differ:
// `docs/limits.md` is made of these.

export interface Limit {
  /** What is limited, as the page says it. */
  what: string
  /** In the unit that its name says. */
  value: number
  unit: LimitUnit
  /** The environment variable that sets it; `value` is then its default. Default: it is fixed. */
  setting?: string
  /** What whoever goes beyond it is answered. */
  beyond: string
}

export type LimitUnit = 'bytes' | 'seconds' | 'ms' | 'a minute' | 'units' | ''

/** A table of limits, by the names that the code calls them by. */
export type Limits = Readonly<Record<string, Limit>>

export function defineLimits<Table extends Limits>(table: Table): Table {
  return table
}
