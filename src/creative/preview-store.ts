// What previews need from storage: the rendered views of a creative, under ids that cannot be guessed, stored once
// however often they are displayed again, until they expire (spec 2.5).

import type { Transaction } from '../lib/transaction.ts'

/** How long a preview can be opened, in milliseconds. */
export const PREVIEW_TTL_MS = 24 * 60 * 60 * 1_000

/** How much longer it is known that a preview has been there, in milliseconds. */
export const PREVIEW_GONE_MS = 7 * 24 * 60 * 60 * 1_000

export interface NewPreview {
  /** Random: anyone who has it may see the preview. */
  preview_id: string
  body: PreviewBody
}

export interface PreviewBody {
  /** The id of one drawing: what is displayed again has the same, and is stored once. Later ids are larger. */
  body_id: string
  /** Undefined where only the interactive page is kept. */
  seen: Seen | undefined
  /** What the interactive page is made of; undefined where another preview of the creative has it. */
  recipe: string | undefined
  /** Whether it was given out before, and so may be stored already. */
  mayBeStored: boolean
}

export type Seen = PreviewPage | PreviewStill

/** A document, with its content-security-policy. */
interface PreviewPage {
  kind: 'page'
  csp: string
  text: string
}

/** A picture of a page, as PNG. */
export interface PreviewStill {
  kind: 'still'
  bytes: Uint8Array
}

/** Undefined for what never was, or was long ago. */
export type Found<What> = { state: 'live'; body: What } | { state: 'gone' } | undefined

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
  seen(previewId: string): Promise<Found<Seen>>
  recipe(previewId: string): Promise<Found<string>>
  /** Deletes some of what has expired and returns how many bodies and ids that were; 0 for no more. */
  sweep(tx: Transaction): Promise<number>
}
