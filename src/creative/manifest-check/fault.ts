// How the errors of a manifest are reported (spec 7.1): each with the broken rule, a JSON pointer (RFC 6901) into the
// manifest, and a sentence that says what is accepted.

import { ProtocolError } from '../../protocol/errors.ts'
import { pointerTo } from '../../protocol/manifest-issues.ts'
import { MAX_REPORTED } from '../limits.ts'

export interface ManifestFault {
  /** The requirement, by its transport name if it has one: `required`, `max_width`, `url` … */
  rule: string
  /** JSON pointer into the manifest, such as `/assets/banner_image/url`. */
  pointer: string
  /** What would be right. */
  message: string
  /** What the format requires. */
  expected?: unknown
  /** What the manifest has. */
  actual?: unknown
}

/** The error for a manifest that does not fit. `at` is its location in the request. */
export function faultsError(
  faults: readonly ManifestFault[],
  at = '/creative_manifest',
): ProtocolError {
  const issues = faults.map(({ rule, pointer, message }) => ({
    pointer: `${at}${pointer}`,
    message,
    keyword: rule,
  }))
  const [first] = issues
  const others = issues.length > 1 ? ` (and ${issues.length - 1} more faults: see issues)` : ''
  const reported = first ? `${first.pointer}: ${first.message}${others}` : 'this is not a manifest'
  return new ProtocolError(
    'VALIDATION_ERROR',
    `the manifest does not match its format: ${reported}`,
    {
      issues,
      suggestion: 'fix the fields listed in `issues` and retry',
    },
  )
}

/** Collects the errors at one location. */
export interface Faults {
  add(rule: string, message: string, values?: FaultValues): void
  /** Collects those at a location below it, such as a member. */
  at(...path: PropertyKey[]): Faults
}

interface FaultValues {
  expected?: unknown
  actual?: unknown
}

export interface CollectedFaults {
  faults: Faults
  /** The errors so far, up to a number that people read; the last one then says how many more there are. */
  found(): ManifestFault[]
}

export function collectFaults(): CollectedFaults {
  const found: ManifestFault[] = []
  const known = new Set<string>()
  let more = 0
  const at = (base: readonly PropertyKey[]): Faults => ({
    add: (rule, message, values = {}) => {
      if (found.length >= MAX_REPORTED) {
        more += 1
        return
      }
      const pointer = pointerTo(base)
      const key = `${rule} ${pointer}`
      if (known.has(key)) return
      known.add(key)
      found.push({ rule, pointer, message, ...values })
    },
    at: (...path) => at([...base, ...path]),
  })
  return {
    faults: at([]),
    found: () => {
      if (more === 0) return found
      const message = `${more} more errors not shown.`
      return [...found, { rule: 'more_faults', pointer: '', message, actual: more }]
    },
  }
}

const SHOWN_CHARS = 80

/** A value from the caller, shortened to fit in a sentence on one line. */
export function quotedValue(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
  const line = JSON.stringify(text.slice(0, SHOWN_CHARS))
  return text.length > SHOWN_CHARS ? `${line}…` : line
}
