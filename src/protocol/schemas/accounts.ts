// sync_accounts and list_accounts: the accounts that calls are made for. Only in 3.x.

import { z } from 'zod'
import {
  brandRef,
  currency,
  domain,
  ext,
  isoTime,
  money,
  name,
  opaqueId,
  paginationRequest,
  paginationResponse,
  text,
  webUrl,
} from './common.ts'
import { errorList } from './error-object.ts'
import { WEBHOOK_SCHEMES, webhookAuthentication } from './push-notification-config.ts'
import { timeZone } from './time-zone.ts'

export const accountStatus = z.enum([
  'active',
  'pending_approval',
  'rejected',
  'payment_required',
  'suspended',
  'closed',
])
export const billingParty = z.enum(['operator', 'agent', 'advertiser', 'brand'])
export const paymentTerms = z.enum(['net_15', 'net_30', 'net_45', 'net_60', 'net_90', 'prepay'])

const terms = {
  name: name.optional().describe('Display name.'),
  billing: billingParty.optional().describe('Invoice recipient.'),
  billing_entity: z.looseObject({}).optional().describe('Legal name on invoices.'),
  payment_terms: paymentTerms.optional().describe('When invoices are due.'),
  sandbox: z.boolean().optional().describe('Whether the account is a sandbox.'),
}

/** The permanent attributes of an account: changing one makes it a different account. */
const fixed = {
  currency: currency.optional().describe('Of all its media buys; default: each buy has its own.'),
  timezone: timeZone.optional().describe('IANA name, in which its days are cut.'),
}

/** How many receivers an account may have. */
export const MAX_ACCOUNT_RECEIVERS = 16

const receiver = {
  subscriber_id: text(64).describe('The caller’s name for the receiver.'),
  url: webUrl.describe('Where the events are sent.'),
  event_types: z
    .array(text(100))
    .min(1)
    .max(50)
    .describe('Which events, such as account.status_changed.'),
}

const notificationConfig = z.looseObject({
  ...receiver,
  active: z.boolean().optional().describe('Whether events are sent; default true.'),
  authentication: webhookAuthentication.optional(),
})
export type NotificationConfig = z.infer<typeof notificationConfig>

const storedNotificationConfig = z.strictObject({
  ...receiver,
  active: z.boolean().describe('Whether events are sent.'),
  authentication: z
    .strictObject({ schemes: z.array(z.enum(WEBHOOK_SCHEMES)) })
    .optional()
    .describe('The legacy scheme; credentials are never returned.'),
})
export type StoredNotificationConfig = z.infer<typeof storedNotificationConfig>

const requestedAccount = z.looseObject({
  brand: brandRef.describe('The brand that advertises.'),
  operator: domain.describe('Domain of the brand’s operator.'),
  ...fixed,
  ...terms,
  notification_configs: z
    .array(notificationConfig)
    .max(MAX_ACCOUNT_RECEIVERS)
    .optional()
    .describe(
      'Receivers of events of the account; replaces the list, and is unchanged if omitted.',
    ),
})

export const syncAccountsRequest = z.looseObject({
  accounts: z.array(requestedAccount).min(1).max(1000).describe('Accounts to create or change.'),
  delete_missing: z
    .boolean()
    .optional()
    .describe('Close accounts that are not listed; default false.'),
  dry_run: z
    .boolean()
    .optional()
    .describe('Report what would change without changing it; default false.'),
})
export type SyncAccountsRequest = z.infer<typeof syncAccountsRequest>

const known = {
  ...terms,
  ...fixed,
  account_scope: z.string().optional().describe('The brand the account is for.'),
  setup: z
    .looseObject({
      message: z.string(),
      url: webUrl.optional(),
      expires_at: isoTime.optional(),
    })
    .optional()
    .describe('What is still to be done.'),
  rate_card: z.string().optional(),
  credit_limit: money.optional(),
  notification_configs: z
    .array(storedNotificationConfig)
    .optional()
    .describe('Receivers of events of the account.'),
}

export const syncAccountsResponse = z.strictObject({
  dry_run: z.boolean().optional().describe('Whether nothing was changed.'),
  accounts: z
    .array(
      z.strictObject({
        account_id: opaqueId.optional().describe('The account, once there is one.'),
        brand: brandRef,
        operator: domain,
        action: z.enum(['created', 'updated', 'unchanged', 'failed']).describe('What was done.'),
        status: accountStatus.describe('Status of the account.'),
        ...known,
        errors: errorList.optional().describe('Why it failed.'),
        warnings: z.array(z.string()).optional(),
      }),
    )
    .describe('One for each account.'),
  errors: errorList.optional().describe('Warnings.'),
  ext: ext.optional(),
})
export type SyncAccountsResponse = z.infer<typeof syncAccountsResponse>

export const listAccountsRequest = z.looseObject({
  status: accountStatus.optional().describe('Only accounts with this status.'),
  sandbox: z.boolean().optional().describe('Only sandbox accounts, or only others.'),
  pagination: paginationRequest.optional().describe('Pages; default 50 a page.'),
})
export type ListAccountsRequest = z.infer<typeof listAccountsRequest>

export const account = z.strictObject({
  account_id: opaqueId,
  status: accountStatus.describe('Status of the account.'),
  advertiser: z.string().optional().describe('Whose rates apply.'),
  billing_proxy: z.string().optional().describe('Who receives invoices instead.'),
  brand: brandRef.optional(),
  operator: domain.optional(),
  parent_account_id: z.string().optional(),
  ...known,
  name: z.string().describe('Display name.'),
  authorization: z.looseObject({}).optional().describe('What the caller may do with it.'),
  ext: ext.optional(),
})
export type Account = z.infer<typeof account>

export const listAccountsResponse = z.strictObject({
  accounts: z.array(account),
  pagination: paginationResponse.optional(),
  errors: errorList.optional().describe('Warnings.'),
  ext: ext.optional(),
})
export type ListAccountsResponse = z.infer<typeof listAccountsResponse>
