// Size limits of an adagents.json, in all its dimensions.

import { defineLimits } from '../../lib/limit.ts'

const NOT_VALID = 'the file is invalid, and its report has the reason'

export const ADAGENTS_LIMITS = defineLimits({
  adagentsBytes: {
    what: 'an adagents.json, brand.json or ads.txt that the crawler reads',
    value: 4_194_304,
    unit: 'bytes',
    setting: 'ADWIRE_REGISTRY_CRAWL_BYTES',
    beyond: NOT_VALID,
  },
  adagentsProperties: {
    what: 'properties of an adagents.json',
    value: 10_000,
    unit: '',
    setting: 'ADWIRE_REGISTRY_CRAWL_PROPERTIES',
    beyond: NOT_VALID,
  },
  adagentsAgents: {
    what: 'entries of `authorized_agents`',
    value: 1_000,
    unit: '',
    beyond: NOT_VALID,
  },
  adagentsPairs: {
    what: 'pairs of an entry and a publisher domain in an adagents.json',
    value: 200_000,
    unit: '',
    beyond: NOT_VALID,
  },
  adagentsChosen: {
    what: 'properties of an adagents.json, each counted for every entry that may choose it',
    value: 1_000_000,
    unit: '',
    beyond: NOT_VALID,
  },
  adagentsValues: {
    what: 'JSON values of an adagents.json',
    value: 500_000,
    unit: '',
    beyond: NOT_VALID,
  },
  adagentsIdentifiers: {
    what: 'identifiers of one property',
    value: 100,
    unit: '',
    beyond: NOT_VALID,
  },
  adagentsFaults: {
    what: 'faults of a file that are reported with their places',
    value: 100,
    unit: '',
    beyond: 'the others are counted in `total_faults`',
  },
})

/** What an operator may set. */
export interface AdagentsBounds {
  maxProperties: number
  allowHttp: boolean
}
