// What the model makes of each token of a message: its likeliest role, and how likely it may be printed. Where a language
// model has read the message, the roles are its own.

import { contextFeaturesOf } from './context-features.ts'
import { contextScores } from './context-model.ts'
import { featuresOf } from './features.ts'
import { type GivenReading, givenRoles } from './given-roles.ts'
import { type ReaderModel, readerModel } from './models.ts'
import { PRINTED_ROLES, READ_ROLES, type ReadRole } from './roles.ts'
import { seenTokens } from './seen-tokens.ts'
import { readSequence } from './sequence-model.ts'
import { type Token, tokensOf } from './tokens.ts'

export interface JudgedToken extends Token {
  role: ReadRole
  /** The probability that it may be printed, 0 to 1. */
  printable: number
  isWord: boolean
}

interface Judged {
  text: string
  tokens: readonly JudgedToken[]
}

/** A message as it was sent, without what speaks of motion, and without markup. */
const MOST_KEPT = 3
let kept: readonly Judged[] = []

/** One message is read several times in a row: its parts, its spans. `given` is a reading of the message that it is of. */
export function judgedTokens(text: string, given?: GivenReading): readonly JudgedToken[] {
  if (given) return givenTokens(text, given)
  const known = kept.find((one) => one.text === text)
  if (known) return known.tokens
  const tokens = judge(tokensOf(text))
  kept = [{ text, tokens }, ...kept.slice(0, MOST_KEPT - 1)]
  return tokens
}

/** Texts that differ only in how wide their blanks are have the same tokens in other places. */
function judge(tokens: readonly Token[]): readonly JudgedToken[] {
  const known = kept.find((one) => isSame(one.tokens, tokens))?.tokens
  if (!known) return judgedBy(readerModel(), tokens)
  return tokens.map((token, index) => {
    const { role, printable, isWord } = known[index] as JudgedToken
    return { ...token, role, printable, isWord }
  })
}

function isSame(some: readonly Token[], others: readonly Token[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ text, isSpaced, isFirstOfLine }, index) => {
      const other = others[index] as Token
      return (
        text === other.text && isSpaced === other.isSpaced && isFirstOfLine === other.isFirstOfLine
      )
    })
  )
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

function judgedBy({ sequence, context }: ReaderModel, tokens: readonly Token[]): JudgedToken[] {
  const seen = seenTokens(tokens)
  const scores = contextScores(context, contextFeaturesOf(tokens, seen))
  const { best, marginals } = readSequence(sequence, featuresOf(tokens, seen), scores)
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
