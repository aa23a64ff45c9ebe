// The errors in a publisher's file, as a list with locations whose size does not grow with the file.

import { ADAGENTS_LIMITS } from './limits.ts'

export interface FileFault {
  /** RFC 6901; of a text file empty. */
  pointer: string
  message: string
  /** A `warning` does not change what the file authorizes. */
  severity: 'error' | 'warning'
  /** From 1; absent if unknown. */
  line?: number
}

export interface Faults {
  error(pointer: string, message: string): void
  warn(pointer: string, message: string): void
  /** The first ones. */
  list: FileFault[]
  /** All of them. */
  total: number
  errors: number
}

export function createFaults(): Faults {
  const most = ADAGENTS_LIMITS.adagentsFaults.value
  const faults: Faults = {
    list: [],
    total: 0,
    errors: 0,
    error: (pointer, message) => add({ pointer, message, severity: 'error' }),
    warn: (pointer, message) => add({ pointer, message, severity: 'warning' }),
  }
  function add(fault: FileFault): void {
    faults.total += 1
    if (fault.severity === 'error') faults.errors += 1
    if (faults.list.length < most) faults.list.push(fault)
  }
  return faults
}

/** Limits what a report may quote of a file from another party. */
export function quoted(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
  const short = text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text
  return JSON.stringify(short)
}

const MAX_QUOTED = 80
