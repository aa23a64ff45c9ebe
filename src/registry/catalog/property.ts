// A property of the catalogue: one site or app, whoever names it, under an id that it keeps.

import type { PropertyIdentifier } from '../../protocol/adagents/file-model.ts'

export const PROPERTY_SOURCES = ['authoritative', 'enriched', 'contributed'] as const
export const PROPERTY_STATUSES = ['active', 'stale', 'removed'] as const
export const CLASSIFICATIONS = [
  'property',
  'ad_infra',
  'publisher_mask',
  'network',
  'unclassified',
] as const

/** How well it is known that an identifier belongs to a property. */
export const CONFIDENCE = { authoritative: 4, strong: 3, medium: 2, contributed: 1 } as const

export interface CatalogProperty {
  /** A UUID of version 7. */
  property_rid: string
  publisher_domain: string | null
  /** What its publisher calls it now. */
  property_id: string | null
  property_type: string | null
  name: string | null
  source: (typeof PROPERTY_SOURCES)[number]
  status: (typeof PROPERTY_STATUSES)[number]
  /** Of the file that speaks for its publisher. */
  adagents_url: string | null
  /** The organisation that contributed it. */
  created_by: string | null
  /** When it was last resolved. */
  resolved_at: number
  created_at: number
  updated_at: number
  source_updated_at: number
}

export interface LinkedIdentifier extends PropertyIdentifier {
  confidence: number
}

export const keyOf = ({ type, value }: PropertyIdentifier) => `${type} ${value}`
