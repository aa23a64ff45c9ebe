// Resource limits of key discovery. Requests with unknown key ids may come from anyone.

import { defineLimits } from '../lib/limit.ts'

export const KEY_DISCOVERY_LIMITS = defineLimits({
  fetchesAtOnce: {
    what: 'documents about keys that are fetched at the same time',
    value: 256,
    unit: '',
    beyond: 'the others wait their turn, 10 seconds at most',
  },
  fetchesOfHost: {
    what: 'documents about keys that are fetched from one host at the same time',
    value: 8,
    unit: '',
    beyond: 'the others wait their turn, 10 seconds at most',
  },
  refreshSeconds: {
    what: 'shortest time between two fetches of one key set because of unknown key ids',
    value: 30,
    unit: 'seconds',
    beyond: 'the copy that was fetched last is used',
  },
  brandEntries: {
    what: 'agents, and authorized operators, in a `brand.json`',
    value: 1_000,
    unit: '',
    beyond: 'no keys are found: `signature_brand_json_malformed`',
  },
})
