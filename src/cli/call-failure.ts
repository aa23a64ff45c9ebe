// Why a call failed, for people: one line with the cause and what to do, and the exit code for the kind of failure.

import type { AgentError, AgentErrorKind } from '../client/outcome.ts'
import { CommandError, type Ending } from './exit-codes.ts'
import { cutTo, pastedWord, printableText } from './printable-text.ts'

export interface FailedAt {
  /** As it was typed. */
  agent: string
  task: string | undefined
  taskId?: string | undefined
  hasKey: boolean
  isSigned: boolean
  /** The guard blocked the request. */
  isGuarded: boolean
}

const ENDINGS: Readonly<Record<AgentErrorKind, Ending>> = {
  unreachable: 'unreachable',
  timeout: 'timeout',
  cancelled: 'interrupted',
  unauthorized: 'unauthorized',
  refused: 'refused',
  failed: 'failed',
  'invalid-answer': 'invalidAnswer',
  unsupported: 'invalidAnswer',
}

export function callFailure(error: AgentError, at: FailedAt): CommandError {
  return new CommandError(ENDINGS[error.kind], `${causeOf(error)}: ${adviceFor(error, at)}`)
}

const MAX_CAUSE_COLUMNS = 1_000

function causeOf({ code, message, field }: AgentError): string {
  const where = field === undefined || message.includes(field) ? '' : ` (${field})`
  const reported = code === undefined || message.startsWith(code) ? message : `${code}: ${message}`
  // The advice follows after a colon.
  return cutTo(printableText(`${reported}${where}`), MAX_CAUSE_COLUMNS).replace(/[.:]$/, '')
}

function adviceFor({ kind, code, recovery, retry_after }: AgentError, at: FailedAt): string {
  if (code === 'VERSION_UNSUPPORTED') return 'use another --protocol-version, or omit it'
  switch (kind) {
    case 'unreachable':
      return at.isGuarded
        ? 'add --allow-private if the agent is on your own network'
        : 'is the agent running, and is the address correct?'
    case 'unauthorized':
      if (at.isSigned) return 'is the key of --sign-key registered with the agent, and still valid?'
      return at.hasKey
        ? 'the key was refused, give another with --auth'
        : 'give a key with --auth -, ADWIRE_CALL_KEY or adwire agents add'
    case 'timeout':
      return at.taskId === undefined
        ? 'use a longer --timeout'
        : `the task is still running, ${followUp(at)}`
    case 'cancelled':
      return at.taskId === undefined
        ? 'work that already started may still be running at the agent'
        : `the task is still running, ${followUp(at)}`
    case 'invalid-answer':
      return 'the response does not follow the protocol on this transport: try another --transport'
    case 'unsupported':
      return 'try another --transport'
    case 'failed':
    case 'refused':
      return recoveryAdvice(recovery, retry_after, at)
  }
}

function recoveryAdvice(
  recovery: AgentError['recovery'],
  retryAfter: number | undefined,
  { agent, task }: FailedAt,
): string {
  if (recovery === 'transient') {
    return retryAfter === undefined ? 'try again later' : `try again in ${Math.ceil(retryAfter)} s`
  }
  if (recovery === 'terminal') return 'the same request will not succeed'
  const help = `adwire call ${agent}${task === undefined ? '' : ` ${task}`} --help`
  return `change the request: ${help} lists its fields`
}

/** How to query a task that is still in progress. */
export function followUp({ agent, taskId }: Pick<FailedAt, 'agent' | 'taskId'>): string {
  return `get it with adwire call ${agent} get_task_status --task-id ${pastedWord(taskId ?? '', '<task_id>')}`
}
