// A time zone by its IANA name.

import { z } from 'zod'

/** IANA names of the time zones in which this program can compute day boundaries. */
export const timeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, 'This must be a time zone by its IANA name, such as Europe/Paris or UTC.')

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
