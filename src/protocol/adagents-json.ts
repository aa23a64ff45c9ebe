// Decides whether a document is an adagents.json and which of its two variants, for the verification
// of manifest references (spec 2.1, 3.1) and the publisher's pin on signing keys (spec 5).

import { z } from 'zod'
import { defined } from '../lib/defined.ts'
import {
  domainName,
  email,
  filledText,
  manifestCountry,
  manifestWebUrl,
  openWord,
  secureUrl,
  timestamp,
} from './manifest-fields.ts'
import { listOf, mapOf } from './manifest-list.ts'
import {
  checkManifest,
  type ManifestCheck,
  type ManifestCheckOptions,
  type ManifestSummary,
  type Variant,
  variant,
} from './manifest-variants.ts'

/** Classifies a parsed adagents.json. Never throws for JSON values; a redirect is not followed. */
export function checkAdagentsJson(
  document: unknown,
  { allowHttp = false }: ManifestCheckOptions = {},
): ManifestCheck {
  return checkManifest('adagents.json', allowHttp ? variantsOverHttp : variants, document)
}

/** The content of an authorization, by its `authorization_type`. */
const SCOPE_FIELDS = {
  property_ids: 'property_ids',
  property_tags: 'property_tags',
  inline_properties: 'properties',
  publisher_properties: 'publisher_properties',
  signal_ids: 'signal_ids',
  signal_tags: 'signal_tags',
} as const
const AUTHORIZATION_TYPES = Object.keys(SCOPE_FIELDS) as (keyof typeof SCOPE_FIELDS)[]

const PRIVATE_KEY_FIELDS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'] as const

const anyObject = z.looseObject({})
const taggedNames = mapOf(z.looseObject({ name: filledText, description: filledText }))

const contact = z.looseObject({
  name: filledText.max(255),
  email: email.optional(),
  domain: domainName.optional(),
  seller_id: filledText.max(255).optional(),
  tag_id: filledText.max(100).optional(),
  privacy_policy_url: manifestWebUrl.optional(),
})

const property = z.looseObject({
  property_id: filledText.optional(),
  property_type: openWord,
  name: filledText,
  identifiers: listOf(z.looseObject({ type: openWord, value: filledText }), { min: 1 }),
  tags: listOf(z.string()).optional(),
  publisher_domain: domainName.optional(),
})

const publicKey = z
  .looseObject({
    kid: filledText,
    kty: filledText,
    alg: z.string().optional(),
    use: z.string().optional(),
    crv: z.string().optional(),
    x: z.string().optional(),
    y: z.string().optional(),
    n: z.string().optional(),
    e: z.string().optional(),
    revoked_at: timestamp.optional(),
  })
  .refine(
    (key) => !PRIVATE_KEY_FIELDS.some((field) => Object.hasOwn(key, field)),
    'This publishes a private or secret key; list the public key alone and replace the exposed one.',
  )

const variants = [redirect(false), inline(false)]
const variantsOverHttp = [redirect(true), inline(true)]

function redirect(allowHttp: boolean): Variant {
  return variant({
    name: 'authoritative_location',
    phrase: 'a redirect (authoritative_location)',
    fits: (document) => Object.hasOwn(document, 'authoritative_location'),
    required: ['authoritative_location'],
    excluded: ['authorized_agents'],
    optional: ['last_updated'],
    schema: z.looseObject({
      authoritative_location: secureUrl(allowHttp),
      last_updated: timestamp.optional(),
    }),
    summarise: () => ({ agents: [], properties: [] }),
    redirectTo: (manifest) => manifest.authoritative_location,
  })
}

function inline(allowHttp: boolean): Variant {
  return variant({
    name: 'inline',
    phrase: 'an inline list (authorized_agents)',
    fits: (document) => Object.hasOwn(document, 'authorized_agents'),
    required: ['authorized_agents'],
    excluded: [],
    optional: [
      'contact',
      'contact.email',
      'contact.domain',
      'contact.privacy_policy_url',
      'properties',
      'properties.*.property_id',
      'properties.*.tags',
      'tags',
      'collections',
      'placements',
      'formats',
      'signals',
      'signal_tags',
      'property_features',
      'catalog_etag',
      'last_updated',
      'authorized_agents.*.authorization_type',
      'authorized_agents.*.delegation_type',
      'authorized_agents.*.signing_keys',
      'authorized_agents.*.countries',
    ],
    schema: inlineSchema(allowHttp),
    summarise: ({ contact: by, authorized_agents, properties = [] }) => ({
      ...defined({ name: by?.name }),
      agents: authorized_agents.map(({ url }) => ({ url })),
      properties: properties.map(propertySummary),
    }),
  })
}

function inlineSchema(allowHttp: boolean) {
  return z.looseObject({
    contact: contact.optional(),
    catalog_etag: z.string().optional(),
    properties: listOf(property).optional(),
    collections: listOf(anyObject).optional(),
    placements: listOf(anyObject).optional(),
    formats: listOf(anyObject).optional(),
    signals: listOf(z.looseObject({ id: filledText, name: filledText })).optional(),
    signal_tags: taggedNames.optional(),
    tags: taggedNames.optional(),
    authorized_agents: listOf(authorizedAgent(allowHttp)),
    revoked_publisher_domains: z.array(z.unknown()).optional(),
    property_features: listOf(z.looseObject({ url: manifestWebUrl, name: filledText })).optional(),
    superseded_by: filledText.optional(),
    last_updated: timestamp.optional(),
  })
}

function authorizedAgent(allowHttp: boolean) {
  const names = listOf(filledText, { min: 1 }).optional()
  return z
    .looseObject({
      url: secureUrl(allowHttp),
      authorized_for: filledText.max(500),
      authorization_type: z.enum(AUTHORIZATION_TYPES).optional(),
      property_ids: names,
      property_tags: names,
      properties: listOf(property, { min: 1 }).optional(),
      publisher_properties: listOf(anyObject, { min: 1 }).optional(),
      signal_ids: names,
      signal_tags: names,
      signing_keys: listOf(publicKey, { min: 1 }).optional(),
      encryption_keys: listOf(anyObject, { min: 1 }).optional(),
      delegation_type: z.enum(['direct', 'delegated', 'ad_network']).optional(),
      exclusive: z.boolean().optional(),
      countries: listOf(manifestCountry, { min: 1 }).optional(),
      effective_from: timestamp.optional(),
      effective_until: timestamp.optional(),
    })
    .check(({ value, issues }) => {
      const { authorization_type: type } = value
      if (type === undefined || value[SCOPE_FIELDS[type]] !== undefined) return
      const message = `An agent authorized by ${type} must list its ${SCOPE_FIELDS[type]}.`
      issues.push({ code: 'custom', path: [SCOPE_FIELDS[type]], input: value, message })
    })
}

function propertySummary({
  name,
  property_type: type,
  identifiers: [first],
}: z.infer<typeof property>): ManifestSummary['properties'][number] {
  return { name, type, ...defined({ identifier: first?.value }) }
}
