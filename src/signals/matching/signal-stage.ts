// Whether a signal contains people who have something, want it, had it, or resemble those who do, as far as its name,
// or otherwise its description, says so. Owners are not intenders (spec 4.3).

import type { Stage } from './understood.ts'

/** In order of precedence: a lookalike of owners is a lookalike. */
const SIGNS: readonly (readonly [Stage, RegExp])[] = [
  [
    'lookalike',
    /\b(?:look-?\s?alikes?|modell?ed (?:on|after|from)|similar to|resembl\w+|twins?)\b/,
  ],
  [
    'lapsed',
    /\b(?:lapsed|former|ex|churn\w*|inactive|cancell?ed|win-?back|stopped|dormant|past)\b/,
  ],
  [
    'intender',
    /\b(?:intend\w*|intent|in[- ]?market|prospect\w*|consider\w*|planning|planners?|research\w*|shopping for|looking (?:for|to)|about to|seekers?|seeking|hunters?|comparing|upgraders?|switchers?|soon)\b/,
  ],
  [
    'owner',
    /\b(?:own|owns|owners?|owning|holders?|subscribers?|customers?|members?|drivers?|has a|have a|bought|purchased|purchasers?|policyholders?)\b/,
  ],
]

const NOT_YET = /\b(?:future|prospective|would-be|aspiring)\b/i

export function stageOfSignal(name: string, description: string): Stage | undefined {
  const found = stageIn(name)
  // Future owners are none yet.
  if (found === 'owner' && NOT_YET.test(name)) return 'intender'
  return found ?? stageIn(description)
}

function stageIn(text: string): Stage | undefined {
  const lower = text.toLowerCase()
  return SIGNS.find(([, sign]) => sign.test(lower))?.[0]
}

const STAGES: readonly (Stage | undefined)[] = [undefined, ...SIGNS.map(([stage]) => stage)]

/** As a number, for a column. */
export function stageNumber(stage: Stage | undefined): number {
  return STAGES.indexOf(stage)
}

export function stageOfNumber(number: number): Stage | undefined {
  return STAGES[number]
}
