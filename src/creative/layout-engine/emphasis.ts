// What a variant of an advertisement says first: another sentence of the same text. It says nothing that the other
// variants do not say, and moves nothing that was requested word for word.

import { sentencesOf } from '../message/sentences.ts'
import type { TextLimits } from './ad-input.ts'

interface Body {
  headline: string
  description: string
}

/** Unchanged if no other sentence could come first, or if not all of it would then fit. */
export function emphasised(body: Body, variant: number, limits: Required<TextLimits>): Body {
  const sentences = sentencesOf(body.description)
  const leads = [body.headline, ...sentences.filter((text) => mayLead(text, limits.headline))]
  const lead = leads[variant % leads.length] as string
  if (lead === body.headline) return body
  const rest = sentences.filter((text) => text !== lead)
  const description = [closed(body.headline), ...rest].join(' ')
  if (description.length > limits.description) return body
  return { headline: lead.replace(/\.$/, ''), description }
}

/** A sentence that refers to the previous one makes no sense without it. */
const REFERS =
  /^(?:it|its|they|their|this|that|these|those|he|she|and|but|or|so|also|too|es|sie|er|und|aber|auch|das|dies|il|elle|et|mais|y|pero)\b/i
const LEAST_WORDS = 2

function mayLead(text: string, limit: number): boolean {
  return text.length <= limit && text.split(' ').length >= LEAST_WORDS && !REFERS.test(text)
}

function closed(text: string): string {
  return /[.!?…。！？]$/.test(text) ? text : `${text}.`
}
