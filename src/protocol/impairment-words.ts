// The terms of an impairment (spec 6.3): what can be impaired, what its state may become, and why. Separate from the
// schemas, for code that only needs the terms.

/** How long a change may wait to be reported together with others: fraud and safety changes do not wait. */
export const IMPAIRMENT_TYPES = ['general', 'fraud', 'safety'] as const
export type ImpairmentType = (typeof IMPAIRMENT_TYPES)[number]

export const RESOURCE_TYPES = [
  'audience',
  'creative',
  'catalog_item',
  'event_source',
  'property',
] as const
export type ResourceType = (typeof RESOURCE_TYPES)[number]

/** The states that a resource of each type may change to. */
export const TRANSITIONS: Readonly<Record<ResourceType, readonly string[]>> = {
  audience: ['suspended'],
  creative: ['suspended', 'rejected'],
  catalog_item: ['withdrawn'],
  event_source: ['insufficient'],
  property: ['depublished'],
}

export const REASON_CODES = [
  'policy_violation',
  'consent_expired',
  'ttl_expired',
  'pii_audit_failed',
  'seller_removed',
  'content_rejected',
  'identity_authorization_revoked',
  'identity_authorization_expired',
  'source_private',
  'source_offline',
  'property_depublished',
] as const
export type ReasonCode = (typeof REASON_CODES)[number]
