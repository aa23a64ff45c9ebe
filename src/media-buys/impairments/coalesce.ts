// Which changes are reported together (spec 6.3). General changes wait for others until the window that the first one
// opened has ended, at most five minutes; fraud and safety changes do not wait. The report is called a fire: it
// contains the changes of its window, a `notification_id` that stays the same when it is sent again, and a separate
// idempotency_key for each notification.

import type { ImpairmentType } from '../../protocol/impairment-words.ts'
import type { Impairment } from '../../protocol/schemas/media-buy.ts'

/** Maximum delay for a buyer that set no preference, in milliseconds. */
export const MAX_WINDOW_MS = 300_000

/** A window with this number of changes is sent without waiting for its end. */
export const MAX_CHANGES = 200

export interface ImpairmentChange {
  change: 'raised' | 'changed' | 'cleared'
  at: number
  impairment: Impairment
}

/** The open window of a buy. */
export interface PendingFire {
  /** Made when the window opens. */
  window_id: string
  opened_at: number
  due_at: number
  /** In the order they happened. */
  changes: readonly ImpairmentChange[]
}

/** How long a change of this type may wait, in milliseconds. A setting can make it shorter, but not longer. */
export function windowMsOf(type: ImpairmentType, generalMs: number): number {
  return type === 'general' ? Math.min(Math.max(generalMs, 0), MAX_WINDOW_MS) : 0
}

/** The window after one more change. `window_id` is used when there was none. */
export function addChange(
  pending: PendingFire | undefined,
  change: ImpairmentChange,
  { window_id, windowMs }: { window_id: string; windowMs: number },
): PendingFire {
  const { at } = change
  const open = pending ?? { window_id, opened_at: at, due_at: at + windowMs, changes: [] }
  const changes = [...open.changes, change]
  const longest = changes.length < MAX_CHANGES ? at + windowMs : at
  // If the setting was shortened after the window opened, the shorter one applies.
  return { ...open, changes, due_at: Math.min(open.due_at, longest) }
}

/** For a window that has waited too long: only the last state of each dependency, so that it stays bounded. */
export function coalesced(changes: readonly ImpairmentChange[]): readonly ImpairmentChange[] {
  if (changes.length <= MAX_CHANGES) return changes
  const last = new Map<string, ImpairmentChange>()
  for (const change of changes) {
    const { resource_type, resource_id } = change.impairment
    const key = `${resource_type}:${resource_id}`
    last.delete(key)
    last.set(key, change)
  }
  return [...last.values()]
}

/** The id of the impairment if all changes are about the same one, else that of the window. */
export function notificationIdOf({ window_id, changes }: PendingFire): string {
  const ids = new Set(changes.map(({ impairment }) => impairment.impairment_id))
  const [only = window_id] = ids
  return ids.size === 1 ? only : window_id
}

/** The payload of a fire, without notification_type and media_buy_id. */
export function fireResult(
  { opened_at, changes }: PendingFire,
  open: readonly Impairment[],
  health: 'ok' | 'impaired',
): object {
  const last = changes.at(-1)
  return {
    health,
    ...(last ? { impairment: last.impairment, change: last.change } : {}),
    impairments: open,
    changes: changes.map(({ change, at, impairment }) => ({
      change,
      at: new Date(at).toISOString(),
      impairment,
    })),
    window_opened_at: new Date(opened_at).toISOString(),
  }
}
