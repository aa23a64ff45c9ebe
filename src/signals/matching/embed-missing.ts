// Creates missing vectors of signals, in the background and in small parts: claimed for a limited time, so that
// instances share the work, and another instance takes over what a dead one had claimed.

import { MAX_DEATHS } from '../../lib/poison-jobs.ts'
import type { Transact } from '../../lib/transaction.ts'
import type { ClaimedText, SignalVector, SignalVectorStore } from '../store.ts'
import { packVector, quantise } from './quantise.ts'
import { MODEL_DIMENSIONS, type SentenceModel } from './sentence-model.ts'

export interface EmbedPorts {
  vectors: Pick<SignalVectorStore, 'claimMissing' | 'release' | 'put' | 'sweep'>
  transact: Transact
  /** By its name, before it is loaded. */
  modelName: string
  /** Loads the model, which takes seconds: called only when there is a text for it. */
  model: () => Promise<SentenceModel | undefined>
  /** Called for a text that can only be found by its words from now on. */
  onFault: (error: unknown) => void
}

const CLAIMED_AT_ONCE = 32
/** Longer than embedding the texts of a claim takes, even on a busy machine. */
const LEASE_MS = 120_000

/** Does one part of the work. True if there may be more. */
export async function embedMissing(ports: EmbedPorts, stop: AbortSignal): Promise<boolean> {
  const { vectors, transact, modelName } = ports
  const texts = await transact((tx) =>
    vectors.claimMissing(tx, modelName, { limit: CLAIMED_AT_ONCE, leaseMs: LEASE_MS }),
  )
  if (texts.length === 0) return (await transact((tx) => vectors.sweep(tx))) > 0
  const made: SignalVector[] = []
  try {
    const isThere = await embedAll(ports, texts, { made, stop })
    return isThere
  } finally {
    if (made.length > 0) await transact((tx) => vectors.put(tx, modelName, made))
  }
}

/**
 * False if there is no model. Texts it does not get to are given back; a text that makes it throw is skipped for
 * good.
 */
async function embedAll(
  { vectors, transact, modelName, model: load, onFault }: EmbedPorts,
  texts: readonly ClaimedText[],
  { made, stop }: { made: SignalVector[]; stop: AbortSignal },
): Promise<boolean> {
  const release = (from: number) =>
    transact((tx) =>
      vectors.release(
        tx,
        modelName,
        texts.slice(from).map(({ digest }) => digest),
      ),
    )
  const model = await load()
  if (!model) {
    await release(0)
    return false
  }
  for (const [at, { digest, text, lost }] of texts.entries()) {
    if (lost > MAX_DEATHS) {
      onFault(new Error(`the model died ${MAX_DEATHS} times of the text of a signal: ${text}`))
      made.push({ digest, vector: MEANINGLESS })
      continue
    }
    const vector = stop.aborted ? undefined : await embedOne(model, text, stop)
    if (!vector) {
      await release(at)
      return true
    }
    made.push({ digest, vector })
  }
  return true
}

/** Undefined if it was stopped meanwhile. */
async function embedOne(
  model: SentenceModel,
  text: string,
  stop: AbortSignal,
): Promise<Uint8Array | undefined> {
  try {
    return packVector(quantise(await model.embed(text, 'background')))
  } catch (error) {
    if (stop.aborted) return undefined
    throw error
  }
}

/** A zero vector: the signal is found by the table and its words, and is never sent to the model again. */
const MEANINGLESS = packVector(quantise(new Float32Array(MODEL_DIMENSIONS)))
