// Structured logs on standard error, one JSON object per line. Secrets are redacted by their names, anywhere in a log
// line.

import { type DestinationStream, type Logger, pino } from 'pino'
import { escapeControls } from './escape-controls.ts'

/** The server log; a pino logger. */
export type Log = Logger

const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'set-cookie',
  'key',
  'secret',
  'credentials',
  'token',
  'password',
  'databaseUrl',
  'keySecret',
  'private_key',
]

/** How much is logged, and where to. */
export interface LogOptions {
  level: string
  /** Default: standard error. */
  destination?: DestinationStream
}

/** A logger that writes JSON lines and redacts secrets by their names. */
export function createLog({ level, destination }: LogOptions): Log {
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // The paths and names in it come from third parties.
      hooks: { streamWrite: escapeControls },
      redact: {
        paths: SECRET_FIELDS.flatMap((field) => [
          `["${field}"]`,
          `*["${field}"]`,
          `*.*["${field}"]`,
        ]),
        censor: '[redacted]',
      },
    },
    destination ?? pino.destination({ fd: 2, sync: true }),
  )
}
