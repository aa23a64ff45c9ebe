// Limits for what a tenant of a sandbox may store, so that no tenant fills the sandbox for the others.

import { defineLimits } from '../lib/limit.ts'

export const SANDBOX_LIMITS = defineLimits({
  tenants: {
    what: 'principals of a sandbox, those created for keys with a known prefix included',
    value: 1_000,
    unit: '',
    beyond: 'an unknown key is answered 503 `SERVICE_UNAVAILABLE`; known keys work',
  },
  newTenants: {
    what: 'tenants that calls from one address create',
    value: 60,
    unit: 'a minute',
    beyond: '429 `RATE_LIMITED`; known keys work',
  },
  seeds: {
    what: 'fixtures that one tenant seeds',
    value: 2_000,
    unit: '',
    beyond: '`INVALID_PARAMS` of the test controller, nothing seeded',
  },
  seedBytes: {
    what: 'all fixtures of one tenant together, as JSON',
    value: 4 * 1_024 * 1_024,
    unit: 'bytes',
    beyond: '`INVALID_PARAMS` of the test controller, nothing seeded',
  },
  recordedCalls: {
    what: 'calls to platforms that are recorded for one tenant',
    value: 500,
    unit: '',
    beyond: 'the oldest are deleted',
  },
})
