// The status of a task while the command waits for it: one line on a terminal that is overwritten, or a line for each
// change.

import pc from 'picocolors'
import type { CallProgress } from '../client/options.ts'
import type { CallOutcome } from '../client/outcome.ts'
import { defined } from '../lib/defined.ts'
import { escapeControls } from '../lib/escape-controls.ts'
import { isObject } from '../protocol/schemas/checks.ts'
import { cutTo, printableText } from './printable-text.ts'

export interface Following {
  onProgress(progress: CallProgress): void
  /** Prints which source reported the end. */
  ended(end: Pick<CallOutcome & { ok: true }, 'by' | 'status' | 'taskId'>): void
  stop(): void
}

export interface FollowingOptions {
  /** Print each change. */
  watch: boolean
  /** As lines of JSON. */
  json: boolean
  /** Whether webhooks are expected: if so, prints why one was not accepted, and which source reported the end. */
  isReceived: boolean
  stderr: Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns'>
  /** In milliseconds. */
  now: () => number
}

const TICK_MS = 1_000
const MAX_FAULTS = 20

export function followCall(options: FollowingOptions): Following {
  const { watch, json, isReceived, stderr, now } = options
  const begun = now()
  const seconds = () => Math.floor((now() - begun) / 1_000)
  const write = (reported: string) => {
    const line = watch ? `${String(seconds()).padStart(4)} s  ${reported}` : reported
    stderr.write(`${json ? escapeControls(reported) : line}\n`)
  }
  const ended: Following['ended'] = ({ by, status, taskId }) => {
    if (!watch && !isReceived) return
    const reported = JSON.stringify({ by, status, ...defined({ taskId }) })
    write(json ? reported : `${status}, by ${by}`)
  }
  if (watch || !stderr.isTTY) {
    let last = ''
    let faults = 0
    const onProgress: Following['onProgress'] = (progress) => {
      const reported = json ? JSON.stringify(progress) : lineOf(progress)
      const isFault = progress.by === 'webhook' && progress.fault !== undefined
      if (reported === last || !(watch || (isReceived && isFault))) return
      // Anyone may send requests to an open port.
      if (isFault && ++faults > MAX_FAULTS) return
      last = reported
      write(reported)
    }
    return { onProgress, ended, stop: () => {} }
  }
  let line = 'calling'
  let isStopped = false
  const draw = () => {
    const whole = cutTo(`${line}, ${seconds()} s`, Math.max(20, (stderr.columns ?? 80) - 1))
    stderr.write(`${CLEAR}${pc.dim(whole)}`)
  }
  const timer = setInterval(draw, TICK_MS)
  timer.unref()
  return {
    onProgress: (progress) => {
      line = lineOf(progress)
      draw()
    },
    ended,
    stop: () => {
      if (isStopped) return
      isStopped = true
      clearInterval(timer)
      stderr.write(CLEAR)
    },
  }
}

/** Returns to the start of the line and clears it. */
const CLEAR = '\r\u001b[K'

function lineOf({ status, message, progress, fault }: CallProgress): string {
  if (fault !== undefined) return lineFrom(`${status ?? 'waiting'}: ${fault}`)
  const { percentage, current_step, step_number, total_steps } = isObject(progress) ? progress : {}
  const parts = [
    status ?? 'waiting',
    ...(typeof percentage === 'number' ? [`${Math.round(percentage)} %`] : []),
    ...(typeof step_number === 'number' && typeof total_steps === 'number'
      ? [`step ${step_number} of ${total_steps}`]
      : []),
    ...[current_step ?? message].filter((part): part is string => typeof part === 'string'),
  ]
  return lineFrom(parts.join(', '))
}

const MAX_LINE_COLUMNS = 1_000

function lineFrom(text: string): string {
  return cutTo(printableText(text), MAX_LINE_COLUMNS)
}
