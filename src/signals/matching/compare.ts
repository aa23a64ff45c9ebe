// The exact comparison of each candidate: how near it is to every wording by the sentence model, the distilled table,
// its words and its name.

import { defined } from '../../lib/defined.ts'
import { embeddedText } from '../embedded-text.ts'
import type { SignalStore, SignalText } from '../store.ts'
import { DIGEST_BYTES } from './columns.ts'
import type { Layers } from './layers.ts'
import type { EmbedFor, MeaningVectors } from './meaning-vectors.ts'
import { nearOutOfDomain } from './out-of-domain.ts'
import { cosine, type Quantised } from './quantise.ts'
import { lexicalShares, type Question } from './question.ts'
import { type Candidate, isOutOfDomain, type Look, scoreOf } from './rank.ts'
import type { SignalIndex } from './signal-index.ts'
import { stageOfNumber } from './signal-stage.ts'
import type { Slice } from './slices.ts'
import { tierOf } from './tier.ts'
import { contentWords, stemOf, wordsOf } from './words.ts'

export interface ComparePorts {
  index: SignalIndex
  signals: Pick<SignalStore, 'get'>
  meanings: MeaningVectors
  now: () => number
  abort: AbortSignal
  /** Between two parts of the work. */
  pause: () => Promise<void>
  /** For what is done elsewhere. */
  wait: Slice['wait']
  by: EmbedFor
  layers: Layers
}

export interface Compared {
  places: readonly number[]
  wordings: readonly (readonly Question[])[]
  unwanted: readonly Question[]
  /** Whether it matters if a signal is about the expensive or the cheap kind of a thing. Default false. */
  withTiers?: boolean | undefined
}

/** Maximum number of signals without a vector that a search embeds at once, and how long that may take. */
const MAKE_AT_ONCE = 50
const MAKE_FOR_MS = 2_000

export async function compareCandidates(
  ports: ComparePorts,
  { places, wordings, unwanted, withTiers = false }: Compared,
): Promise<Candidate[]> {
  if (places.length === 0) return []
  const { index, meanings, by, pause, wait, layers } = ports
  const questions = [...wordings.flat(), ...unwanted]
  const requested = new Map<Question, Quantised | undefined>()
  const asking = questions.map(async (question) => {
    requested.set(question, await meanings.ofQuestion(question.meaning, by))
  })
  const digests = places.map((place) => digestAt(index, place))
  const [made] = await wait(Promise.all([meanings.ofSignals(digests), ...asking]))
  await pause()
  const meaning = new Map(made)
  const isMissing = digests.some((digest) => !meaning.has(digest))
  const plain = new Map<Question, Look[]>()
  for (const question of questions) {
    await pause()
    plain.set(question, plainLooks(index, question, { places, withTable: layers.has('table') }))
  }
  if (
    isMissing &&
    [...requested.values()].every(Boolean) &&
    (await wait(meanings.isNearlyWhole()))
  ) {
    const scoreAt = (at: number) =>
      Math.max(...wordings.flat().map((question) => scoreOf(plain.get(question)![at]!)))
    const missing = await wait(missingTexts(ports, { places, digests, meaning, scoreAt }))
    const started = ports.now()
    const isOver = () => ports.abort.aborted || ports.now() - started > MAKE_FOR_MS
    for (const [digest, vector] of await wait(meanings.make(missing, isOver, by))) {
      meaning.set(digest, vector)
    }
    await pause()
  }
  const look = (at: number, question: Question): Look => {
    const [of, to] = [requested.get(question), meaning.get(digests[at]!)]
    return { ...plain.get(question)![at]!, model: of && to && cosine(of, to) }
  }
  const looks = new Map<Question, readonly Look[]>()
  for (const question of questions) {
    await pause()
    looks.set(
      question,
      checked(
        places.map((_, at) => look(at, question)),
        layers.has('elsewhere') ? requested.get(question) : undefined,
      ),
    )
  }
  const candidates: Candidate[] = []
  for (const [at, place] of places.entries()) {
    if (at > 0 && at % PLACES_AT_ONCE === 0) await pause()
    const { block, row } = index.rowOf(place)
    candidates.push({
      id: block.ids.get(row),
      stage: stageOfNumber(block.stage[row]!),
      ...defined({ tier: withTiers ? tierOf(block.names.get(row)) : undefined }),
      looks: wordings.map((of) => of.map((question) => looks.get(question)![at]!)),
      avoided: unwanted.map((question) => looks.get(question)![at]!),
    })
  }
  return candidates
}

/** The looks of one wording: if the wording is closer to something else than to any of them, each says so. */
function checked(looks: readonly Look[], of: Quantised | undefined): readonly Look[] {
  if (!of || !isOutOfDomain(looks, nearOutOfDomain(of))) return looks
  return looks.map((look) => ({ ...look, isOutOfDomain: true }))
}

/** Candidates compared between two pauses: a few milliseconds with all wordings. */
const PLACES_AT_ONCE = 250

function digestAt(index: SignalIndex, place: number): string {
  const { block, row } = index.rowOf(place)
  const from = row * DIGEST_BYTES
  return Buffer.from(block.digests.buffer, from, DIGEST_BYTES).toString('base64url')
}

/** With a smaller share of its words, a name matches less than half of them, which counts for nothing. */
const NAME_FROM_SHARE = 0.15

/** Everything about the places that can be determined without the model. */
function plainLooks(
  index: SignalIndex,
  question: Question,
  { places, withTable }: { places: readonly number[]; withTable: boolean },
): Look[] {
  const shares = lexicalShares(index, places, question)
  return places.map((place, at) => {
    const { block, row } = index.rowOf(place)
    const lexical = shares[at]!
    return {
      table: withTable ? index.scanner.cosineAt(block.vectors, row, question.table) : 0,
      lexical,
      name: lexical >= NAME_FROM_SHARE ? nameLikeness(question, block.names.get(row)) : 0,
    }
  })
}

/** Dice's coefficient of the words' stems; 1 only if the words themselves are the same. */
function nameLikeness({ text, words }: Question, name: string): number {
  const stems = new Set(contentWords(name).map(stemOf))
  const common = words.filter(({ stem }) => stems.has(stem)).length
  const likeness = (2 * common) / (words.length + stems.size)
  if (likeness < 1) return likeness
  const sorted = (of: string) => [...wordsOf(of)].sort().join(' ')
  return sorted(text) === sorted(name) ? 1 : 0.95
}

/** The texts of the most likely candidates that have no vector yet. */
async function missingTexts(
  { index, signals }: ComparePorts,
  of: {
    places: readonly number[]
    digests: readonly string[]
    meaning: ReadonlyMap<string, Quantised>
    scoreAt: (at: number) => number
  },
): Promise<SignalText[]> {
  const without = of.places.flatMap((place, at) => {
    const digest = of.digests[at]!
    if (of.meaning.has(digest)) return []
    const { block, row } = index.rowOf(place)
    return [{ id: block.ids.get(row), digest, score: of.scoreAt(at) }]
  })
  const likeliest = without.sort((a, b) => b.score - a.score).slice(0, MAKE_AT_ONCE)
  const stored = await signals.get(likeliest.map(({ id }) => id))
  return likeliest.flatMap(({ id, digest }) => {
    const one = stored.get(id)
    return one?.text_digest === digest ? [{ digest, text: embeddedText(one.signal) }] : []
  })
}
