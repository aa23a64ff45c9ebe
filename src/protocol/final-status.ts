// The final statuses of a task (spec 3.2), for all code that has to know when it is over.

/** @internal */
export const FINAL_STATUSES = ['completed', 'failed', 'canceled', 'rejected'] as const
export type FinalStatus = (typeof FINAL_STATUSES)[number]

const FINAL: ReadonlySet<unknown> = new Set(FINAL_STATUSES)

/** Whether a task can no longer change after this status. Unknown statuses are not final. */
export function isFinalStatus(status: unknown): status is FinalStatus {
  return FINAL.has(status)
}
