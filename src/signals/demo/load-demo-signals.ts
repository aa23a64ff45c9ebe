// The demo catalogue of signals: loaded only into an empty catalogue, and completely or not at all. Its vectors are
// included (`scripts/embed-demo-signals.mjs`), so that new users do not have to wait for them.

import { createReadStream, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ANY_PLACE } from '../../protocol/target-place.ts'
import { placeName } from '../access.ts'
import type { CatalogueSignal } from '../catalogue.ts'
import { type SignalRow, signalRows } from '../files/signal-rows.ts'
import { type ImportPorts, importSignals } from '../import-signals.ts'
import { MODEL_DIMENSIONS, MODEL_NAME } from '../matching/sentence-model.ts'
import type { SignalVector, SignalVectorStore } from '../store.ts'

const FOLDER = fileURLToPath(new URL('./', import.meta.url))

export async function loadDemoSignals(
  storage: ImportPorts & { signalVectors: Pick<SignalVectorStore, 'put'> },
): Promise<void> {
  if ((await storage.signals.count()) > 0) return
  const { stopped } = await importSignals(storage, demoRows(), {
    batchSize: Number.POSITIVE_INFINITY,
    onBadRow: (row, [fault]) => {
      throw new Error(`a demo signal, ${row}: ${fault?.pointer} ${fault?.message}`)
    },
  })
  if (stopped !== undefined) throw new Error(`the demo signals: ${stopped}`)
  await storage.transact((tx) => storage.signalVectors.put(tx, MODEL_NAME, demoVectors()))
}

const DIGEST_BYTES = 32
/** The stored form: the value of one step, and the steps. */
const VECTOR_BYTES = 4 + MODEL_DIMENSIONS
const RECORD_BYTES = DIGEST_BYTES + VECTOR_BYTES

/** Alternating: the digest of a text, and its vector. */
function demoVectors(): SignalVector[] {
  const bytes = readFileSync(`${FOLDER}vectors.bin`)
  return Array.from({ length: bytes.length / RECORD_BYTES }, (_, n) => {
    const [from, middle, to] = [0, DIGEST_BYTES, RECORD_BYTES].map((at) => n * RECORD_BYTES + at)
    return {
      digest: bytes.toString('base64url', from, middle),
      vector: new Uint8Array(bytes.subarray(middle, to)),
    }
  })
}

async function* demoRows(): AsyncGenerator<SignalRow> {
  for (const file of readdirSync(FOLDER).sort()) {
    if (!file.endsWith('.jsonl')) continue
    for await (const row of signalRows('jsonl', createReadStream(FOLDER + file, 'utf8'))) {
      yield row.ok ? { ...row, signal: onAnyAgent(row.signal) } : row
    }
  }
}

/** New users name a sales agent of their own. */
function onAnyAgent(signal: CatalogueSignal): CatalogueSignal {
  const place = { type: 'agent', agent_url: ANY_PLACE, is_live: false } as const
  const others = signal.deployments.filter((one) => placeName(one) !== ANY_PLACE)
  return {
    ...signal,
    deployments: [...others, { ...place, estimated_activation_duration_minutes: 0 }],
  }
}
