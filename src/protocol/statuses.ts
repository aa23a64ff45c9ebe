// The states of tasks and media buys (spec 3.4, 6.1). Apart from the schemas, which take long to load: the help of a command
// needs no more than the names.

export const TASK_STATUSES = [
  'submitted',
  'working',
  'input-required',
  'completed',
  'failed',
  'canceled',
  'rejected',
] as const

export const MEDIA_BUY_STATUSES = [
  'pending_creatives',
  'pending_start',
  'active',
  'paused',
  'completed',
  'rejected',
  'canceled',
] as const
