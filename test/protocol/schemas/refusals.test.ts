import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Issue } from '../../../src/protocol/errors.ts'
import { deliveryReport } from '../../../src/protocol/schemas/delivery-report.ts'
import { deployment } from '../../../src/protocol/schemas/deployment.ts'
import { checkShape, issuesOf } from '../../../src/protocol/schemas/issues.ts'
import { previewCreativeItem } from '../../../src/protocol/schemas/preview-creative.ts'
import { pushNotificationConfig } from '../../../src/protocol/schemas/push-notification-config.ts'
import { webhookActivity } from '../../../src/protocol/schemas/webhook-activity.ts'
import {
  receivedA2aWebhook,
  receivedWebhookEnvelope,
  webhookEnvelope,
} from '../../../src/protocol/schemas/webhook-envelope.ts'
import { activity, EVERY_TASK, formatId, key, manifest, platform, row, time } from './every-task.ts'

function refused(schema: z.ZodType, value: unknown): Issue[] {
  const check = checkShape(schema, value)
  if (check.ok) throw new Error('accepted')
  return check.issues
}
const reported = (schema: z.ZodType, value: unknown) =>
  refused(schema, value).map(({ pointer, keyword }) => `${pointer} ${keyword}`)
const request = (task: string) => EVERY_TASK[task]?.request ?? z.never()

test('for a script or markup that is given by an address, the error says that it belongs in its content', () => {
  const assets = { tag: { asset_type: 'javascript', url: 'https://tags.example/a.js' } }
  const value = { request_type: 'single', creative_manifest: { ...manifest, assets } }
  expect(refused(request('preview_creative'), value)).toMatchObject([
    {
      pointer: '/creative_manifest/assets/tag/content',
      message:
        'An asset of type javascript needs content: the javascript itself, which may load what is at the address.',
    },
  ])
})

describe('a request is refused at the place of its fault', () => {
  const single = { request_type: 'single', creative_manifest: manifest }
  test.each([
    ['preview_creative', {}, '/request_type required'],
    ['preview_creative', { ...single, request_type: 'double' }, '/request_type enum'],
    ['preview_creative', { ...single, format_id: 'display' }, '/format_id type'],
    ['preview_creative', { request_type: 'batch' }, '/requests required'],
    ['preview_creative', { request_type: 'batch', requests: [] }, '/requests minItems'],
    ['preview_creative', { request_type: 'variant' }, '/variant_id required'],
    ['preview_creative', { ...single, inputs: [{}] }, '/inputs/0/name required'],
    ['get_signals', { max_results: 101 }, '/max_results maximum'],
    ['get_signals', { max_results: 0.5 }, '/max_results type'],
    ['get_signals', { filters: { max_cpm: -1 } }, '/filters/max_cpm minimum'],
    ['get_signals', { countries: ['USA'] }, '/countries/0 pattern'],
    ['get_signals', { deliver_to: { deployments: [] } }, '/deliver_to/deployments minItems'],
    ['get_signals', { destinations: [{ type: 'moon' }] }, '/destinations/0/type enum'],
    ['get_signals', { destinations: [{ type: 'agent' }] }, '/destinations/0/agent_url required'],
    ['activate_signal', {}, '/signal_agent_segment_id required'],
    [
      'activate_signal',
      { signal_agent_segment_id: 's', deployments: Array(51).fill(platform) },
      '/deployments maxItems',
    ],
    [
      'build_creative',
      { target_format_id: { ...formatId, agent_url: 'javascript:alert(1)' } },
      '/target_format_id/agent_url format',
    ],
    [
      'build_creative',
      { target_format_id: { ...formatId, width: 3 } },
      '/target_format_id/height dependentRequired',
    ],
    [
      'build_creative',
      { creative_manifest: { assets: { 'a/b~c': { asset_type: 'image' } } } },
      '/creative_manifest/assets/a~1b~0c/url required',
    ],
    [
      'build_creative',
      { creative_manifest: { assets: { v: { asset_type: 'video' } } } },
      '/creative_manifest/assets/v anyOf',
    ],
    [
      'build_creative',
      { creative_manifest: { assets: { v: [{ asset_type: 'cube' }] } } },
      '/creative_manifest/assets/v/0/asset_type enum',
    ],
    [
      'build_creative',
      { creative_manifest: { assets: { v: { asset_type: 'text', content: 7 } } } },
      '/creative_manifest/assets/v/content type',
    ],
    ['list_tasks', { filters: { status: 'sleeping' } }, '/filters/status enum'],
    ['create_media_buy', { start_time: 'asap', end_time: time }, '/packages required'],
    ['update_media_buy', { media_buy_id: 'm', canceled: false }, '/canceled const'],
  ])('%s with %j', (task, value, expected) => {
    expect(reported(request(task), value)).toEqual([expected])
  })
})

test('spec 7: all failures of a request are reported together, also those between members', () => {
  expect(
    reported(request('preview_creative'), { request_type: 'single', output_format: 'pdf' }),
  ).toEqual(['/output_format enum', '/creative_manifest required', '/format_id required'])
})

test('a message says what would be right', () => {
  const messages = (task: string, value: unknown) =>
    refused(request(task), value).map(({ message }) => message)
  expect(messages('get_signals', { max_results: 500, signal_spec: ['a'] })).toEqual([
    'This must be a string, not a list.',
    'This must be at most 100.',
  ])
  expect(messages('activate_signal', { deployments: [{ platform: 'x' }] })).toEqual([
    'This field is required: a string.',
    'This field is required: one of platform, agent.',
  ])
  expect(messages('preview_creative', 7)).toEqual(['This must be an object, not a number.'])
})

test('without the input, a missing member is distinguished where the schema knows it', () => {
  const parsed = request('activate_signal').safeParse({})
  expect(parsed.error && issuesOf(parsed.error)).toEqual([
    {
      pointer: '/signal_agent_segment_id',
      message: 'This field is required: a string.',
      keyword: 'required',
    },
  ])
})

test('one failure is reported once, and at most a hundred of them', () => {
  const many = { creatives: Array.from({ length: 100 }, () => ({})) }
  expect(refused(request('sync_creatives'), many)).toHaveLength(100)
})

test('a refused item of a batch is reported by itself', () => {
  expect(reported(previewCreativeItem, { format_id: 'x' })).toEqual([
    '/format_id type',
    '/creative_manifest required',
  ])
  expect(checkShape(previewCreativeItem, { creative_manifest: manifest }).ok).toBe(true)
})

describe('spec 2.9: a registration', () => {
  const url = 'https://buyer.example.com/hooks'
  test.each([
    [{}, '/url required'],
    [{ url: 'ftp://a.example' }, '/url format'],
    [{ url, operation_id: 'a b' }, '/operation_id pattern'],
    [{ url, token: 'short' }, '/token minLength'],
    [
      { url, authentication: { schemes: [], credentials: 'x'.repeat(32) } },
      '/authentication/schemes minItems',
    ],
    [
      { url, authentication: { schemes: ['Basic'], credentials: 'x'.repeat(32) } },
      '/authentication/schemes/0 enum',
    ],
    [
      { url, authentication: { schemes: ['Bearer'], credentials: 'short' } },
      '/authentication/credentials minLength',
    ],
  ])('%j is refused', (config, expected) => {
    expect(reported(pushNotificationConfig, config)).toEqual([expected])
  })
})

describe('spec 2.10: an envelope', () => {
  const received = {
    idempotency_key: key,
    task_id: 't1',
    task_type: 'build_creative',
    status: 'completed',
    timestamp: time,
  }
  test('is read with and without what other senders leave out', () => {
    const more = { ...received, status: 'auth-required', result: null, added_later: 1 }
    expect(checkShape(receivedWebhookEnvelope, received).ok).toBe(true)
    expect(checkShape(receivedWebhookEnvelope, more)).toEqual({ ok: true, value: more })
  })
  test('is sent with both names of its domain, and with a status of the seven', () => {
    const sent = { ...received, domain: 'creative', protocol: 'creative' }
    expect(checkShape(webhookEnvelope, sent).ok).toBe(true)
    expect(reported(webhookEnvelope, received)).toEqual(['/domain required', '/protocol required'])
    expect(reported(webhookEnvelope, { ...sent, status: 'unknown' })).toEqual(['/status enum'])
  })
  test('needs its key, a known status and a time with its zone', () => {
    expect(reported(receivedWebhookEnvelope, { ...received, idempotency_key: 'short' })).toEqual([
      '/idempotency_key minLength',
    ])
    expect(
      reported(receivedWebhookEnvelope, {
        ...received,
        status: 'x',
        timestamp: '2026-01-31T12:00:00',
      }),
    ).toEqual(['/status enum', '/timestamp format'])
  })
  test('in A2A form has a state', () => {
    const task = { id: 't1', status: { state: 'completed', timestamp: time }, artifacts: [] }
    expect(checkShape(receivedA2aWebhook, task).ok).toBe(true)
    expect(reported(receivedA2aWebhook, { ...task, status: 'completed' })).toEqual(['/status type'])
  })
})

test('spec 2.11: a delivery report has no aggregated totals and no notification id', () => {
  const report = {
    notification_type: 'scheduled',
    sequence_number: 1,
    reporting_period: { start: time, end: time },
    currency: 'USD',
    media_buy_deliveries: [row],
  }
  expect(checkShape(deliveryReport, report).ok).toBe(true)
  expect(
    reported(deliveryReport, { ...report, aggregated_totals: {}, notification_id: 'n' }),
  ).toEqual(['/aggregated_totals not', '/notification_id not'])
})

test('spec 2.12: an entry of webhook activity is closed', () => {
  expect(checkShape(webhookActivity, activity).ok).toBe(true)
  expect(reported(webhookActivity, { ...activity, response_body: 'secret' })).toEqual([
    '/response_body additionalProperties',
  ])
})

test('spec 3.3: a deployment has an activation key only when it is live', () => {
  const activation_key = { type: 'key_value', key: 'k', value: 'v' }
  expect(checkShape(deployment, { ...platform, is_live: true, activation_key }).ok).toBe(true)
  expect(reported(deployment, { ...platform, is_live: false, activation_key })).toEqual([
    '/activation_key not',
  ])
})
