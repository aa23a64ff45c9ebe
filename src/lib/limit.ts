// How a limit is declared, so that the code that enforces it and the page that documents it cannot differ:
// `docs/limits.md` is generated from these.

export interface Limit {
  /** What is limited, in the wording of the page. */
  what: string
  /** In the unit that its name says. */
  value: number
  unit: LimitUnit
  /** The environment variable that sets it; `value` is then its default. Default: the limit is fixed. */
  setting?: string
  /** The response to a caller that exceeds it. */
  beyond: string
}

export type LimitUnit = 'bytes' | 'seconds' | 'ms' | 'a minute' | 'units' | ''

/** A table of limits, by their names in the code. */
export type Limits = Readonly<Record<string, Limit>>

export function defineLimits<Table extends Limits>(table: Table): Table {
  return table
}
