// Size limits of a media buy, so that its cost can be estimated.

import { defineLimits } from '../lib/limit.ts'

const TOO_MUCH = '400 `INVALID_REQUEST` or 422 `VALIDATION_ERROR`, nothing done'

export const BUY_LIMITS = defineLimits({
  packages: {
    what: 'packages of one media buy, canceled ones included',
    value: 100,
    unit: '',
    beyond: TOO_MUCH,
  },
  targetingBytes: {
    what: '`targeting_overlay` of one package, as JSON',
    value: 16 * 1_024,
    unit: 'bytes',
    beyond: TOO_MUCH,
  },
  targetedKeys: {
    what: 'activation keys in the targeting of one package',
    value: 100,
    unit: '',
    beyond: TOO_MUCH,
  },
  packageCreatives: {
    what: 'creatives of one package',
    value: 100,
    unit: '',
    beyond: TOO_MUCH,
  },
  remarks: {
    what: 'questions and answers about one buy that waits for approval, together',
    value: 40,
    unit: '',
    beyond: '`INVALID_STATE`: decide, or talk elsewhere',
  },
  answerChars: {
    what: 'characters of a buyer’s answer to a question about its buy',
    value: 4_000,
    unit: '',
    beyond: 'the rest is not kept with the approval; the history of the task has it',
  },
  inlineCreatives: {
    what: '`creatives` in all packages of one call together',
    value: 100,
    unit: '',
    beyond: TOO_MUCH,
  },
  termsBytes: {
    what: 'what else is kept of a buy or of a package (brand, context, ext), as JSON',
    value: 16 * 1_024,
    unit: 'bytes',
    beyond: TOO_MUCH,
  },
  pageUnits: {
    what: 'cost of one page of `get_media_buys`: 5 for each buy and package, 1 for each creative of a package and entry of history, 2 for each impairment and webhook',
    value: 10_000,
    unit: 'units',
    beyond: 'the rest is on the next page; a page has at least one buy',
  },
  pageChars: {
    what: 'packages on one page of `get_media_buys`, as JSON',
    value: 4 * 1_024 * 1_024,
    unit: 'bytes',
    beyond: 'the rest is on the next page',
  },
  openImpairments: {
    what: 'impairments of one buy that are open at once',
    value: 500,
    unit: '',
    beyond:
      'further ones are raised when others have been cleared; the buy is `impaired` meanwhile',
  },
  draftProposals: {
    what: 'proposals of one principal that are not finalised',
    value: 100,
    unit: '',
    beyond: 'the oldest are forgotten',
  },
  heldProposals: {
    what: 'proposals of one principal that are finalised, and neither bought nor late',
    value: 1_000,
    unit: '',
    beyond: '`unable`: buy some of them, or wait until they expire',
  },
  feedback: {
    what: 'assertions of `provide_performance_feedback` about one media buy',
    value: 1_000,
    unit: '',
    beyond: '`QUOTA_EXCEEDED`, until the oldest are forgotten with the history',
  },
  usageRecords: {
    what: 'records of `report_usage` of one principal',
    value: 100_000,
    unit: '',
    beyond: '`QUOTA_EXCEEDED`, until the oldest are forgotten with the history',
  },
  products: {
    what: 'products of the operator',
    value: 10_000,
    unit: '',
    beyond: '`adwire products import` refuses the row',
  },
})
