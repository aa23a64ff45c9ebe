// What the model makes of each token of a message: its likeliest role, and how likely it may be printed.

import { contextFeaturesOf } from './context-features.ts'
import { contextScores } from './context-model.ts'
import { featuresOf } from './features.ts'
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

/** One message is read several times in a row: its parts, its spans. */
export function judgedTokens(text: string): readonly JudgedToken[] {
  if (last?.text !== text) last = { text, tokens: judge(text, readerModel()) }
  return last.tokens
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
      isWord: /[\p{L}\p{N}]/u.test(token.text),
    }
  })
}
