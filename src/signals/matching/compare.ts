// The exact look at each candidate: how near it is to every wording by the sentence model, the distilled
// table, its words and its name.

import { embeddedText } from '../embedded-text.ts'
import type { SignalStore, SignalText } from '../store.ts'
import { DIGEST_BYTES } from './columns.ts'
import type { MeaningVectors } from './meaning-vectors.ts'
import { cosine, type Quantised } from './quantise.ts'
import { lexicalShare, type Question } from './question.ts'
import { type Candidate, type Look, scoreOf } from './rank.ts'
import type { SignalIndex } from './signal-index.ts'
import { stageOfNumber } from './signal-stage.ts'
import { contentWords, stemOf, wordsOf } from './words.ts'

export interface ComparePorts {
  index: SignalIndex
  signals: Pick<SignalStore, 'get'>
  meanings: MeaningVectors
  now: () => number
  abort: AbortSignal
}

export interface Compared {
  places: readonly number[]
  wordings: readonly (readonly Question[])[]
  unwanted: readonly Question[]
}

/** Signals without a vector that a search has made at once, and how long it may take. */
const MAKE_AT_ONCE = 50
const MAKE_FOR_MS = 2_000

export async function compareCandidates(
  ports: ComparePorts,
  { places, wordings, unwanted }: Compared,
): Promise<Candidate[]> {
  if (places.length === 0) return []
  const { index, meanings } = ports
  const questions = [...wordings.flat(), ...unwanted]
  const asked = new Map<Question, Quantised | undefined>()
  const asking = questions.map(async (question) => {
    asked.set(question, await meanings.ofQuestion(question.meaning))
  })
  const digests = places.map((place) => digestAt(index, place))
  const [made] = await Promise.all([meanings.ofSignals(digests), ...asking])
  const meaning = new Map(made)
  const look = (at: number, question: Question): Look =>
    lookAt(index, places[at]!, question, {
      question: asked.get(question),
      signal: meaning.get(digests[at]!),
    })
  const isMissing = digests.some((digest) => !meaning.has(digest))
  if (isMissing && [...asked.values()].every(Boolean) && (await meanings.isNearlyWhole())) {
    const missing = await missingTexts(ports, {
      places,
      digests,
      meaning,
      questions: wordings.flat(),
    })
    const started = ports.now()
    const isOver = () => ports.abort.aborted || ports.now() - started > MAKE_FOR_MS
    for (const [digest, vector] of await meanings.make(missing, isOver)) meaning.set(digest, vector)
  }
  return places.map((place, at): Candidate => {
    const { block, row } = index.rowOf(place)
    return {
      id: block.ids.get(row),
      stage: stageOfNumber(block.stage[row]!),
      looks: wordings.map((of) => of.map((question) => look(at, question))),
      avoided: unwanted.map((question) => look(at, question)),
    }
  })
}

function digestAt(index: SignalIndex, place: number): string {
  const { block, row } = index.rowOf(place)
  const from = row * DIGEST_BYTES
  return Buffer.from(block.digests.buffer, from, DIGEST_BYTES).toString('base64url')
}

function lookAt(
  index: SignalIndex,
  place: number,
  question: Question,
  meaning: { question: Quantised | undefined; signal: Quantised | undefined },
): Look {
  const { block, row } = index.rowOf(place)
  const lexical = lexicalShare(index, place, question)
  return {
    model: meaning.question && meaning.signal && cosine(meaning.question, meaning.signal),
    table: cosine(question.table, index.scanner.read(block.vectors, row)),
    lexical,
    // Without a word in common, the name has none either.
    name: lexical > 0 ? nameLikeness(question, block.names.get(row)) : 0,
  }
}

/** Dice's coefficient of the words' stems; 1 only where the words themselves are the same. */
function nameLikeness({ text, words }: Question, name: string): number {
  const stems = new Set(contentWords(name).map(stemOf))
  const common = words.filter(({ stem }) => stems.has(stem)).length
  const likeness = (2 * common) / (words.length + stems.size)
  if (likeness < 1) return likeness
  const sorted = (of: string) => [...wordsOf(of)].sort().join(' ')
  return sorted(text) === sorted(name) ? 1 : 0.95
}

/** The texts of the likeliest candidates that have no vector yet. */
async function missingTexts(
  { index, signals }: ComparePorts,
  of: {
    places: readonly number[]
    digests: readonly string[]
    meaning: ReadonlyMap<string, Quantised>
    questions: readonly Question[]
  },
): Promise<SignalText[]> {
  const without = of.places.flatMap((place, at) => {
    const digest = of.digests[at]!
    if (of.meaning.has(digest)) return []
    const looks = of.questions.map((question) =>
      lookAt(index, place, question, { question: undefined, signal: undefined }),
    )
    return [{ place, digest, score: Math.max(...looks.map(scoreOf)) }]
  })
  const likeliest = without.sort((a, b) => b.score - a.score).slice(0, MAKE_AT_ONCE)
  const idOf = (place: number) => {
    const { block, row } = index.rowOf(place)
    return block.ids.get(row)
  }
  const stored = await signals.get(likeliest.map(({ place }) => idOf(place)))
  return likeliest.flatMap(({ place, digest }) => {
    const one = stored.get(idOf(place))
    return one?.text_digest === digest ? [{ digest, text: embeddedText(one.signal) }] : []
  })
}
