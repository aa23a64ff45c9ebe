// Limits for one report about a network.

import { defineLimits } from '../../lib/limit.ts'

export const NETWORK_LIMITS = defineLimits({
  networkPublishers: {
    what: 'publishers that one report about a network looks at',
    value: 10_000,
    unit: '',
    beyond: 'its `next_cursor` leads to the next ones',
  },
  networkFindings: {
    what: 'findings in one report about a network',
    value: 1_000,
    unit: '',
    beyond: 'its `next_cursor` leads to the next ones',
  },
  networkReports: {
    what: 'reports about networks that one caller, or one address, may have',
    value: 20,
    unit: 'a minute',
    beyond: '429 with `Retry-After`',
  },
})
