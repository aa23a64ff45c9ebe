// How much of the registry's catalogue one caller may ask for or contribute.

import { defineLimits } from '../lib/limit.ts'

export const CATALOGUE_LIMITS = defineLimits({
  pendingPolicies: {
    what: 'policies of one organisation that wait for a review',
    value: 100,
    unit: '',
    beyond: '429',
  },
  policiesListed: {
    what: 'policies on one page of their list',
    value: 1_000,
    unit: '',
    beyond: '400',
  },
  policiesAtOnce: {
    what: 'policies that one call resolves',
    value: 100,
    unit: '',
    beyond: '400',
  },
  catalogueOffset: {
    what: 'entries that a page of the catalogue’s lists may skip',
    value: 10_000,
    unit: '',
    beyond: '400',
  },
})
