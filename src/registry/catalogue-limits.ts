// How much of the registry's catalogue one caller may request or contribute.

import { defineLimits } from '../lib/limit.ts'

export const CATALOGUE_LIMITS = defineLimits({
  pendingPolicies: {
    what: 'policies of one organisation that wait for a review',
    value: 100,
    unit: '',
    beyond: '429',
  },
  pendingEntries: {
    what: 'brands, and property entries, of one organisation that wait for a review',
    value: 100,
    unit: '',
    beyond: '429',
  },
  savedBytes: {
    what: 'JSON of a brand, or of the properties, that is saved for a domain',
    value: 131_072,
    unit: 'bytes',
    beyond: '413',
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
  mirrorBytes: {
    what: 'JSON of a community mirror that an organisation proposes',
    value: 1_048_576,
    unit: 'bytes',
    beyond: '413',
  },
  mirrorItems: {
    what: 'formats, properties, placements, collections and signals of such a mirror together',
    value: 2_000,
    unit: '',
    beyond: '413',
  },
  pendingProposals: {
    what: 'mirrors that one organisation has proposed and that wait for a review',
    value: 20,
    unit: '',
    beyond: '429',
  },
  propertiesChecked: {
    what: 'domains that one check of a property list takes',
    value: 10_000,
    unit: '',
    beyond: '400',
  },
  propertyChecksPerMinute: {
    what: 'checks of property lists of one address',
    value: 20,
    unit: 'a minute',
    beyond: '429 with `Retry-After`',
  },
  agentsListed: {
    what: 'agents on the list of published agents',
    value: 5_000,
    unit: '',
    beyond: 'the first ones by their URLs; the search has pages',
  },
  agentsFound: {
    what: 'agents on one page of their search',
    value: 200,
    unit: '',
    beyond: '400',
  },
  agentFilterValues: {
    what: 'values of one filter of that search',
    value: 100,
    unit: '',
    beyond: '400',
  },
  agentReadsPerMinute: {
    what: 'reads of agents by one address; the list counts as four',
    value: 240,
    unit: 'a minute',
    beyond: '429 with `Retry-After`',
  },
  publishersListed: {
    what: 'publishers on the list of publishers',
    value: 5_000,
    unit: '',
    beyond: 'the first ones by their domains; the list of properties has pages',
  },
  publisherReadsPerMinute: {
    what: 'reads of publishers and properties by one address; calls for many domains and lists count as more',
    value: 600,
    unit: 'a minute',
    beyond: '429 with `Retry-After`',
  },
  agentProbesPerMinute: {
    what: 'agents that one caller, or one address, has called to see what they are',
    value: 30,
    unit: 'a minute',
    beyond: '429 with `Retry-After`',
  },
  agentProbesOfSite: {
    what: 'such calls of the agents of one site, by all callers together',
    value: 60,
    unit: 'a minute',
    beyond: '429 with `Retry-After`',
  },
  agentProbesAtOnce: {
    what: 'such calls at the same time, by all callers together',
    value: 16,
    unit: '',
    beyond: '503 with `Retry-After`',
  },
  agentProbeSeconds: {
    what: 'such a call',
    value: 10,
    unit: 'seconds',
    beyond: '504',
  },
  examinationsPerMinute: {
    what: 'examinations of its agents that one caller requests',
    value: 2,
    unit: 'a minute',
    beyond: '429 with `Retry-After`',
  },
  examinationsOfSite: {
    what: 'such examinations of the agents of one site, by all callers together',
    value: 10,
    unit: 'a minute',
    beyond: '429 with `Retry-After`',
  },
  brandDocumentBytes: {
    what: 'a verified brand.json that is kept',
    value: 262_144,
    unit: 'bytes',
    beyond: 'the brand is known by its name, and its file is not served',
  },
  brandsListed: {
    what: 'brands, or properties, on one page of their list',
    value: 5_000,
    unit: '',
    beyond: '400',
  },
  brandsAtOnce: {
    what: 'domains that one call resolves, as brands or as properties',
    value: 100,
    unit: '',
    beyond: '400',
  },
  brandReadsPerMinute: {
    what: 'reads of brands by one address; a call for many domains, and a page of the list, count as more',
    value: 600,
    unit: 'a minute',
    beyond: '429 with `Retry-After`',
  },
  catalogueOffset: {
    what: 'entries that a page of the catalogue’s lists may skip',
    value: 10_000,
    unit: '',
    beyond: '400',
  },
})
