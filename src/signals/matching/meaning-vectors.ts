// Vectors of the sentence model: for the requested texts, cached in memory; and for signals, read from the store,
// where all instances save them. Missing vectors that a search needs are created at once.

import { createRecentCache } from '../../lib/recent-cache.ts'
import type { Transact } from '../../lib/transaction.ts'
import type { SignalText, SignalVector, SignalVectorStore } from '../store.ts'
import { packVector, type Quantised, quantise, unpackVector } from './quantise.ts'
import type { CallerRank } from './rank-of-caller.ts'
import type { SentenceModel } from './sentence-model.ts'

/** On whose behalf texts are embedded. */
export interface EmbedFor {
  /** The current rank: it falls as vectors are created. */
  rank: () => CallerRank
  abort: AbortSignal
  /** Called with the approximate time that each text took, in milliseconds. */
  charge: (ms: number) => void
}

export interface MeaningVectors {
  /** Undefined without a model. */
  ofQuestion(text: string, by: EmbedFor): Promise<Quantised | undefined>
  /** Those that are there, by digest. */
  ofSignals(digests: readonly string[]): Promise<ReadonlyMap<string, Quantised>>
  /** Whether so few signals lack a vector that a search can wait for the ones it needs. */
  isNearlyWhole(): Promise<boolean>
  /** Creates missing vectors, in order, until the time is used up. */
  make(
    texts: readonly SignalText[],
    until: () => boolean,
    by: EmbedFor,
  ): Promise<ReadonlyMap<string, Quantised>>
}

export interface MeaningPorts {
  vectors: Pick<SignalVectorStore, 'get' | 'put' | 'counts'>
  transact: Transact
  /** Undefined if there is no model; can become undefined later. */
  model: () => Promise<SentenceModel | undefined>
  /** Called when a model or a store fails: the search continues with the distilled table. */
  onFault: (error: unknown) => void
  /** In milliseconds, from an arbitrary starting point. */
  now: () => number
}

/**
 * Separate for callers with a key and for the others: a caller that floods the search evicts only entries of its own
 * group.
 */
const QUESTIONS_KEPT = 10_000
/** About 40 MB. */
const SIGNALS_KEPT = 65_536
const READ_AT_ONCE = 500
/** The model's time for a text: a fixed part, plus more for long texts. */
const TEXT_MS = 4
const CHARACTER_MS = 0.06
/**
 * How long a missing vector is not looked for again: otherwise a search of many would only confirm that it is
 * missing.
 */
const ABSENT_MS = 2_000
/** A fresh import of a few hundred; after a larger one, searches would wait for hours. */
const FEW = 1_000

export function createMeaningVectors(ports: MeaningPorts): MeaningVectors {
  const { vectors, transact, model, now } = ports
  const questions = {
    withKey: createRecentCache<Quantised>(QUESTIONS_KEPT),
    keyless: createRecentCache<Quantised>(QUESTIONS_KEPT),
  }
  const signals = createRecentCache<Quantised>(SIGNALS_KEPT)
  const absent = createRecentCache<number>(SIGNALS_KEPT)

  async function read(name: string, digests: readonly string[], into: Map<string, Quantised>) {
    for (let at = 0; at < digests.length; at += READ_AT_ONCE) {
      const found = await vectors.get(name, digests.slice(at, at + READ_AT_ONCE))
      for (const [digest, bytes] of found) {
        const vector = unpackVector(bytes)
        signals.set(digest, vector)
        into.set(digest, vector)
      }
    }
  }

  const embed = (text: string, by: EmbedFor) => embedText(ports, text, by)

  return {
    ofQuestion: async (text, by) => {
      const own = by.rank().hasKey ? questions.withKey : questions.keyless
      const known = own.get(text)
      if (known) return known
      const made = await embed(text, by)
      if (!made) return undefined
      const vector = quantise(made)
      own.set(text, vector)
      return vector
    },

    ofSignals: async (digests) => {
      const found = new Map<string, Quantised>()
      const current = await model()
      if (!current) return found
      const unread: string[] = []
      const time = now()
      for (const digest of digests) {
        const known = signals.get(digest)
        if (known) found.set(digest, known)
        else if (time - (absent.get(digest) ?? Number.NEGATIVE_INFINITY) >= ABSENT_MS)
          unread.push(digest)
      }
      await read(current.name, unread, found)
      for (const digest of unread) if (!found.has(digest)) absent.set(digest, time)
      return found
    },

    isNearlyWhole: async () => {
      const current = await model()
      if (!current) return false
      const { signals: all, vectors: there } = await vectors.counts(current.name)
      return all - there <= FEW
    },

    make: async (texts, until, by) => {
      const made = new Map<string, Quantised>()
      const current = await model()
      if (!current) return made
      const rows: SignalVector[] = []
      for (const { digest, text } of texts) {
        if (until()) break
        const floats = await embed(text, by)
        if (!floats) break
        const vector = quantise(floats)
        made.set(digest, vector)
        signals.set(digest, vector)
        rows.push({ digest, vector: packVector(vector) })
      }
      if (rows.length > 0) await transact((tx) => vectors.put(tx, current.name, rows))
      return made
    },
  }
}

/** Undefined without a model, or when it fails. */
async function embedText(
  { model, onFault }: MeaningPorts,
  text: string,
  by: EmbedFor,
): Promise<Float32Array | undefined> {
  by.charge(TEXT_MS + text.length * CHARACTER_MS)
  try {
    return await (await model())?.embed(text, 'search', by)
  } catch (error) {
    by.abort.throwIfAborted()
    onFault(error)
    return undefined
  }
}
