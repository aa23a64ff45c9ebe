// The request as it is sent: what the caller passed, its idempotency key, where to send webhooks about the task, and
// the release of the protocol (spec 2.9, 9). What the caller put into the request itself is kept.

import { randomUUID } from 'node:crypto'
import { defined } from '../lib/defined.ts'
import { isObject } from '../protocol/schemas/checks.ts'
import type { PushNotificationConfig } from '../protocol/schemas/push-notification-config.ts'
import { knownTask } from './known-tasks.ts'
import type { CallOptions, CallReceiver } from './options.ts'
import type { Session } from './session.ts'

export interface PreparedCall {
  request: Record<string, unknown>
  /** Whether sending it twice has no more effect than sending it once. */
  isSafe: boolean
  idempotencyKey: string | undefined
  /** Set when a webhook is registered, or the caller provided one. */
  operationId: string | undefined
  /** Whether the caller's own receiver gets the webhooks. */
  isReceived: boolean
}

/** Reads that may complete later; other reads are answered immediately and need no webhook. */
const LATER_READS = new Set(['get_products', 'get_signals', 'preview_creative'])

export async function prepareRequest(
  session: Session,
  { task, params: given }: { task: string; params: Record<string, unknown> },
  options: CallOptions & { signal: AbortSignal },
): Promise<PreparedCall> {
  const { versionMember } = session.names
  const { receiver, version, auth, signer } = session.options
  const changes = await session.changes(task, options.signal)
  const idempotencyKey =
    textOf(given.idempotency_key) ?? options.idempotencyKey ?? (changes ? randomUUID() : undefined)

  const mayReport = (changes || LATER_READS.has(task)) && !knownTask(task)?.isAboutTask
  const isKnown = auth !== undefined || signer !== undefined || changes
  const isOwn = given.push_notification_config !== undefined
  const operationId =
    operationIn(given.push_notification_config) ??
    options.operationId ??
    (receiver && !isOwn && mayReport && isKnown ? randomUUID() : undefined)
  const isReceived = receiver !== undefined && operationId !== undefined
  const push = isReceived && !isOwn ? pushConfig(receiver, { operationId, task }) : undefined
  const request = {
    ...defined({
      [versionMember]: version,
      idempotency_key: idempotencyKey,
      push_notification_config: push,
    }),
    ...given,
  }
  const isSafe = !changes || idempotencyKey !== undefined
  return { request, isSafe, idempotencyKey, operationId, isReceived }
}

function pushConfig(
  receiver: CallReceiver,
  call: { operationId: string; task: string },
): PushNotificationConfig {
  const registered = receiver.urlFor(call)
  const config = typeof registered === 'string' ? { url: registered } : registered
  return { ...config, operation_id: call.operationId }
}

function operationIn(config: unknown): string | undefined {
  return isObject(config) ? textOf(config.operation_id) : undefined
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
