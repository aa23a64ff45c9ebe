// The names of the webhooks that tell of no task (spec 6.4): apart from their schemas, for who needs the names alone.

export const WEBHOOK_FAMILIES = [
  'collection_list_changed',
  'property_list_changed',
  'artifact',
  'revocation',
] as const
export type WebhookFamily = (typeof WEBHOOK_FAMILIES)[number]
