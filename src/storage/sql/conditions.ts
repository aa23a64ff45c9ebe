// The conditions of a list and their parameters, built together, so that placeholders need not be numbered manually.
// A filter that is undefined adds no condition; a text that no database can store finds nothing.

import { isStorable } from '../../lib/storable-text.ts'
import type { SqlValue } from './database.ts'
import { isIn, listed } from './lists.ts'

export interface Conditions {
  readonly params: SqlValue[]
  /** `$n` of a new parameter. */
  param(value: SqlValue): string
  /** A condition that has no parameter. */
  add(condition: string): void
  /** `column = $n`, or another operator after a column: `created_at >`. */
  is(left: string, value: SqlValue | undefined): void
  isIn(column: string, values: readonly string[] | undefined): void
  /** One of a closed list, spelled out, so that the index on a single value can be used. */
  isOneOf<T extends string>(column: string, known: readonly T[], value: T | undefined): void
  /** Whether the text occurs in the column. */
  contains(column: string, text: string | undefined): void
  /** A JSON array of texts that has an element in common with `values`. */
  overlaps(column: string, values: readonly string[] | undefined): void
  /** ` WHERE …`, or nothing. */
  where(): string
}

const NEVER = '1 = 0'

/** A function: the position of a text in a text, from 1; 0 if it does not occur. */
export const FIND = '{{find}}'

/** A function: the number of bytes of a column. */
export const BYTE_LENGTH = '{{byte_length}}'

export function createConditions(): Conditions {
  const all: string[] = []
  const params: SqlValue[] = []
  const place = (value: SqlValue) => params.push(value)
  const param = (value: SqlValue) => `$${place(value)}`
  const seek = (value: SqlValue | undefined, condition: (param: string) => string) => {
    if (value === undefined) return
    const isFound = typeof value !== 'string' || isStorable(value)
    all.push(isFound ? condition(param(value)) : NEVER)
  }
  return {
    params,
    param,
    add: (condition) => void all.push(condition),
    is: (left, value) => seek(value, (param) => `${left} ${param}`),
    isIn: (column, values) => {
      // A single value can use an index in order.
      if (values?.length === 1) seek(values[0], (param) => `${column} = ${param}`)
      else if (values) all.push(isIn(column, place(listed(values))))
    },
    isOneOf: (column, known, value) => {
      if (value !== undefined) all.push(known.includes(value) ? `${column} = '${value}'` : NEVER)
    },
    contains: (column, text) => {
      seek(text, (param) => `${FIND}(${column}, ${param}) > 0`)
    },
    overlaps: (column, values) => {
      if (!values) return
      const isMember = isIn('t.value', place(listed(values)))
      all.push(`EXISTS (SELECT 1 FROM {{elements ${column}}} WHERE ${isMember})`)
    },
    where: () => (all.length > 0 ? ` WHERE ${all.join(' AND ')}` : ''),
  }
}
