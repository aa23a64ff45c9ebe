// A file of signals sent to the console. The request is the bytes of the file; the answer is sent as lines of JSON
// while the file is read: its progress, and finally its outcome.

import { z } from 'zod'
import { FILE_FORMATS } from '../../signals/files/file-formats.ts'
import { textFilter } from './common.ts'

export const SIGNAL_IMPORTS_PATH = '/console/api/signal-imports'

export const signalImportQuery = z.strictObject({
  /** The name of the file, for the audit log. */
  name: z.string().min(1).max(500),
  format: z.enum(FILE_FORMATS),
  /** `check` changes nothing. */
  mode: z.enum(['check', 'import']),
  /** Whether signals that are not in the file are removed. */
  replace: z.stringbool().default(false),
  /** Of the file that was checked: a different file is not imported. */
  digest: textFilter.max(100).optional(),
})
export type SignalImportQuery = z.infer<typeof signalImportQuery>

const rowFault = z.strictObject({
  /** Where in the row, as a JSON pointer; empty for the whole row. */
  pointer: z.string(),
  message: z.string(),
})

const signalImportReport = z.strictObject({
  mode: z.enum(['check', 'import']),
  digest: z.string(),
  totals: z.strictObject({
    rows: z.number(),
    added: z.number(),
    changed: z.number(),
    unchanged: z.number(),
    bad: z.number(),
    repeated: z.number(),
    removed: z.number(),
    /** Why the rest of the file was not read, or nothing was removed. */
    stopped: z.string().optional(),
  }),
  /** At most 1000 rows. */
  faults: z.array(z.strictObject({ row: z.string(), faults: z.array(rowFault) })),
  /** At most 100. */
  warnings: z.array(z.strictObject({ row: z.string(), message: z.string() })),
  warning_count: z.number(),
  /** Of a check: the first 200. */
  changes: z.array(
    z.strictObject({
      id: z.string(),
      outcome: z.enum(['added', 'changed', 'removed']),
      row: z.string().optional(),
      members: z.array(z.string()).optional(),
    }),
  ),
})
export type SignalImportReport = z.infer<typeof signalImportReport>

/** A line of the answer; the last one has the report or the error. */
export type SignalImportLine =
  | { progress: { rows: number; bytes: number } }
  | { report: SignalImportReport }
  | { error: { code: string; message: string } }
