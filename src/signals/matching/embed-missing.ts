// Makes the vectors of signals that have none, in the background and in small parts: claimed for a time,
// so that instances share the work, and whatever a dead one had claimed is taken up by another.

import type { Transact } from '../../lib/transaction.ts'
import type { SignalVector, SignalVectorStore } from '../store.ts'
import { packVector, quantise } from './quantise.ts'
import type { SentenceModel } from './sentence-model.ts'

export interface EmbedPorts {
  vectors: Pick<SignalVectorStore, 'claimMissing' | 'put' | 'sweep'>
  transact: Transact
  /** By its name, before it is loaded. */
  modelName: string
  /** Loads it, which takes seconds: asked only when there is a text for it. */
  model: () => Promise<SentenceModel | undefined>
}

const CLAIMED_AT_ONCE = 32
/** Longer than a claim's texts take even on a busy machine. */
const LEASE_MS = 120_000

/** One part of the work. True when there may be more. */
export async function embedMissing(
  { vectors, transact, modelName, model: load }: EmbedPorts,
  stop: AbortSignal,
): Promise<boolean> {
  const texts = await transact((tx) =>
    vectors.claimMissing(tx, modelName, CLAIMED_AT_ONCE, LEASE_MS),
  )
  if (texts.length === 0) return (await transact((tx) => vectors.sweep(tx))) > 0
  const model = await load()
  if (!model) return false
  const made: SignalVector[] = []
  for (const { digest, text } of texts) {
    if (stop.aborted) break
    made.push({ digest, vector: packVector(quantise(await model.embed(text, 'background'))) })
  }
  if (made.length > 0) await transact((tx) => vectors.put(tx, modelName, made))
  return true
}
