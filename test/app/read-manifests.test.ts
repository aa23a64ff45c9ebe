import { expect, test } from 'vitest'
import { callersReader, registryReader } from '../../src/app/read-manifests.ts'
import type { WorkKind } from '../../src/creative/jobs/works.ts'
import type { WorkerPool } from '../../src/lib/worker-pool/worker-pool.ts'
import {
  WORKER_POOL_FAILURES,
  WorkerPoolError,
} from '../../src/lib/worker-pool/worker-pool-error.ts'
import { readManifest } from '../../src/protocol/read-manifest.ts'

const QUESTION = { type: 'brand.json', allowHttp: false } as const
const BYTES = Buffer.from('{"house": {"domain": "acme.example"}}')

/** A worker pool that does nothing but answer. */
function readerWith(run: () => Promise<unknown>, atOnceBytes: number) {
  const requested: unknown[] = []
  const workerPool = {
    run: (kind: WorkKind) => {
      requested.push(kind)
      return run()
    },
  } as unknown as WorkerPool<WorkKind>
  return {
    requested,
    read: registryReader(workerPool, atOnceBytes),
    ofCaller: callersReader(workerPool, { owner: 'principal a' }, atOnceBytes),
  }
}

test('spec 3.1: a small manifest is read at once, a large one in the worker pool', async () => {
  const answer = { ok: false, reason: 'read elsewhere', issues: [] }
  const large = readerWith(async () => ({ answer }), BYTES.byteLength - 1)
  expect(await large.read(BYTES, QUESTION)).toEqual(answer)
  expect(large.requested).toEqual(['document'])
  const small = readerWith(async () => ({ answer }), BYTES.byteLength)
  expect(await small.read(BYTES, QUESTION)).toEqual(readManifest(BYTES, QUESTION))
  expect(small.requested).toEqual([])
})

test.each(['too_long', 'too_large', 'crashed'] as const)(
  'spec 3.1: a manifest whose reader was ended (%s) is no valid one, and its reason says so',
  async (code) => {
    const { read } = readerWith(async () => Promise.reject(new WorkerPoolError(code)), 0)
    const reading = await read(BYTES, QUESTION)
    const reason = `the file cannot be read: ${WORKER_POOL_FAILURES[code]}`
    expect(reading).toEqual({ ok: false, reason, issues: [] })
  },
)

test.each(['queue_full', 'unavailable', 'stopped'] as const)(
  'where the worker pool cannot (%s), the registry reads it here, and a caller is refused',
  async (code) => {
    const { read, ofCaller } = readerWith(async () => Promise.reject(new WorkerPoolError(code)), 0)
    expect(await read(BYTES, QUESTION)).toEqual(readManifest(BYTES, QUESTION))
    await expect(ofCaller(BYTES, QUESTION)).rejects.toMatchObject({
      errors: [{ code: 'SERVICE_UNAVAILABLE', retry_after: 5 }],
    })
  },
)
