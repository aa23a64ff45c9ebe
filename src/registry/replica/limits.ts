// Limits for one read of another registry.

import { defineLimits } from '../../lib/limit.ts'

export const REPLICA_LIMITS = defineLimits({
  replicaEvents: {
    what: 'events that a mirror reads, and stores in one transaction',
    value: 1_000,
    unit: '',
    beyond: 'the others are on the next page',
  },
  replicaRows: {
    what: 'rows of a snapshot that a mirror requests at once',
    value: 2_000,
    unit: '',
    beyond: 'the others are on the next page; a registry without pages sends them all',
  },
  replicaBytes: {
    what: 'one page of another registry',
    value: 268_435_456,
    unit: 'bytes',
    beyond: 'the page is refused, and read again later',
  },
  replicaSeconds: {
    what: 'time for one page of another registry',
    value: 300,
    unit: 'seconds',
    beyond: 'the page is refused, and read again later',
  },
})
