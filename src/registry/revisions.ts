// The history of contributions to the registry: one row for each edit, newest first.

import type { Transaction } from '../lib/transaction.ts'

type RevisedKind = 'policy' | 'brand' | 'property'

export interface Revision {
  revision_number: number
  editor_name: string
  edit_summary: string
  source?: string
  is_rollback: boolean
  rolled_back_to?: number
  created_at: string
}

export interface RevisionStore {
  /** Adds the next revision and returns its number; the first edit is 1. The caller has locked the entry. */
  add(
    tx: Transaction,
    revision: {
      kind: RevisedKind
      key: string
      editorName: string
      summary: string
      source: string | null
      rolledBackTo: number | null
    },
  ): Promise<number>
  page(
    of: { kind: RevisedKind; key: string },
    page: { limit: number; offset: number },
  ): Promise<{ total: number; revisions: Revision[] }>
}
