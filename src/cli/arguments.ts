// Parses values that several commands accept.

import { UsageError } from './terminal.ts'

export function wholeNumber(what: string, text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new UsageError(`${what} must be a whole number above 0, not ${text}`)
}

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

function spanOf(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? []
  return count === undefined ? undefined : Number(count) * (UNIT_MS[unit] ?? 0)
}

/** A duration in milliseconds; `isSome` rejects zero. */
export function durationOf(what: string, text: string, { isSome = false } = {}): number {
  const ms = spanOf(text)
  if (ms === 0 && isSome) throw new UsageError(`${what} must be longer than ${text}`)
  if (ms !== undefined && ms <= LONGEST_MS) return ms
  throw new UsageError(
    `${what} must be a duration of up to ten years, such as 30m, 24h or 90d (got ${text})`,
  )
}

const LONGEST_MS = 3_653 * 86_400_000

/** A time, or how long ago it was, in milliseconds. */
export function sinceOf(text: string): number {
  const ago = spanOf(text)
  if (ago !== undefined) return Date.now() - ago
  const time = Date.parse(text)
  if (Number.isNaN(time)) {
    throw new UsageError(
      `--since must be a time, such as 90m, 12h, 7d or 2026-01-31T00:00:00Z (got ${text})`,
    )
  }
  return time
}

export function iso(time: number): string {
  return new Date(time).toISOString()
}
