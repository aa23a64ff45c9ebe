// What the model makes of each token of a message: its likeliest role, and how likely it may be printed. Where a language
// model has read the message, the roles are its own.

import { contextFeaturesOf } from './context-features.ts'
import { contextScores } from './context-model.ts'
import { featuresOf } from './features.ts'
import { type GivenReading, givenRoles } from './given-roles.ts'
import { type ReaderModel, readerModel } from './models.ts'
import { PRINTED_ROLES, READ_ROLES, type ReadRole } from './roles.ts'
import { readSequence } from './sequence-model.ts'
import { type Token, tokensOf } from './tokens.ts'

export interface JudgedToken extends Token {
  role: ReadRole
  /** The probability that it may be printed, 0 to 1. */
  printable: number
  isWord: boolean
}

let last: { text: string; tokens: readonly JudgedToken[] } | undefined

/** One message is read several times in a row: its parts, its spans. `given` is a reading of the message that it is of. */
export function judgedTokens(text: string, given?: GivenReading): readonly JudgedToken[] {
  if (given) return givenTokens(text, given)
  if (last?.text !== text) last = { text, tokens: judge(text, readerModel()) }
  return last.tokens
}

function givenTokens(text: string, given: GivenReading): JudgedToken[] {
  const tokens = tokensOf(text)
  const whole = text === given.text ? tokens : tokensOf(given.text)
  const roles = givenRoles(tokens, given, whole)
  return tokens.map((token, index) => {
    const role = roles[index] as ReadRole
    return { ...token, role, printable: PRINTED_ROLES.has(role) ? 1 : 0, isWord: isWord(token) }
  })
}

function isWord({ text }: Token): boolean {
  return /[\p{L}\p{N}]/u.test(text)
}

function judge(text: string, { sequence, context }: ReaderModel): JudgedToken[] {
  const tokens = tokensOf(text)
  const scores = contextScores(context, contextFeaturesOf(tokens))
  const { best, marginals } = readSequence(sequence, featuresOf(tokens), scores)
  return tokens.map((token, index) => {
    let printable = 0
    for (const [label, role] of READ_ROLES.entries()) {
      if (PRINTED_ROLES.has(role)) printable += marginals[index * READ_ROLES.length + label]!
    }
    return {
      ...token,
      role: READ_ROLES[best[index] as number] as ReadRole,
      printable,
      isWord: isWord(token),
    }
  })
}
