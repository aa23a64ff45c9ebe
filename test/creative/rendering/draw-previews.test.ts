import { expect, test } from 'vitest'
import type { CreativeWorkerPool } from '../../../src/creative/jobs/creative-worker-pool.ts'
import { type DrawRequest, drawItems } from '../../../src/creative/rendering/draw-items.ts'
import { createDrawPreviews } from '../../../src/creative/rendering/draw-previews.ts'
import { WorkerPoolError } from '../../../src/lib/worker-pool/worker-pool-error.ts'
import { catalogue } from '../../support/creative.ts'
import { AGENT, banner } from './creatives.ts'

/** Draws in this process, and is ended at the creative that says so, as a real one would be. */
function endedAt(word: string): { workerPool: CreativeWorkerPool; jobs: DrawRequest[] } {
  const jobs: DrawRequest[] = []
  const run = async (
    _: string,
    request: DrawRequest,
    { onPart }: { onPart: (part: never) => void },
  ) => {
    jobs.push(request)
    const at = request.items.findIndex(({ json }) => json.includes(word))
    if (at < 0) return drawItems(request, onPart as never)
    if (request.reportsEach) {
      const before = { ...request, items: request.items.slice(0, at) }
      for (const part of drawItems(before, onPart as never)) onPart(part as never)
    }
    throw new WorkerPoolError('too_long')
  }
  return { workerPool: { run: run as never }, jobs }
}

const request = (word: string, filler = '') => ({
  format_id: { agent_url: AGENT, id: 'display_300x250_image' },
  creative_manifest: { ...banner(), ext: { word, filler } },
})

async function draw(workerPool: CreativeWorkerPool, requests: readonly unknown[]) {
  const faults: unknown[] = []
  const drawing = createDrawPreviews({
    catalogue: catalogue(),
    workerPool,
    workers: 1,
    onFault: (error) => faults.push(error),
  })
  const by = { owner: 'somebody', signal: new AbortController().signal }
  const outcomes = await drawing(requests, {
    ownAgentUrls: [AGENT],
    output: 'url',
    isShaped: true,
    by,
  })
  expect(faults).toEqual([])
  return outcomes.map((outcome) => (outcome.ok ? 'drawn' : outcome.errors[0]?.code))
}

test('spec 2.5: of small creatives drawn in one job the one that costs too much fails, and no other', async () => {
  const { workerPool, jobs } = endedAt('endless')
  const words = ['one', 'two', 'endless', 'four']
  const outcomes = await draw(
    workerPool,
    words.map((word) => request(word)),
  )
  expect(outcomes).toEqual(['drawn', 'drawn', 'VALIDATION_ERROR', 'drawn'])
  // All at once; each reported, to find the one at fault; and the ones behind it.
  expect(jobs.map(({ reportsEach, items }) => [reportsEach, items.length])).toEqual([
    [false, 4],
    [true, 4],
    [true, 1],
  ])
})

test('large creatives are reported one by one from the start, so that nothing is drawn twice', async () => {
  const { workerPool, jobs } = endedAt('endless')
  const filler = 'x'.repeat(40_000)
  const words = ['one', 'endless', 'three']
  const outcomes = await draw(
    workerPool,
    words.map((word) => request(word, filler)),
  )
  expect(outcomes).toEqual(['drawn', 'VALIDATION_ERROR', 'drawn'])
  expect(jobs.map(({ reportsEach, items }) => [reportsEach, items.length])).toEqual([
    [true, 3],
    [true, 1],
  ])
})

test('a creative that is alone in its job is known to be the one', async () => {
  const { workerPool, jobs } = endedAt('endless')
  expect(await draw(workerPool, [request('endless')])).toEqual(['VALIDATION_ERROR'])
  expect(jobs).toHaveLength(1)
})
