// Where a buyer receives notifications, and how they are secured (spec 2.9). Whether the address may be called, and
// whether the authentication method is supported, is decided at registration.

import { z } from 'zod'
import { text, webUrl } from './common.ts'

export const WEBHOOK_SCHEMES = ['HMAC-SHA256', 'Bearer'] as const

/** The character set shared by ids of operations and notifications. */
export const wordId = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[A-Za-z0-9_.:-]*$/, 'This may hold letters, digits and _ . : - only.')

export const webhookAuthentication = z
  .looseObject({
    schemes: z.array(z.enum(WEBHOOK_SCHEMES)).length(1).describe('Exactly one legacy scheme.'),
    credentials: z
      .string()
      .min(32)
      .max(4096)
      .describe('Shared secret or bearer token of at least 32 characters; never sent back.'),
  })
  .describe('Legacy only: leave it out and deliveries are signed with a published key.')

export const webhookToken = z
  .string()
  .min(16)
  .max(4096)
  .describe('Handed back in every webhook for the receiver to compare.')

export const pushNotificationConfig = z
  .looseObject({
    url: webUrl.describe('The webhook receiver; opaque to the seller.'),
    operation_id: wordId.optional().describe('Unique per call; echoed verbatim in every webhook.'),
    token: webhookToken.optional(),
    authentication: webhookAuthentication.optional(),
  })
  .meta({ examples: [{ url: 'https://buyer.example/hooks', operation_id: 'op_1' }] })
export type PushNotificationConfig = z.infer<typeof pushNotificationConfig>

export const REPORTING_FREQUENCIES = ['hourly', 'daily', 'monthly'] as const

/** Where delivery reports go (spec 6.2), on a cadence of their own. */
export const reportingWebhook = z.looseObject({
  url: webUrl.describe('The receiver of delivery reports.'),
  operation_id: wordId.optional().describe('Echoed verbatim in every report.'),
  token: webhookToken.optional(),
  authentication: webhookAuthentication.optional(),
  reporting_frequency: z
    .enum(REPORTING_FREQUENCIES)
    .optional()
    .describe('How often a report is sent; default daily.'),
  requested_metrics: z
    .array(text(100))
    .max(100)
    .optional()
    .describe('Metrics wanted; default all.'),
})
export type ReportingWebhook = z.infer<typeof reportingWebhook>
