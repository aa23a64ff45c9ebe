// Limits for one query about authorizations.

import { defineLimits } from '../../lib/limit.ts'

export const AUTHORIZATION_LIMITS = defineLimits({
  publishersOfAgent: {
    what: 'publishers on one page of the inverse look-up',
    value: 1_000,
    unit: '',
    beyond: '400',
  },
  domainsOfAgent: {
    what: 'domains that `lookup/agent/{url}/domains` lists',
    value: 10_000,
    unit: '',
    beyond: 'the others are read from the inverse look-up, page by page',
  },
  agentsOfPublisher: {
    what: 'authorizations of one publisher in one response',
    value: 1_000,
    unit: '',
    beyond: 'the others are left out, and `rollup_truncated` is true',
  },
  propertiesOfPublisher: {
    what: 'properties of one publisher in one response',
    value: 10_000,
    unit: '',
    beyond: 'the others are left out, and `rollup_truncated` is true',
  },
  selectors: {
    what: 'selectors of one product check',
    value: 25,
    unit: '',
    beyond: '400',
  },
  pairs: {
    what: 'pairs of an agent and a property in one bulk check',
    value: 10_000,
    unit: '',
    beyond: '400',
  },
})
