// Whether a text means people who have something, want it, had it, or resemble those who do (spec 4.3):
// owners are not intenders.

import type { Stage } from '../understood.ts'

/** In order of precedence: owners who look for something new are intenders. */
const SIGNS: readonly (readonly [Stage, RegExp])[] = [
  [
    'lookalike',
    /\b(?:look[- ]?alikes?|similar to|(?:people|users|consumers|audiences?|those|folks|shoppers|anyone) (?:just |very |much )?like (?:our|my|the|existing|current|those)|resembl\w+|model+ed (?:on|after)|who behave like|the same (?:kind|type|sort)s? of people)\b/,
  ],
  [
    'lapsed',
    /\b(?:lapsed|churned|former|ex[- ](?:customers?|subscribers?|users?|members?|owners?|clients?)|(?<!\b(?:am|are|is|get|getting|be) )used to(?! seeing)|cancell?ed|no longer|stopped (?:buying|using|subscribing|paying|going|watching|playing)|win(?:ning)?[- ]?(?:them )?back|dormant|inactive|have not (?:bought|ordered|visited|shopped|purchased|been)|gave up|past (?:customers|buyers|subscribers|members))\b/,
  ],
  [
    'intender',
    /\b(?:in[- ](?:the )?market|intend\w*|purchase intent|plan(?:s)? (?:to|on|for|a|an|the|their)|planning(?! ahead)|look(?:ing)? (?:for|to (?:buy|get|purchase|switch|upgrade|lease|rent|move|book|own|adopt|hire|replace|trade|join|sell|start|build|install|invest))|looking at|about to|soon to|shop(?:ping)? (?:for|around)|(?:could|would|might|may) (?:soon )?(?:buy|switch|get)|considering|consider (?:a|an|buying|getting|switching)|switch(?:ing)? (?:to|from|over)|swap(?:ping)?|trad(?:e|ing) (?:in|up)|ditch(?:ing)? .* for|think(?:ing)? (?:of|about)|want(?:s|ing)? (?:to (?:buy|get|own|switch|upgrade|lease|book|move|purchase|replace|try|go|install|start)|a|an|their (?:first|next|own))|would like to (?:buy|get|own|switch|book)|hop(?:e|ing) to|ready to|(?:need|needing|needs) (?:a|an|new)|sav(?:e|ing) (?:up )?for|researching|comparing|prospective|prospects|potential (?:buyers|customers|owners|switchers)|would-be|wannabe|interested in (?:buying|getting|purchasing|switching|leasing|owning|booking)|upgrad(?:e|ing) (?:to|their)|hunt(?:ing)? for|on the hunt|getting an? (?:new|first)|eyeing|weighing up|toy(?:ing)? with|mull(?:ing)? over|contemplat\w+|wondering|tempted by|on the fence|undecided about|would love (?:to|a|an)|dream(?:ing)? of|seeking|due for (?:a|an))\b/,
  ],
  [
    'owner',
    /\b(?:(?:who|that|they|already|currently|people|households|families) (?:own|owns|drive|drives|bought|purchased)|(?:have|has|had) (?:just |already |recently )?(?:bought|purchased)|(?:just|recently|who) (?:bought|purchased|got an?)|already have|liv(?:e|es|ing) with an?|owners?|owning|ownership|drivers of|(?:who|that|currently|already) (?:have|has) (?:a|an|their own)|(?:existing|current|loyal|our) (?:customers|users|subscribers|members|clients|owners|policyholders)|subscribers|subscribed to|policy ?holders|card ?holders|account holders|recent (?:buyers|purchasers))\b/,
  ],
]

export function findStage(text: string): Stage | undefined {
  const lower = text.toLowerCase().replaceAll('’', "'")
  return SIGNS.find(([, sign]) => sign.test(lower))?.[0]
}
