// The content of the event stream: which views have changed, not how.

export const TOPICS = [
  'deliveries',
  'endpoints',
  'tasks',
  'approvals',
  'reports',
  'received',
  'signals',
  'creatives',
  'buys',
  'registry',
  'keys',
  'principals',
  'audit',
] as const

/** The data of `event: changed` is `{ topics: Topic[] }`; `event: signed_out` ends a stream with its session. */
export type Topic = (typeof TOPICS)[number]
