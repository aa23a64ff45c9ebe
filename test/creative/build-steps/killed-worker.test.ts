// Processes of the pool that die while they work on a creative: what can be done again is done again, and what
// ends every process ends the build.

import { expect, onTestFinished, test } from 'vitest'
import { drawCreative } from '../../../src/creative/build-steps/draw-creative.ts'
import type { CreativeWorkerPool } from '../../../src/creative/jobs/creative-worker-pool.ts'
import { workerPoolRefusal } from '../../../src/creative/jobs/creative-worker-pool.ts'
import type { WorkName } from '../../../src/creative/jobs/works.ts'
import { faultsOf } from '../../../src/creative/manifest-check/check-manifests.ts'
import { WorkerPoolError } from '../../../src/lib/worker-pool/worker-pool-error.ts'
import { inProcessWorkerPool } from '../../support/creative.ts'
import { eventually } from '../../support/eventually.ts'
import { buildHarness, refusalOf, seedRequest } from './build-harness.ts'

const died = () => workerPoolRefusal(new WorkerPoolError('died', { retryAfterSeconds: 1 }))

/** Of `work`, the first `times` die after reporting their parts. */
function dying(
  work: WorkName,
  times: number,
): { workerPool: CreativeWorkerPool; requested: () => number } {
  const real = inProcessWorkerPool()
  let requested = 0
  const run: CreativeWorkerPool['run'] = async (name, request, options) => {
    const answer = await real.run(name, request, options)
    if (name === work && ++requested <= times) throw died()
    return answer
  }
  return { workerPool: { run }, requested: () => requested }
}

test('a build whose process dies twice is built', async () => {
  const { workerPool, requested } = dying('compose_creatives', 2)
  const harness = await buildHarness({ workerPool })
  onTestFinished(harness.close)
  const built = harness.build(seedRequest('display_300x250'))
  // Between two tries there is a pause of the clock.
  await eventually(() => {
    harness.clock.advance(5_000)
    expect(requested()).toBe(3)
  })
  expect((await built).creative_manifest).toBeDefined()
})

test('a build that ends its process each time is ended after the third', async () => {
  const { workerPool, requested } = dying('compose_creatives', Number.POSITIVE_INFINITY)
  const harness = await buildHarness({ workerPool })
  onTestFinished(harness.close)
  const refused = refusalOf(harness.build(seedRequest('display_300x250')))
  await eventually(() => {
    harness.clock.advance(5_000)
    expect(requested()).toBe(3)
  })
  expect(await refused).toMatchObject({
    code: 'TASK_ABANDONED',
    message: expect.stringContaining('crashed its process 3 times'),
  })
  expect(requested()).toBe(3)
})

test('manifests that were not checked when their process died are checked in another one', async () => {
  const requested: number[] = []
  const workerPool: CreativeWorkerPool = {
    run: async (_name, request, { onPart }) => {
      const { items } = request as unknown as { items: unknown[] }
      requested.push(items.length)
      // Two are checked by each process, and then it dies.
      for (const _ of items.slice(0, 2)) onPart?.([] as never)
      if (items.length > 2) throw died()
      return undefined as never
    },
  }
  const items = Array.from({ length: 5 }, () => ({
    json: '{}',
    format: {} as never,
    isSameFormat: true,
  }))
  expect(await faultsOf(workerPool, items, { owner: 'a' })).toEqual([[], [], [], [], []])
  expect(requested).toEqual([5, 3, 1])
})

test('when one picture of a creative fails, those that wait are not drawn', async () => {
  const signals: (AbortSignal | undefined)[] = []
  const workerPool: CreativeWorkerPool = {
    run: (_name, _request, by) => {
      signals.push(by.signal)
      if (signals.length > 1) return new Promise(() => {})
      return Promise.resolve({ ok: false, reason: 'it is too large' } as never)
    },
  }
  const picture = {
    kind: 'picture',
    width: 9,
    height: 9,
    limits: { types: ['image/png'], maxBytes: 9 },
    from: { svg: '<svg/>' },
    altText: undefined,
  }
  const draft = {
    notes: [],
    assets: ['a', 'b', 'c'].map((name) => ({
      name,
      isGroup: false,
      isCarried: false,
      content: picture,
    })),
  }
  const drawing = { gathered: { drawings: new Map(), pictures: new Map() }, publicUrl: '' }
  const access = { workerPool, by: { owner: 'a' } }
  const refused = drawCreative(draft as never, drawing as never, access)
  await expect(refused).rejects.toThrow('it is too large')
  expect(signals.map((signal) => signal?.aborted)).toEqual([true, true, true])
})
