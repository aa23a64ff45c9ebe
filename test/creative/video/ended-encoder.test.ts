// A real process of the worker pool, from the compiled files.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createCreativeWorkerPool } from '../../../src/creative/jobs/creative-worker-pool.ts'
import { kindsOfWork, WORK_QUEUE } from '../../../src/creative/jobs/works.ts'
import type { Film } from '../../../src/creative/video/draw-video.ts'
import type { VideoSpec } from '../../../src/creative/video/video-spec.ts'
import { createWorkerPool } from '../../../src/lib/worker-pool/worker-pool.ts'
import { workerProcess } from '../../../src/lib/worker-pool/worker-process.ts'
import { eventually } from '../../support/eventually.ts'
import { standInEncoder } from './mp4.ts'

const SPEC = {
  width: 640,
  height: 360,
  durationMs: 60_000,
  framesPerSecond: 25,
  frameRate: '25',
  container: 'mp4',
  maxKbps: 800,
  audioKbps: 128,
  audioRateHz: 48_000,
  maxBytes: 1e7,
} as const satisfies VideoSpec

const ground =
  '<svg xmlns="http://www.w3.org/2000/svg" width="640" height="360"><rect width="640" height="360" fill="#123456"/></svg>'
const film: Film = {
  spec: SPEC,
  shots: [{ startMs: 0, endMs: 60_000, ground: 0, layers: [] }],
  grounds: [ground],
  layers: [],
}

/** Takes frames for as long as there are any, but hours for all of them; its end is seen from outside. */
const SLOW = (ended: string) =>
  `while dd bs=65536 count=1 2>/dev/null | grep -qa ''; do sleep 0.02; done; echo > ${ended}`

/** A process is slow to start on a machine that is busy. */
const PATIENT = { timeoutMs: 120_000 }

test('a build that is cancelled ends its process, and with it the encoder that it feeds', async () => {
  const { encoder, folder, remove } = standInEncoder(Buffer.alloc(0))
  const ended = join(folder, 'ended')
  const slow = standInEncoder(Buffer.alloc(0), SLOW(ended))
  const workerPool = createWorkerPool({
    kinds: kindsOfWork({ longestMs: 60_000, videoMs: 60_000, videos: 1 }),
    queue: WORK_QUEUE,
    start: workerProcess({
      file: new URL('../../../dist/creative/jobs/worker.js', import.meta.url),
      maxHeapMb: 256,
      maxResidentBytes: 1e9,
      env: {},
    }),
    workers: 1,
    maxResidentBytes: 1e9,
  })
  const cancelled = new AbortController()
  const request = {
    film,
    encoder: { ...encoder, path: slow.encoder.path },
    folder,
    timeoutMs: 60_000,
  }
  const work = createCreativeWorkerPool(workerPool).run('draw_video', request, {
    owner: 'alice',
    signal: cancelled.signal,
  })
  work.catch(() => {})
  await eventually(() => expect(existsSync(join(slow.folder, 'ran-in'))).toBe(true), PATIENT)
  expect(existsSync(ended)).toBe(false)
  cancelled.abort(new Error('nobody wants it any more'))
  await expect(work).rejects.toThrow('nobody wants it any more')
  await eventually(() => expect(existsSync(ended)).toBe(true), PATIENT)
  await workerPool.close()
  slow.remove()
  remove()
}, 300_000)
