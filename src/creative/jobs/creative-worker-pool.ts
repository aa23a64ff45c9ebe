// The creative agent's interface to the worker pool: one method per job, with its own request and response. A refusal
// in the worker is thrown here, and a full queue is refused with a protocol error. An SVG that was refused before is
// not tried again.

import { defined } from '../../lib/defined.ts'
import type { JobOptions } from '../../lib/worker-pool/job.ts'
import type { WorkerPool } from '../../lib/worker-pool/worker-pool.ts'
import {
  type CostlyFailure,
  isTooCostly,
  WorkerPoolError,
} from '../../lib/worker-pool/worker-pool-error.ts'
import { ManyErrors, ProtocolError } from '../../protocol/errors.ts'
import { MAX_SVG_MS, REFUSED_SVG_MINUTES, STARVED_SVG_MINUTES } from '../limits.ts'
import { type PictureSource, svgIn } from '../pictures/picture-source.ts'
import { isSmallWork } from './expected-cost.ts'
import { createRefusedSvgs } from './refused-svgs.ts'
import {
  WORK_QUEUE,
  type WorkAnswer,
  type WorkKind,
  type WorkMessage,
  type WorkName,
  type Works,
  workKindOf,
} from './works.ts'

/** The owner of the job, whether the caller has no key, and the deadline. */
export type OnBehalf = Pick<JobOptions, 'owner' | 'isKeyless' | 'signal'>

interface WorkOptions<Part> extends OnBehalf {
  /** Receives the parts of an answer that is returned in parts, in order. */
  onPart?: (part: Part) => void
}

/** The pool, and the caller that it works for. */
export interface PoolAccess {
  workerPool: CreativeWorkerPool
  by: OnBehalf
}

export interface CreativeWorkerPool {
  /**
   * Throws a ProtocolError if the work was refused, and a WorkerPoolError only if it was too costly, so that the
   * caller can say which work it was.
   */
  run<Name extends WorkName>(
    work: Name,
    request: Works[Name]['request'],
    options: WorkOptions<Works[Name]['part']>,
  ): Promise<Works[Name]['answer']>
}

export interface CreativeWorkerPoolOptions {
  /** A folder of fonts that are used before all others. Default: none. */
  fontsDir?: string
  /** Called for each SVG that is not drawn. */
  onRefusedSvg?: (why: SvgRefusal) => void
}

/**
 * `refused`: it was read but not drawn. `remembered`: it was already refused earlier, for any of the other reasons.
 */
export type SvgRefusal = 'refused' | 'remembered' | CostlyFailure

export function createCreativeWorkerPool(
  workerPool: WorkerPool<WorkKind>,
  { fontsDir, onRefusedSvg = () => {} }: CreativeWorkerPoolOptions = {},
): CreativeWorkerPool {
  const refusedSvgs = createRefusedSvgs()

  async function ask(kind: WorkKind, message: WorkMessage, options: JobOptions): Promise<unknown> {
    const requested = workerPool.run(kind, message, options) as Promise<WorkAnswer>
    const answer = await requested.catch((error: unknown) => {
      throw workerPoolRefusal(error)
    })
    if ('refused' in answer) throw new ManyErrors(answer.refused)
    return answer.answer
  }

  /** A refused file is refused immediately for a while, including one whose drawing had to be stopped. */
  async function askOnce(svg: Uint8Array, draw: () => Promise<unknown>): Promise<unknown> {
    const known = refusedSvgs.reason(svg)
    if (known !== undefined) {
      onRefusedSvg('remembered')
      return refuse(known)
    }
    try {
      const answer = (await draw()) as Works['read_picture']['answer']
      if (answer.ok) return answer
      refusedSvgs.remember(svg, answer.reason)
      onRefusedSvg('refused')
      return answer
    } catch (error) {
      if (!isTooCostly(error)) throw error
      const { code, processorMs = MAX_SVG_MS } = error
      const isStarved = code === 'too_long' && processorMs < MAX_SVG_MS / 2
      const reason = svgReason(code)
      refusedSvgs.remember(svg, reason, isStarved ? STARVED_SVG_MINUTES : REFUSED_SVG_MINUTES)
      onRefusedSvg(code)
      return refuse(reason)
    }
  }

  return {
    run: async (work, request, { onPart, ...by }) => {
      const svg = svgOf(work, request)
      const bytes = sizeOf(request)
      const isSmall = !svg && isSmallWork(work, request, bytes)
      const options = { ...by, bytes, isSmall, onPart: onPart as JobOptions['onPart'] }
      const message: WorkMessage = { work, request, ...defined({ fontsDir }) }
      const draw = () => ask(workKindOf(work, svg !== undefined), message, options)
      return (svg ? askOnce(svg, draw) : draw()) as never
    },
  }
}

/** The SVG that a work would draw. */
function svgOf(work: WorkName, request: unknown): Uint8Array | undefined {
  if (work !== 'read_picture' && work !== 'read_logo') return undefined
  const { source, maxBytes } = request as { source: PictureSource; maxBytes: number }
  const svg = svgIn(source)
  // A file too large for this request is refused for that reason only, and may be drawn for another request.
  return svg && svg.byteLength <= maxBytes ? svg : undefined
}

function svgReason(code: CostlyFailure): string {
  if (code === 'too_long')
    return `it is an SVG that takes more than ${MAX_SVG_MS / 1_000} s to draw: ${SIMPLER}`
  if (code === 'too_large') return `it is an SVG that takes too much memory to draw: ${SIMPLER}`
  return `it is an SVG that crashes the renderer: ${SIMPLER}`
}

const SIMPLER = 'use fewer filters, patterns and points, or a PNG'

function refuse(reason: string) {
  return { ok: false as const, reason }
}

/** The size of texts and bytes, to the depth at which requests hold large ones; everything else is small. */
function sizeOf(value: unknown, depth = 4): number {
  if (typeof value === 'string') return value.length
  if (value instanceof Uint8Array) return value.byteLength
  if (depth === 0 || typeof value !== 'object' || value === null) return 0
  let size = 0
  for (const one of Object.values(value)) size += sizeOf(one, depth - 1)
  return size
}

/** As a protocol error; remains a WorkerPoolError only if the work itself was too costly. */
export function workerPoolRefusal(error: unknown): unknown {
  if (!(error instanceof WorkerPoolError)) return error
  const { code, retryAfterSeconds = 5 } = error
  const retry = { retry_after: retryAfterSeconds }
  switch (code) {
    case 'owner_full': {
      const { maxWaitingPerOwner, maxBytesPerOwner } = WORK_QUEUE
      const message = `too much of your work is waiting (accepted: ${maxWaitingPerOwner} jobs and ${maxBytesPerOwner} bytes, less while the server is busy): retry after ${retryAfterSeconds} s`
      return new ProtocolError('RATE_LIMITED', message, retry, { cause: error })
    }
    case 'too_long':
    case 'too_large':
    case 'crashed':
      return error
    default: {
      const message = `the server is too busy to work on creatives at the moment: retry after ${retryAfterSeconds} s`
      return new ProtocolError('SERVICE_UNAVAILABLE', message, retry, { cause: error })
    }
  }
}

/** Whether its process was killed from outside, after part of the answer was returned: the work may be retried. */
export function wasKilled(error: unknown): boolean {
  return isPostponed(error) && error.cause.code === 'died'
}

/** Whether the work was skipped because of overload, so that it may be requested again. */
export function isPostponed(error: unknown): error is ProtocolError & { cause: WorkerPoolError } {
  if (!(error instanceof ProtocolError)) return false
  return error.cause instanceof WorkerPoolError && !isTooCostly(error.cause)
}
