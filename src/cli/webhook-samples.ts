// Bodies of test webhooks, one for each kind (spec 2.10, 2.11, 6.1 to 6.4): complete and valid, with the values of
// flags filled in.

import { randomUUID } from 'node:crypto'
import { defined } from '../lib/defined.ts'
import { fireResult } from '../media-buys/impairments/coalesce.ts'
import { type ImpairmentRecord, serializeImpairment } from '../media-buys/impairments/impairment.ts'
import type { DeliveryReport } from '../protocol/schemas/delivery-report.ts'
import type { TaskStatus } from '../protocol/schemas/task-status.ts'
import type { WebhookFamily } from '../protocol/webhook-family.ts'
import { a2aUpdate } from '../webhooks/payload/a2a-update.ts'
import type { Addressee, WebhookEvent } from '../webhooks/payload/event.ts'
import { mcpEnvelope } from '../webhooks/payload/mcp-envelope.ts'

export interface SampleFlags {
  kind: 'status' | 'report' | 'impairment' | WebhookFamily
  transport: 'mcp' | 'a2a' | 'a2a-1.0'
  status?: TaskStatus
  taskId?: string
  taskType?: string
  contextId?: string
  message?: string
  mediaBuyId: string
  notification: 'scheduled' | 'final' | 'delayed' | 'adjusted'
}

export interface Sample extends SampleFlags {
  to: Addressee
  sequence_number: number
  /** Replaces the default result of the kind. */
  result?: object | undefined
  /** How it will be secured: list-change webhooks include the scheme. */
  scheme: string
  now: number
}

const DAY_MS = 86_400_000
const iso = (at: number) => new Date(at).toISOString()

export function sampleBody(sample: Sample): object {
  const { kind, to, transport } = sample
  const event = eventOf(sample)
  if (!event)
    return { idempotency_key: to.idempotency_key, ...familyBody(sample, kind as WebhookFamily) }
  if (transport === 'mcp') return mcpEnvelope(event, to)
  return a2aUpdate(event, to, transport === 'a2a' ? 'a2a-0.3' : 'a2a-1.0')
}

/** Undefined for a webhook that is not about a task. */
function eventOf(sample: Sample): WebhookEvent | undefined {
  const { kind, status = 'completed', taskId, taskType, contextId, message, now } = sample
  const given = defined({ message, context_id: contextId })
  if (kind === 'status') {
    return {
      task_id: taskId ?? randomUUID(),
      task_type: taskType ?? 'activate_signal',
      domain: domainOf(taskType ?? 'activate_signal'),
      status,
      at: now,
      result: sample.result ?? statusResult(status),
      ...given,
    }
  }
  if (kind !== 'report' && kind !== 'impairment') return undefined
  const impairment = kind === 'impairment' ? sampleImpairment(sample) : undefined
  return {
    task_id: taskId ?? randomUUID(),
    task_type: taskType ?? (impairment ? 'update_media_buy' : 'media_buy_delivery'),
    domain: 'media-buy',
    status,
    at: now,
    ...defined({ notification_id: impairment?.impairment_id }),
    result: sample.result ?? (impairment ? impairmentResult(impairment) : reportResult(sample)),
    ...given,
  }
}

/** The part of the protocol that a task belongs to, as far as its name reveals it. */
function domainOf(taskType: string): string {
  if (taskType.includes('signal')) return 'signals'
  return taskType.includes('creative') ? 'creative' : 'media-buy'
}

function statusResult(status: TaskStatus): object | undefined {
  if (status === 'working')
    return { percentage: 50, current_step: 'a test', step_number: 1, total_steps: 2 }
  if (status === 'completed') {
    const activation_key = { type: 'segment_id', segment_id: 'seg_test' }
    return {
      deployments: [{ type: 'platform', platform: 'sandbox', is_live: true, activation_key }],
    }
  }
  if (status === 'failed' || status === 'rejected') {
    return { errors: [{ code: 'DEPLOYMENT_UNAUTHORIZED', message: 'a test webhook' }] }
  }
  if (status === 'input-required') return { reason: 'CLARIFICATION_NEEDED' }
  return undefined
}

function reportResult({ mediaBuyId, notification, sequence_number, now }: Sample): DeliveryReport {
  const end = Math.floor(now / DAY_MS) * DAY_MS
  const isDelayed = notification === 'delayed'
  const isFinal = notification === 'final'
  const figures = { impressions: 12_500, spend: 87.5, clicks: 40 }
  return {
    notification_type: notification,
    sequence_number,
    ...(isFinal ? {} : { next_expected_at: iso(end + DAY_MS) }),
    reporting_period: { start: iso(end - DAY_MS), end: iso(end), timezone: 'UTC' },
    currency: 'USD',
    ...(isDelayed ? { partial_data: true, unavailable_count: 1 } : {}),
    media_buy_deliveries: [
      {
        media_buy_id: mediaBuyId,
        status: isDelayed ? 'reporting_delayed' : isFinal ? 'completed' : 'active',
        totals: isDelayed ? { spend: 0 } : figures,
        by_package: isDelayed ? [] : [{ package_id: 'pkg_test', ...figures }],
        ...(isDelayed ? { expected_availability: iso(now + DAY_MS / 24) } : {}),
        ...(notification === 'adjusted' ? { is_adjusted: true } : {}),
        ...(isFinal ? { is_final: true, finalized_at: iso(now) } : {}),
      },
    ],
  }
}

function sampleImpairment({ mediaBuyId, now }: Sample): ImpairmentRecord {
  return {
    impairment_id: `imp_${randomUUID()}`,
    media_buy_id: mediaBuyId,
    owner: '',
    raised_by: 'operator',
    impairment_type: 'general',
    resource_type: 'creative',
    resource_id: 'cr_test',
    package_ids: ['pkg_test'],
    transition: { from: 'approved', to: 'rejected' },
    reason_code: 'content_rejected',
    reason: 'a test webhook',
    observed_at: now,
    cleared_at: undefined,
  }
}

function impairmentResult(record: ImpairmentRecord): object {
  const impairment = serializeImpairment(record)
  const at = record.observed_at
  const changes = [{ change: 'raised', at, impairment } as const]
  const fire = { window_id: record.impairment_id, opened_at: at, due_at: at, changes }
  const { media_buy_id } = record
  return {
    notification_type: 'impairment',
    media_buy_id,
    ...fireResult(fire, [impairment], 'impaired'),
  }
}

function familyBody({ mediaBuyId, now, scheme, result }: Sample, family: WebhookFamily): object {
  const list = { event: family, list_id: 'list_test', resolved_at: iso(now), signature: scheme }
  switch (family) {
    case 'collection_list_changed':
      return { ...list, change_summary: { collections_added: 1, total_collections: 3 }, ...result }
    case 'property_list_changed':
      return { ...list, change_summary: { properties_added: 1, total_properties: 3 }, ...result }
    case 'artifact':
      return {
        media_buy_id: mediaBuyId,
        batch_id: `batch_${randomUUID()}`,
        timestamp: iso(now),
        artifacts: [{ artifact: { artifact_id: 'art_test' }, delivered_at: iso(now) }],
        ...result,
      }
    case 'revocation':
      return {
        rights_id: 'rights_test',
        brand_id: 'brand_test',
        reason: 'a test webhook',
        effective_at: iso(now),
        ...result,
      }
  }
}
