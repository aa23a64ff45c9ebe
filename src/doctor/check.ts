// What a check of the doctor is: one row of a table, which checks one thing and reports what it found. A check that
// could not be performed is skipped with its reason, and never passed.

import { plainText } from '../lib/plain-text.ts'

export interface Check<Context> {
  /** What findings are called by. */
  id: string
  group: string
  /** What is right, as a sentence. */
  title: string
  /** Whether it changes something on the other side: then it runs only with --write. */
  writes: boolean
  /** Checks without which this one cannot be performed. Default none. */
  needs?: readonly string[]
  /** The consequences, and for whom, if the check fails. */
  why: string
  /** What to do about it. */
  fix: string
  run(context: Context): Promise<Verdict>
}

export type Verdict =
  | { state: 'passed' }
  | { state: 'skipped'; reason: string }
  | { state: 'failed'; found: readonly string[] }

/** What is wrong, why it matters, and what to do. */
export interface Finding {
  check: string
  what: string
  why: string
  fix: string
}

export const PASSED: Verdict = { state: 'passed' }

export function skipped(reason: string): Verdict {
  return { state: 'skipped', reason }
}

/** Passed when nothing was found. */
export function verdictOf(found: readonly (string | undefined)[]): Verdict {
  const reported = found.filter((one) => one !== undefined)
  return reported.length === 0 ? PASSED : { state: 'failed', found: reported }
}

const MAX_SHOWN_CHARS = 160

/** Third-party text, made safe for one line: no control characters, and not too long. */
export function quotedValue(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
  const plain = plainText(text)
  return plain.length > MAX_SHOWN_CHARS ? `${plain.slice(0, MAX_SHOWN_CHARS)}...` : plain
}
