// Collects all errors of a request before it is refused (spec 7).

import { FAULT_LIMITS } from '../protocol/error-limits.ts'
import {
  type ErrorCode,
  type ErrorExtras,
  ManyErrors,
  type TaskError,
  taskError,
} from '../protocol/errors.ts'

interface FaultPlace extends ErrorExtras {
  /** The pointer of its location. */
  pointer: string
}

export interface Faults {
  /** Reports an error. */
  add(code: ErrorCode, message: string, at: FaultPlace): void
  /** Throws all errors, if there are any. */
  refuse(): void
}

export function createFaults(): Faults {
  const errors: TaskError[] = []
  return {
    add: (code, message, { pointer, ...extras }) => {
      if (errors.length >= FAULT_LIMITS.errors.value) return
      // An error that two checks find is reported once.
      const isReported = errors.some(
        (one) => one.code === code && one.issues?.[0]?.pointer === pointer,
      )
      if (isReported) return
      const issues = [{ pointer, message, keyword: code.toLowerCase() }]
      errors.push(taskError(code, `${pointer}: ${message}`, { issues, ...extras }))
    },
    refuse: () => {
      const [first, ...others] = errors
      if (first) throw new ManyErrors([first, ...others])
    },
  }
}
