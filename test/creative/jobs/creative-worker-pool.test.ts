import { describe, expect, test } from 'vitest'
import {
  createCreativeWorkerPool,
  type SvgRefusal,
} from '../../../src/creative/jobs/creative-worker-pool.ts'
import type { WorkKind } from '../../../src/creative/jobs/works.ts'
import type { JobOptions } from '../../../src/lib/worker-pool/job.ts'
import type { WorkerPool } from '../../../src/lib/worker-pool/worker-pool.ts'
import { WorkerPoolError } from '../../../src/lib/worker-pool/worker-pool-error.ts'

interface Run {
  kind: WorkKind
  options: JobOptions
}

/** A pool that returns what the test sets, and records its requests. */
function open(answer: (run: Run) => Promise<unknown> | unknown) {
  const runs: Run[] = []
  const refused: SvgRefusal[] = []
  const pool = {
    run: async (kind: WorkKind, _message: unknown, options: JobOptions) => {
      runs.push({ kind, options })
      return { answer: await answer({ kind, options }) }
    },
  } as Pick<WorkerPool<WorkKind>, 'run'> as WorkerPool<WorkKind>
  const workerPool = createCreativeWorkerPool(pool, { onRefusedSvg: (why) => refused.push(why) })
  return { workerPool, runs, refused }
}

const BY = { owner: 'a' }
const svg = (text: string) => ({ bytes: Buffer.from(`<svg>${text}</svg>`) })
const asUrl = ({ bytes }: { bytes: Uint8Array }, type = 'svg+xml') => ({
  dataUrl: `data:image/${type};base64,${Buffer.from(bytes).toString('base64')}`,
})
const PNG = { bytes: Buffer.from('\x89PNG\r\n\x1a\n', 'latin1') }
const OK = { ok: true }

describe('an SVG of someone else', () => {
  test('has a limit of its own, whatever its address calls it, and other pictures have not', async () => {
    const { workerPool, runs } = open(() => OK)
    for (const source of [svg('a'), asUrl(svg('a')), asUrl(svg('a'), 'png'), PNG, asUrl(PNG)]) {
      await workerPool.run('read_picture', { source, maxBytes: 1_000 }, BY)
      await workerPool.run('read_logo', { source, maxBytes: 1_000 }, BY)
    }
    const kinds = runs.map(({ kind }) => kind)
    expect(kinds).toEqual([...Array(6).fill('svg'), ...Array(4).fill('image')])
    expect(runs.slice(0, 6).every(({ options }) => options.isSmall === false)).toBe(true)
  })

  test('that was refused is refused at once, for its picture and as a logo, and another one is read', async () => {
    const { workerPool, runs, refused } = open(() => ({ ok: false, reason: 'too much' }))
    const read = (source: ReturnType<typeof svg>) =>
      workerPool.run('read_picture', { source, maxBytes: 1_000 }, BY)
    expect(await read(svg('a'))).toEqual({ ok: false, reason: 'too much' })
    expect(await read(svg('a'))).toEqual({ ok: false, reason: 'too much' })
    const logo = { source: asUrl(svg('a')), maxBytes: 1_000 }
    expect(await workerPool.run('read_logo', logo, { owner: 'b' })).toEqual({
      ok: false,
      reason: 'too much',
    })
    expect(runs).toHaveLength(1)
    await read(svg('b'))
    expect(runs).toHaveLength(2)
    expect(refused).toEqual(['refused', 'remembered', 'remembered', 'refused'])
  })

  test.each([
    ['too_long', 'it is an SVG that takes more than 2 s to draw'],
    ['too_large', 'it is an SVG that takes too much memory to draw'],
    ['crashed', 'it is an SVG that crashes the renderer'],
  ] as const)(
    'whose drawing ended as %s is refused for that, and not tried again',
    async (code, reason) => {
      const { workerPool, runs, refused } = open(() => {
        throw new WorkerPoolError(code)
      })
      for (const _ of [1, 2]) {
        const answer = await workerPool.run('read_logo', { source: svg(code), maxBytes: 1_000 }, BY)
        expect(answer).toEqual({ ok: false, reason: expect.stringContaining(reason) })
      }
      expect(runs).toHaveLength(1)
      expect(refused).toEqual([code, 'remembered'])
    },
  )

  test('that found no room in the pool, or was ended for other reasons, is tried again', async () => {
    const failures = ['owner_full', 'starved', 'waited_too_long', 'stopped'] as const
    let n = 0
    const { workerPool, runs } = open(() => {
      throw new WorkerPoolError(failures[n++] ?? 'stopped', { retryAfterSeconds: 7 })
    })
    for (const code of failures) {
      const read = workerPool.run('read_picture', { source: svg('a'), maxBytes: 1_000 }, BY)
      await expect(read).rejects.toMatchObject({
        errors: [{ code: code === 'owner_full' ? 'RATE_LIMITED' : 'SERVICE_UNAVAILABLE' }],
      })
    }
    expect(runs).toHaveLength(failures.length)
  })

  test('that is too large for one request is not refused for another that has room', async () => {
    const answers = [{ ok: false, reason: 'it has more than 10 bytes' }, OK]
    const { workerPool } = open(() => answers.shift())
    const read = (maxBytes: number) =>
      workerPool.run('read_picture', { source: svg('a'), maxBytes }, BY)
    expect(await read(10)).toMatchObject({ ok: false })
    expect(await read(1_000)).toEqual(OK)
  })
})

describe('what waits without a key', () => {
  test('is passed on as such', async () => {
    const { workerPool, runs } = open(() => undefined)
    await workerPool.run('guard_words', {} as never, { owner: 'address', isKeyless: true })
    expect(runs[0]?.options).toMatchObject({ owner: 'address', isKeyless: true, isSmall: true })
  })
})

describe('a work is small', () => {
  const isSmall = async (
    ...[work, request]: Parameters<ReturnType<typeof open>['workerPool']['run']>
  ) => {
    const { workerPool, runs } = open(() => OK)
    await workerPool.run(work, request, BY)
    return runs[0]?.options.isSmall
  }
  const check = (chars: number, items: number) => ({
    manifests: ['x'.repeat(chars)],
    items: Array.from({ length: items }, () => ({ manifest: 0 })),
  })

  test.each([
    ['check_manifests', check(1_000, 1), true],
    ['check_manifests', check(1_000, 51), false],
    // Checked once for each item.
    ['check_manifests', check(100_000, 3), false],
    ['draw_picture', { from: { svg: '<svg/>' }, width: 300, height: 250 }, true],
    ['draw_picture', { from: { svg: '<svg/>' }, width: 1_920, height: 1_080 }, false],
    ['draw_picture', { from: { bytes: PNG.bytes }, width: 300, height: 250 }, false],
    ['plan_build', { json: '{}', formats: [{}] }, true],
    ['plan_build', { json: 'x'.repeat(100_000), formats: [{}] }, false],
    ['compose_creatives', { plan: { json: '{}', formats: [{}] }, known: { fonts: [] } }, true],
    ['compose_creatives', { plan: { json: '{}', formats: [{}] }, known: { fonts: [{}] } }, false],
    [
      'compose_creatives',
      { plan: { json: '{}', formats: Array(50).fill({}) }, known: { fonts: [] } },
      false,
    ],
    ['read_picture', { source: PNG, maxBytes: 1_000 }, true],
    ['read_logo', { source: PNG, maxBytes: 1_000 }, false],
    ['show_page', { recipe: 'x'.repeat(1_000) }, true],
    ['show_page', { recipe: 'x'.repeat(1_000_000) }, false],
    ['draw_video', {}, false],
  ] as const)('%s, by what it holds (%#)', async (work, request, expected) => {
    expect(await isSmall(work, request as never, BY)).toBe(expected)
  })
})
