// Extracts the parts of a brief that describe whom to reach: its sentences about the audience, then those about the
// product; budgets, dates, channels and courtesies are left out.

import { tokensOf } from '../words.ts'
import { inPieces, tidy } from './tidy.ts'

/** The relevant parts, those about the audience first; the text itself if it is a single thought. */
export function readBrief(text: string): string[] {
  const sentences = sentencesOf(text)
  const checked = sentences.map((sentence) => check(sentence, sentences.length > 1))
  const of = (kind: Kind) =>
    checked.filter((one) => one.kind === kind && one.text !== '').map((one) => one.text)
  const found = [...of('audience'), ...of('product')]
  if (found.length === 0 || sentences.length === 1) found.push(...of('other'))
  else found.push(...of('other').filter((other) => tokensOf(other).length <= MAX_ASIDE))
  if (found.length > 0) return found
  // The text is only about the campaign: using it is better than using nothing.
  return tidy(text) === '' ? [] : inPieces(tidy(text), MAX_SENTENCE)
}

type Kind = 'audience' | 'product' | 'other' | 'campaign'

/** A sentence of neither kind is included if it is short enough to be a note about the audience. */
const MAX_ASIDE = 20
const MAX_SENTENCES = 60
/** A longer sentence is read in pieces: the patterns look ahead within a sentence, so this limits how far. */
const MAX_SENTENCE = 400

function sentencesOf(text: string): string[] {
  return text
    .replace(/\b(e\.g|i\.e|vs|approx|etc|incl|no|mr|mrs|ms|dr|st)\.\s/gi, '$1 ')
    .split(/(?<=[.!?])\s+(?=\S)|\n+|(?:^|\s)[•▪◦‣*]\s+|\s+[-–—]\s+(?=\p{Lu})/u)
    .map((sentence) => tidy(sentence.replace(/^\s*(?:[-–—*•]|\d+[.)])\s*/, '')))
    .filter((sentence) => sentence !== '')
    .flatMap((sentence) => inPieces(sentence, MAX_SENTENCE))
    .slice(0, MAX_SENTENCES)
}

function check(sentence: string, isOneOfSeveral: boolean): { kind: Kind; text: string } {
  const headed = HEADING.exec(sentence)
  const heading = headed?.[1]?.toLowerCase() ?? ''
  if (CAMPAIGN_HEADING.test(heading)) return { kind: 'campaign', text: '' }
  const body = (headed === null ? sentence : sentence.slice(headed[0].length)).replace(GREETING, '')
  const trimmed = withoutCampaignTalk(body)
  if (AUDIENCE_HEADING.test(heading) || AUDIENCE.test(trimmed)) {
    return { kind: 'audience', text: withoutLead(trimmed) }
  }
  if (PRODUCT_HEADING.test(heading)) return { kind: 'product', text: productOf(trimmed) }
  if (isOneOfSeveral && CAMPAIGN.test(body) && !PRODUCT.test(body))
    return { kind: 'campaign', text: '' }
  if (PRODUCT.test(trimmed)) return { kind: 'product', text: productOf(trimmed) }
  return { kind: 'other', text: withoutLead(trimmed) }
}

const GREETING = /^(?:hi|hello|hey|dear)\b[^,.!]{0,20}[,.!]\s*/i
const HEADING = /^([\p{L} /&]{2,30}?)\s*:\s*/u
const AUDIENCE_HEADING =
  /^(?:(?:primary|secondary|core|main|key|ideal) )?(?:target|audience|target audience|target group|who|whom|persona|personas|segments?|customers?|customer profile|tg|buyer|buyers|audiences|targeting)$/
const PRODUCT_HEADING = /^(?:product|brand|about|offer|service|advertiser|client|what we sell)$/
const CAMPAIGN_HEADING =
  /^(?:.*\b(?:budget|flight|timing|dates?|kpis?|channels?|formats?|markets?|geo|geography|country|countries|goals?|objectives?|measurement|campaign|duration|cpm|deadline|creatives?|region|location|subject|re|note|notes)\b.*)$/

/** It contains the audience that the sentence is about. */
const AUDIENCE =
  /\b(?:reach(?:ing)?|target(?:ing|ed|s)?|audiences?|segments?|aimed at|geared (?:to|towards)|appeals? to|focus(?:ing|ed)? on|ideal (?:customer|buyer|client)|(?:our|typical|core) (?:customers?|buyers?|users?|shoppers?|clients) (?:are|is|tend|love)|people who|those who|anyone who|folks who|consumers who|shoppers who|users who|parents who|interested in|get in front of|perfect for|made for|designed for|talk to|speak to|going after|after people)\b/i
const PRODUCT =
  /\b(?:launch(?:ing|es)?|introduc(?:e|ing)|releasing|rolling out|(?:we|client) (?:sell|make|offer|produce)s?|promot(?:e|ing)|advertis(?:e|ing)|(?:brand|company|start-?up|retailer|app|maker|manufacturer|service|product|range|line|line-?up) (?:of|for|that|which|called|from|in)|campaign (?:for|to promote)|is an? (?:[\w-]+ ){0,5}(?:brand|company|app|service|retailer|maker|product|platform|start-?up)|our (?:new|latest|product|brand))\b/i
const CAMPAIGN =
  /(?:\b(?:budgets?|kpis?|cpms?|cpa|cpc|roas|ctr|vcr|impressions|flights?|flighting|q[1-4]|h[12] 20\d\d|deadline|timeline|deliverables?|creatives?|ad formats?|banners?|channels?|ctv|dooh|ooh|programmatic|dsps?|ssps?|measurement|attribution|agency|kick-?off|media plan|proposal|thanks|thank you|regards|hello|hi (?:team|there|all)|asap|meeting|success metrics?|conversions?|brand safety|frequency cap|viewability|awareness|uplift|brief below|let (?:me|us) know|get back|(?:please )?send (?:me|us|over|ideas|options|your|through)|by (?:monday|tuesday|wednesday|thursday|friday|eod|tomorrow)|campaign (?:runs|starts|ends|will|goes|is)|runs? (?:from|until|through)|weeks? (?:long|campaign)|starts? (?:on|in)|ends? (?:on|in)|lasts?)\b|[$€£]\s?\d|\d+\s?[km]\b)/i

const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)[a-z]*'
const MEDIUM =
  '(?:ctv|connected tv|display|online video|dooh|ooh|programmatic|digital audio|open web|all channels|social media|paid social|banners?|native|mobile web|desktop)'

/** Clauses about the campaign inside a sentence on another subject. */
const CAMPAIGN_CLAUSES: readonly RegExp[] = [
  /[,;(]?\s*\b(?:with|on|at|and|our|a|the)?\s*(?:a |our |the )?(?:total |media |max(?:imum)? |monthly )*budget(?: (?:is|of|around|about|up to)|:)?\s*[$€£]?\s?[\d.,]+\s?(?:k|m|mm|million|thousand|usd|eur|gbp|euros?|dollars?|pounds?)?\b/gi,
  /[,;(]?\s*\b(?:at |with |for )?(?:an? )?(?:max(?:imum)? )?cpms? (?:of|under|below|up to|around|less than|max(?:imum)?)\s*[$€£]?\s?[\d.,]+\s?\w{0,3}\b/gi,
  /[,;(]?\s*\b(?:in|for|during|by|from|starting|starting in|this|next|over|throughout)\s+(?:early |late |mid[- ]?)?(?:q[1-4]|h[12])(?:\s*(?:of\s+)?20\d\d)?\b/gi,
  new RegExp(
    `[,;(]?\\s*\\b(?:in|for|during|by|from|starting|starting in|until|through)\\s+(?:early |late |mid[- ]?)?(?:${MONTH}\\s+)?20\\d\\d\\b`,
    'gi',
  ),
  new RegExp(
    `[,;(]?\\s*\\b(?:on|across|via|through|over|using|in)\\s+${MEDIUM}(?:(?:,| and| or| &|, and)\\s+${MEDIUM})*(?: ads| channels| inventory)?(?=$|[.,;)])`,
    'gi',
  ),
  /\s*\b(?:for|in|as part of|ahead of) (?:an?|our|the|my|their|this)(?: (?:new|upcoming|next|spring|summer|autumn|fall|winter|brand|awareness|marketing|ad|advertising|media|big|digital|video|performance|q[1-4]|always-on))* (?:campaign|campaigns|push|flight|media plan|activation)\b/gi,
]

function withoutCampaignTalk(sentence: string): string {
  return tidy(CAMPAIGN_CLAUSES.reduce((text, clause) => text.replace(clause, ''), sentence))
}

const WE =
  "(?:we|i|they|our client|the client|client|the brand)(?:'re|'d|'m|'ll| are| am| is| would| will)?"
const VERB =
  '(?:reach|target|find|identify|get in front of|talk to|speak to|engage|address|attract|connect with|focus on|appeal to|advertise to|market to|sell to|promote to|win over|go after|drive|see|get|discover|locate|activate)(?:ing)?'

/** Introductory phrases of a request; removed repeatedly, since one may follow another. */
const LEADS: readonly RegExp[] = [
  /^(?:so|and|also|ideally|mainly|primarily|specifically|basically|please|ok|okay|well|then|now|additionally|furthermore)[,\s]+/i,
  new RegExp(
    `^${WE}\\s+(?:also |really |mainly |primarily |just |ideally )*(?:(?:like|love|want|wish|need|hope|aim|look|looking|plan|planning|try|trying|hoping|aiming|interested|going)(?:s|ing)?\\s+(?:to|in|for|at)?\\s*)?(?:be )?${VERB}\\s+`,
    'i',
  ),
  new RegExp(
    `^${WE}\\s+(?:also |really |mainly |just )*(?:want|need|looking for|searching for|after|interested in|seeking|targeting|reaching|focus(?:ing|ed)? on|aiming for|aiming at|going after)\\s+`,
    'i',
  ),
  /^(?:the |our |my )?(?:ideal |primary |secondary |core |main |key |typical |desired |intended )*(?:target|audience|target audience|target group|customers?|buyers?|segments?|consumers?|shoppers?|market)(?: (?:we want|for this))?\s+(?:is|are|would be|will be|includes?|consists? of|should be|comprises?)\s+/i,
  /^(?:find|show|give|get|suggest|recommend|send|list|identify|pull|search|bring|help (?:me|us) (?:find|reach|target))(?: (?:me|us))?(?: for)?\s+(?=\S)/i,
  /^(?:i|we) (?:would like|want|need|am looking for|are looking for)\s+/i,
  /^(?:reach|target|targeting|reaching)(?: out to)?\s+/i,
  /^(?:looking for|looking to reach|seeking|searching for|need|wanted|want)\s+(?=(?:an? |the |some )?(?:[\w-]+ ){0,3}(?:people|folks|audiences?|segments?|signals?|users|consumers|adults|parents|families|households|owners|intenders|shoppers|buyers|lovers|fans|enthusiasts|women|men|moms|mums|travell?ers|professionals)\b)/i,
  /^(?:some|any|the best|the right|best|good|all|relevant|available|suitable|a list of|lots of)\s+(?=(?:audience|segment|signal|data)s?\b|(?:audience|data) )/i,
  /^(?:an? |the |some |any |all |your )?(?:third[- ]party |relevant |best |audience |data |targeting )*(?:audiences?|segments?|signals?|data(?:sets?)?)\s+(?:of|for|about|on|that (?:are|covers?|contains?|reach(?:es)?|includes?)|which (?:are|covers?|contains?)|with|targeting|reaching|containing|covering|related to|made up of|consisting of|to (?:reach|target))\s+/i,
  /^(?:it|this|they|these) (?:is|are|should be|would be) (?:aimed at|perfect for|made for|designed for|for|ideal for|great for)\s+/i,
  /^(?:think|imagine|picture)(?: of)?\s+(?!about)/i,
  /^they (?:are |also |typically |usually |often |tend to )*/i,
  /^(?:mostly|mainly|primarily|especially|particularly|basically)\s+/i,
]

function withoutLead(sentence: string): string {
  let text = sentence
  for (let round = 0; round < 5; round++) {
    const shorter = LEADS.reduce((left, lead) => left.replace(lead, ''), text)
    if (shorter === text || tidy(shorter) === '') break
    text = shorter
  }
  return tidy(text.replace(/\b(?:audiences?|segments?|signals?)$/i, '')) || tidy(text)
}

function productOf(sentence: string): string {
  const said = sentence
    .replace(
      /^.*?\b(?:launching|launch|introducing|introduce|releasing|release|rolling out|promoting|promote|advertising|advertise|selling|sells?|makes?|making|offers?|offering|producing|produces?|campaign (?:for|to promote)|(?:we are|is)(?= an? ))\s+(?=\S)/i,
      '',
    )
    .replace(
      /^(?:(?:an?|the|our|their|its|new|brand new|latest|leading|first|of|line|range|up)\s+)+/i,
      '',
    )
  const bare = tidy(
    said
      .replace(
        /\s+(?:brand|company|product|products|line|range|start-?up|business|retailer)\b(?=$|[.,;]| in | for )/gi,
        '',
      )
      .replace(/\s+(?:this|next)\s+(?:spring|summer|autumn|fall|winter|month|year|week)\b/gi, ''),
  )
  return bare === '' ? tidy(sentence) : bare
}
