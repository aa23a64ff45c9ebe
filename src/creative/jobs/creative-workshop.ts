// The workshop as the creative agent asks it: each work by its name, with its own request and answer. A
// refusal made there is thrown here, and a queue that is full is refused in the protocol's words.

import { defined } from '../../lib/defined.ts'
import type { JobOptions } from '../../lib/workshop/job.ts'
import type { Workshop } from '../../lib/workshop/workshop.ts'
import { isTooCostly, WorkshopError } from '../../lib/workshop/workshop-error.ts'
import { ManyErrors, ProtocolError } from '../../protocol/errors.ts'
import {
  KIND_OF,
  type Kind,
  type WorkAnswer,
  type WorkMessage,
  type WorkName,
  type Works,
} from './works.ts'

/** On whose behalf, and until when. */
export type OnBehalf = Pick<JobOptions, 'owner' | 'signal'>

export interface CreativeWorkshop {
  /**
   * Throws a ProtocolError for what was refused; a WorkshopError only for work that was too costly, so
   * that whoever asked says what it was. `onPart` hears of the parts of an answer that is told in parts.
   */
  run<Name extends WorkName>(
    work: Name,
    request: Works[Name]['request'],
    by: OnBehalf,
    onPart?: (part: Works[Name]['part']) => void,
  ): Promise<Works[Name]['answer']>
}

export interface CreativeWorkshopOptions {
  /** A folder of fonts that are used before all others. Default: none. */
  fontsDir?: string
}

export function createCreativeWorkshop(
  workshop: Workshop<Kind>,
  { fontsDir }: CreativeWorkshopOptions = {},
): CreativeWorkshop {
  async function ask(work: WorkName, request: unknown, options: JobOptions): Promise<WorkAnswer> {
    const message: WorkMessage = { work, request, ...defined({ fontsDir }) }
    const run = () => workshop.run(KIND_OF[work], message, options) as Promise<WorkAnswer>
    try {
      return await run()
    } catch (error) {
      // Ended from outside, which says nothing about the work: once more, unless part of it was told.
      const isDead = error instanceof WorkshopError && error.code === 'died'
      if (isDead && !options.onPart) return run()
      throw error
    }
  }

  return {
    run: async (work, request, by, onPart) => {
      const options = { ...by, bytes: sizeOf(request), onPart: onPart as JobOptions['onPart'] }
      const answer = await ask(work, request, options).catch((error: unknown) => {
        throw workshopRefusal(error)
      })
      if ('refused' in answer) throw new ManyErrors(answer.refused)
      return answer.answer as never
    },
  }
}

/** Of texts and bytes, as deep as requests hold large ones; the rest is small. */
function sizeOf(value: unknown, depth = 4): number {
  if (typeof value === 'string') return value.length
  if (value instanceof Uint8Array) return value.byteLength
  if (depth === 0 || typeof value !== 'object' || value === null) return 0
  let size = 0
  for (const one of Object.values(value)) size += sizeOf(one, depth - 1)
  return size
}

/** In the protocol's words; a WorkshopError stays one only where the work itself was too costly. */
export function workshopRefusal(error: unknown): unknown {
  if (!(error instanceof WorkshopError)) return error
  const { code, retryAfterSeconds = 5 } = error
  const retry = { retry_after: retryAfterSeconds }
  switch (code) {
    case 'owner_full': {
      const message = `too much of yours is waiting already: repeat the call after ${retryAfterSeconds} s`
      return new ProtocolError('RATE_LIMITED', message, retry, { cause: error })
    }
    case 'too_long':
    case 'too_large':
    case 'crashed':
      return error
    default: {
      const message = `creatives cannot be worked on at the moment: repeat the call after ${retryAfterSeconds} s`
      return new ProtocolError('SERVICE_UNAVAILABLE', message, retry, { cause: error })
    }
  }
}

/** Whether work was not done because there was too much of it, so that it may be asked for again. */
export function isPostponed(error: unknown): error is ProtocolError & { cause: WorkshopError } {
  if (!(error instanceof ProtocolError)) return false
  return error.cause instanceof WorkshopError && !isTooCostly(error.cause)
}
