// What `adwire receive` prints: a line for each webhook, once its outcome is known.

import { plainText } from '../../lib/plain-text.ts'
import type { ApplyReport } from '../../webhooks/receiver/apply.ts'
import type { ReceiveEvent } from '../../webhooks/receiver/receive.ts'

/** Undefined for a message that was accepted: it is printed when it has been applied. */
export function receivedLine(event: ReceiveEvent, now: number): string | undefined {
  const { outcome, sender, route, task_id, code, status } = event
  if (outcome === 'accepted') return undefined
  const why = code === undefined ? '' : ` ${status} ${code}`
  return line(now, [sender ?? `/hooks/${route ?? '?'}`, '-', task_id, `${outcome}${why}`])
}

export function appliedLine({ message, outcome, reason }: ApplyReport, now: number): string {
  const { sender, status, task_id, family, attempt } = message
  const why = reason === undefined ? '' : `: ${reason}`
  const again = attempt > 1 ? ` (attempt ${attempt})` : ''
  return line(now, [sender, status ?? family, task_id, `${outcome}${again}${why}`])
}

function line(now: number, words: readonly (string | undefined)[]): string {
  return [new Date(now).toISOString(), ...words.map((word) => plainText(word ?? '-'))].join('  ')
}
