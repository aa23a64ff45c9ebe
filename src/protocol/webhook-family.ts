// The names of the webhooks that are not about a task (spec 6.4): separate from their schemas, for code that needs
// only the names.

export const WEBHOOK_FAMILIES = [
  'collection_list_changed',
  'property_list_changed',
  'artifact',
  'revocation',
] as const
export type WebhookFamily = (typeof WEBHOOK_FAMILIES)[number]
