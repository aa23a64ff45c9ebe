// What previews need from storage: pages under ids that nobody guesses, kept once however often the same
// page is shown, until they expire (spec 2.5).

import type { Transaction } from '../lib/transaction.ts'

/** How long a preview can be opened, in milliseconds. */
export const PREVIEW_TTL_MS = 24 * 60 * 60 * 1_000

/** How much longer it is known that a preview has been there, in milliseconds. */
export const PREVIEW_GONE_MS = 7 * 24 * 60 * 60 * 1_000

export interface NewPreview {
  /** Random: whoever has it may see the preview. */
  preview_id: string
  body: PreviewBody
}

/** Equal bodies have the same digest, and are stored once. */
export type PreviewBody = PreviewText | PreviewStill

export interface PreviewText {
  digest: string
  /** A document, or what the interactive page is made of. */
  kind: 'page' | 'recipe'
  /** The content-security-policy of a document; empty for a recipe. */
  csp: string
  text: string
}

/** A picture of a page, as PNG. */
export interface PreviewStill {
  digest: string
  kind: 'still'
  bytes: Uint8Array
}

export type FoundPreview = { state: 'live'; body: PreviewBody } | { state: 'gone' } | undefined

export interface PreviewStore {
  /**
   * Adds previews of an owner and returns when they expire, in milliseconds by the database's clock.
   * Throws QUOTA_EXCEEDED when the owner has too many, or too large ones.
   */
  add(
    tx: Transaction,
    previews: readonly NewPreview[],
    options: { ttlMs: number; owner: string },
  ): Promise<number>
  /** Refuses in the same way who could not add a single one. */
  refuseFull(owner: string): Promise<void>
  /** Undefined for what never was, or was long ago. */
  get(previewId: string): Promise<FoundPreview>
  /** Deletes some of what has expired and returns how many bodies and ids that were; 0 for no more. */
  sweep(tx: Transaction): Promise<number>
}
