// The statuses after which nothing of a task changes (spec 3.2), for everyone who has to know when it is over.

/** @internal */
export const FINAL_STATUSES = ['completed', 'failed', 'canceled', 'rejected'] as const
export type FinalStatus = (typeof FINAL_STATUSES)[number]

const FINAL: ReadonlySet<unknown> = new Set(FINAL_STATUSES)

/** Whether nothing of a task can follow this status. What is no status is not final. */
export function isFinalStatus(status: unknown): status is FinalStatus {
  return FINAL.has(status)
}
