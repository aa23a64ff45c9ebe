// What previews need from storage: the rendered views of a creative, under unguessable ids, stored once however often
// they are displayed again, until they expire (spec 2.5).

import type { Transaction } from '../lib/transaction.ts'

/** How long a preview can be opened, in milliseconds. */
export const PREVIEW_TTL_MS = 24 * 60 * 60 * 1_000

/** How long after that a preview is still known to have existed, in milliseconds. */
export const PREVIEW_GONE_MS = 7 * 24 * 60 * 60 * 1_000

export interface NewPreview {
  /** Random: anyone who has it may see the preview. */
  preview_id: string
  body: PreviewBody
}

export interface PreviewBody {
  /** The id of one drawing: displaying it again uses the same id, and it is stored once. Later ids are larger. */
  body_id: string
  /** Undefined if only the interactive page is stored. */
  seen: PreviewContent | undefined
  /** The data of the interactive page; undefined if another preview of the creative has it. */
  recipe: string | undefined
  /** Whether it was returned before, and so may already be stored. */
  mayBeStored: boolean
}

export type PreviewContent = PreviewPage | PreviewStill

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

/** Undefined for a preview that never existed, or did so long ago. */
export type Found<What> = { state: 'live'; body: What } | { state: 'gone' } | undefined

export interface PreviewStore {
  /**
   * Adds previews of an owner and returns when they expire, in milliseconds by the database's clock.
   * Throws QUOTA_EXCEEDED if the owner has too many, or they are too large.
   */
  add(
    tx: Transaction,
    previews: readonly NewPreview[],
    options: { ttlMs: number; owner: string },
  ): Promise<number>
  /** Throws the same error for an owner who could not add even one. */
  refuseFull(owner: string): Promise<void>
  seen(previewId: string): Promise<Found<PreviewContent>>
  recipe(previewId: string): Promise<Found<string>>
  /** Deletes some expired bodies and ids and returns their number; 0 if there are none left. */
  sweep(tx: Transaction): Promise<number>
}
