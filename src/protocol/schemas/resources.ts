// The shared resources (spec 2.1–2.12) by the name under which their schemas are published.

import type { z } from 'zod'
import type { TaskArea } from '../task.ts'
import { asset } from './assets.ts'
import { creativeManifest } from './creative-manifest.ts'
import { deliveryReport } from './delivery-report.ts'
import { activationKey, deployment, deploymentTarget } from './deployment.ts'
import { errorObject } from './error-object.ts'
import { format } from './format.ts'
import { formatId } from './format-id.ts'
import { manifestReference } from './manifest-reference.ts'
import { mediaBuy } from './media-buy.ts'
import { preview } from './preview.ts'
import { pushNotificationConfig, reportingWebhook } from './push-notification-config.ts'
import { signal } from './signal.ts'
import { webhookActivity } from './webhook-activity.ts'
import { webhookEnvelope } from './webhook-envelope.ts'
import { FAMILY_BODIES } from './webhook-families.ts'

export const RESOURCES = {
  'manifest-reference': manifestReference,
  'format-id': formatId,
  format,
  'creative-manifest': creativeManifest,
  asset,
  preview,
  signal,
  'deployment-target': deploymentTarget,
  deployment,
  'activation-key': activationKey,
  'push-notification-config': pushNotificationConfig,
  'reporting-webhook': reportingWebhook,
  'webhook-envelope': webhookEnvelope,
  /** The name used in the public protocol. */
  'mcp-webhook-payload': webhookEnvelope,
  'delivery-report': deliveryReport,
  'webhook-activity': webhookActivity,
  /** The webhooks that are not about a task, by the names of the public protocol. */
  'collection-list-changed-webhook': FAMILY_BODIES.collection_list_changed,
  'property-list-changed-webhook': FAMILY_BODIES.property_list_changed,
  'artifact-webhook-payload': FAMILY_BODIES.artifact,
  'revocation-notification': FAMILY_BODIES.revocation,
  'media-buy': mediaBuy,
  error: errorObject,
} as const satisfies Record<string, z.ZodType>

/** Resources that only one part of the protocol has: published together with that part. */
export const RESOURCE_AREAS: ReadonlyMap<string, TaskArea> = new Map([
  ['signal', 'signals'],
  ['deployment-target', 'signals'],
  ['deployment', 'signals'],
  ['activation-key', 'signals'],
])
