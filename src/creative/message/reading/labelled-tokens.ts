// The model's result for each token of a message: its most likely role, and the probability that it may be printed.
// If a language model has read the message, the roles are that model's.

import { contextFeaturesOf } from './context-features.ts'
import { meanScores } from './context-model.ts'
import { featuresOf } from './features.ts'
import { type GivenReading, givenRoles } from './given-roles.ts'
import { type ReaderModel, readerModel } from './models.ts'
import { PRINTED_ROLES, READ_ROLES, type ReadRole } from './roles.ts'
import { seenTokens } from './seen-tokens.ts'
import { readSequence } from './sequence-model.ts'
import { type Token, tokensOf } from './tokens.ts'

export interface LabelledToken extends Token {
  role: ReadRole
  /** The probability that it may be printed, 0 to 1. */
  printable: number
  isWord: boolean
}

interface Checked {
  text: string
  tokens: readonly LabelledToken[]
}

/** A message as it was sent, without text about motion, and without markup. */
const MOST_KEPT = 3
let kept: readonly Checked[] = []

/**
 * One message is read several times in a row: its parts, its spans. `given` is the reading of the message it is part
 * of.
 */
export function labelledTokens(text: string, given?: GivenReading): readonly LabelledToken[] {
  if (given) return givenTokens(text, given)
  const known = kept.find((one) => one.text === text)
  if (known) return known.tokens
  const tokens = check(tokensOf(text))
  kept = [{ text, tokens }, ...kept.slice(0, MOST_KEPT - 1)]
  return tokens
}

/** Texts that differ only in the width of their spaces have the same tokens at other positions. */
function check(tokens: readonly Token[]): readonly LabelledToken[] {
  const known = kept.find((one) => isSame(one.tokens, tokens))?.tokens
  if (!known) return checkedBy(readerModel(), tokens)
  return tokens.map((token, index) => {
    const { role, printable, isWord } = known[index] as LabelledToken
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

function givenTokens(text: string, given: GivenReading): LabelledToken[] {
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

function checkedBy({ sequence, contexts }: ReaderModel, tokens: readonly Token[]): LabelledToken[] {
  const seen = seenTokens(tokens)
  const scores = meanScores(contexts, contextFeaturesOf(tokens, seen))
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
