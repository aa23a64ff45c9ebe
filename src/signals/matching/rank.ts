// The order of the candidates (spec 4.3): how well each fits each intent, what counts against it, and how the intents
// share the places. Pure: the same looks give the same order, and ties are broken by id.

import type { Tier } from './tier.ts'
import type { Stage } from './understood.ts'
import { wantersFirst } from './wanters-first.ts'

/** How close a candidate is to one wording of an intent. */
export interface Look {
  /** Cosine by the sentence model; absent without a model, or while the signal has no vector. */
  model?: number | undefined
  /** Cosine by the distilled table. */
  table: number
  /** Share of the wording's words that the signal has, 0 to 1, weighted towards rare words. */
  lexical: number
  /** Word overlap between wording and name: 1 if they are the same. */
  name: number
  /** Whether the wording is closer to something else than to any candidate. */
  isOutOfDomain?: boolean | undefined
}

export interface Candidate {
  id: string
  stage?: Stage | undefined
  tier?: Tier | undefined
  /** For each intent, for each of its wordings. */
  looks: readonly (readonly Look[])[]
  /** For each thing that the caller wants to exclude. */
  avoided: readonly Look[]
}

export interface Ranked {
  id: string
  /** 0 to 1, and never higher than the previous one's. */
  relevance: number
  /** Which intent it matches, and by which wording. */
  intent: number
  wording: number
}

/**
 * The weight of each part of a look, relative to 1 for the model. There are few of them, tuned on the labelled dev
 * split.
 */
const WEIGHTS = {
  table: 0.13,
  lexical: 0.19,
  name: 0.08,
  /** Factor on the score of a wording that is not the caller's own. */
  rewrite: 0.97,
  /** Deducted if the stage is wrong: owners instead of intenders. */
  otherStage: 0.06,
  /** Fraction of the best score for the same intent: lower scores do not count as a match next to it. */
  leastShare: 0.4,
  /** The same after the first page, and the minimum score there. */
  leastShareBehind: 0.6,
  leastBehind: 0.45,
  /** Fraction of the score for each further intent that a signal also serves. */
  further: 0.07,
  /** The minimum similarity by the model, plus shared words: below it, nothing matches. */
  floor: 0.31,
  floorHelp: 0.05,
  /** How much closer a text that describes no audience may be than the best signal. */
  elsewhere: 0.03,
  /** The same by the distilled table, which finds some similarity everywhere. */
  tableFloor: 0.48,
  tableFloorHelp: 0.35,
}

/** Further data about an intent, besides its wordings. */
export interface IntentKind {
  stage?: Stage | undefined
  tier?: Tier | undefined
}

export function rankCandidates(
  kinds: readonly IntentKind[],
  candidates: readonly Candidate[],
  nameOf: (id: string) => string = () => '',
): Ranked[] {
  const scored = candidates.flatMap((candidate) => {
    const fits = kinds.flatMap((kind, intent) => {
      const fit = fitOf(candidate, candidate.looks[intent]!, kind)
      return fit ? [{ ...fit, intent }] : []
    })
    const fit = overall(fits)
    const { id, stage } = candidate
    return fit && !isHeldBack(candidate, fit.score) ? [{ id, stage, ...fit }] : []
  })
  scored.sort(byScore)
  const isWanted = kinds.some(({ stage }) => stage === 'intender')
  const matching = withoutFar(isWanted ? wantersFirst(scored, nameOf).sort(byScore) : scored)
  return withRelevance(kinds.length > 1 ? interleave(matching, kinds.length) : matching)
}

function byScore(a: Fit & { id: string }, b: Fit & { id: string }): number {
  return b.score - a.score || (a.id < b.id ? -1 : 1)
}

/**
 * Hits up to this position are scored leniently: a caller that requests ten receives similar ones too, while a count
 * only includes matches.
 */
const FIRST_PAGE = 10

/** If something matches well, signals that are merely related do not count as a match. */
function withoutFar<T extends Fit>(scored: readonly T[]): T[] {
  const best = new Map<number, number>()
  // The best of each intent comes first.
  for (const { intent, score } of scored) if (!best.has(intent)) best.set(intent, score)
  return scored.filter(({ intent, score }, at) => {
    const top = Math.min(1, best.get(intent)!)
    if (at < FIRST_PAGE) return score >= WEIGHTS.leastShare * top
    return score >= Math.max(WEIGHTS.leastShareBehind * top, Math.min(WEIGHTS.leastBehind, top))
  })
}

interface Fit {
  score: number
  intent: number
  wording: number
}

/** By the wording that matches best; undefined if none does. */
function fitOf(
  candidate: Candidate,
  looks: readonly Look[],
  { stage, tier }: IntentKind,
): Omit<Fit, 'intent'> | undefined {
  // The expensive kind does not match a request for the cheap one, whatever they have in common.
  if (tier && candidate.tier && tier !== candidate.tier) return undefined
  let best: Omit<Fit, 'intent'> | undefined
  for (const [wording, look] of looks.entries()) {
    if (!isNear(look)) continue
    const score = scoreOf(look) * (wording === 0 ? 1 : WEIGHTS.rewrite)
    if (!best || score > best.score) best = { score, wording }
  }
  const isOther = stage !== undefined && candidate.stage !== undefined && stage !== candidate.stage
  return best && isOther ? { ...best, score: best.score - WEIGHTS.otherStage } : best
}

function isNear({ model, table, lexical, name, isOutOfDomain }: Look): boolean {
  if (name >= 0.9) return true
  if (isOutOfDomain) return false
  return model === undefined
    ? table + WEIGHTS.tableFloorHelp * lexical >= WEIGHTS.tableFloor
    : meaningOf(model, lexical) >= WEIGHTS.floor
}

const meaningOf = (model: number, lexical: number) => model + WEIGHTS.floorHelp * lexical

/** Whether a wording is closer to a text that describes no audience, at this similarity, than to any candidate. */
export function isOutOfDomain(looks: readonly Look[], nearOutOfDomain: number): boolean {
  const nearest = looks.reduce(
    (best, { model, lexical }) =>
      model === undefined ? best : Math.max(best, meaningOf(model, lexical)),
    -1,
  )
  return nearest > -1 && nearOutOfDomain > nearest + WEIGHTS.elsewhere
}

export function scoreOf({ model, table, lexical, name }: Look): number {
  const meaning = model ?? meaningByTable(table)
  return (
    meaning + WEIGHTS.table * table + WEIGHTS.lexical * lexical + WEIGHTS.name * nameBonus(name)
  )
}

/** Estimates the model's score from the table's. */
function meaningByTable(table: number): number {
  return 0.9 * table - 0.05
}

/** 0 for half the words, the full value for the same words. */
function nameBonus(name: number): number {
  return name === 1 ? 2 : Math.max(0, 2 * name - 1)
}

/** The best of the intents, plus something for the others that the signal also serves. */
function overall(fits: readonly Fit[]): Fit | undefined {
  const [best, ...others] = [...fits].sort((a, b) => b.score - a.score || a.intent - b.intent)
  if (!best) return undefined
  return { ...best, score: best.score + WEIGHTS.further * (others[0]?.score ?? 0) }
}

/** Whether the meaning is closer to what is excluded than to what is requested. */
function isHeldBack({ avoided }: Candidate, score: number): boolean {
  return avoided.some((look) => isNear(look) && scoreOf(look) >= Math.max(0.45, score - 0.1))
}

/** An intent whose best score is far below the overall best does not rank equally with the others. */
const EQUAL_SHARE = 0.8

/**
 * Each intent's best first, then each one's second, and so on; within a round, by score. A signal that serves only an
 * intent with hardly any match waits until nothing better is left.
 */
function interleave<T extends Fit>(scored: readonly T[], intents: number): T[] {
  const least = EQUAL_SHARE * (scored[0]?.score ?? 0)
  const equals = new Set(scored.filter(({ score }) => score >= least).map(({ intent }) => intent))
  const taken = new Array<number>(intents).fill(0)
  const rounds: T[][] = []
  for (const one of scored) {
    if (!equals.has(one.intent)) continue
    const round = taken[one.intent]!++
    rounds[round] ??= []
    rounds[round].push(one)
  }
  const waiting = scored.filter(({ intent }) => !equals.has(intent))
  return mergeBelow(rounds.flat(), waiting)
}

/** Each item of `later` comes once everything left of `first` scores lower. */
function mergeBelow<T extends Fit>(first: readonly T[], later: readonly T[]): T[] {
  const left = [...later]
  const merged: T[] = []
  let best = Number.NEGATIVE_INFINITY
  for (const one of [...first].reverse()) {
    best = Math.max(best, one.score)
    while (left.length > 0 && left.at(-1)!.score < best) merged.push(left.pop()!)
    merged.push(one)
  }
  return [...left, ...merged.reverse()]
}

function withRelevance(ordered: readonly (Fit & { id: string })[]): Ranked[] {
  let ceiling = 1
  return ordered.map(({ id, score, intent, wording }) => {
    ceiling = Math.min(ceiling, Math.max(0.01, score))
    return { id, intent, wording, relevance: Math.round(ceiling * 1_000) / 1_000 }
  })
}
