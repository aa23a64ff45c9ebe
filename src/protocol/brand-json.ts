// Decides whether a document is a brand.json and which of its five variants, for the verification of
// manifest references (spec 2.1, 3.1) and the discovery of a seller's keys (spec 5).

import { z } from 'zod'
import { defined } from '../lib/defined.ts'
import { normaliseHost } from '../lib/host-name.ts'
import {
  type AgentEntry,
  agentList,
  type Brand,
  brandFields,
  contact,
  localisedNames,
  namedAgent,
  OPTIONAL_BRAND_FIELDS,
  trademarks,
} from './brand-entry.ts'
import {
  domainName,
  filledText,
  localId,
  manifestCountry,
  noRepeats,
  secureUrl,
  timestamp,
} from './manifest-fields.ts'
import { MAX_MANIFEST_ISSUES } from './manifest-issues.ts'
import { listOf } from './manifest-list.ts'
import {
  checkManifest,
  type ManifestCheck,
  type ManifestCheckOptions,
  type ManifestSummary,
  type Variant,
  variant,
} from './manifest-variants.ts'
import { isObject } from './schemas/checks.ts'

/** Classifies a parsed brand.json. Never throws for JSON values; a redirect is not followed. */
export function checkBrandJson(
  document: unknown,
  { allowHttp = false }: ManifestCheckOptions = {},
): ManifestCheck {
  return checkManifest('brand.json', allowHttp ? VARIANTS_OVER_HTTP : VARIANTS, document)
}

const IDENTITY_FIELDS = ['names', 'brands', 'brand_refs', 'agents', 'brand_agent'] as const
const REDIRECT_FIELDS = ['region', 'note', 'redirect_reason', 'redirect_effective_at'] as const
/** Brands are the most expensive part to check; a house with more of them lists brand_refs. */
const MAX_BRANDS = 2_000
const NO_SUMMARY: ManifestSummary = { agents: [], properties: [] }

const redirectFields = {
  redirect_reason: z
    .enum(['acquisition', 'divestiture', 'rebrand', 'regional', 'legacy', 'consolidation', 'other'])
    .optional(),
  redirect_effective_at: timestamp.optional(),
  note: z.string().optional(),
}

const documentFields = {
  version: z.string().optional(),
  last_updated: timestamp.optional(),
}

function variants(allowHttp: boolean): readonly Variant[] {
  // Order matters: each variant is identified by its marker members, if no earlier variant matched.
  return [
    locationRedirect(allowHttp),
    houseRedirect(),
    housePortfolio(allowHttp),
    brandDocument(allowHttp),
    agentsVariant(allowHttp),
  ]
}

function locationRedirect(allowHttp: boolean): Variant {
  return variant({
    name: 'authoritative_location',
    phrase: 'a redirect (authoritative_location)',
    fits: (document) => Object.hasOwn(document, 'authoritative_location'),
    required: ['authoritative_location'],
    excluded: ['house', ...IDENTITY_FIELDS],
    optional: ['redirect_reason', 'redirect_effective_at', 'note'],
    schema: z.looseObject({ authoritative_location: secureUrl(allowHttp), ...redirectFields }),
    summarise: () => NO_SUMMARY,
    redirectTo: (manifest) => manifest.authoritative_location,
  })
}

function houseRedirect(): Variant {
  return variant({
    name: 'house_redirect',
    phrase: 'a redirect to a house (house as a domain)',
    fits: (document) => Object.hasOwn(document, 'house') && !isObject(document.house),
    required: ['house'],
    excluded: IDENTITY_FIELDS,
    optional: REDIRECT_FIELDS,
    schema: z.looseObject({
      house: domainName,
      region: manifestCountry.optional(),
      ...redirectFields,
    }),
    summarise: () => NO_SUMMARY,
    redirectTo: ({ house }) => {
      const host = normaliseHost(house)
      return `https://${host.ok ? host.domain : house}/.well-known/brand.json`
    },
  })
}

function housePortfolio(allowHttp: boolean): Variant {
  return variant({
    name: 'house_portfolio',
    phrase: 'a house portfolio (house as an object, with brands or brand_refs)',
    fits: (document) =>
      ['house', 'brands', 'brand_refs'].some((mark) => Object.hasOwn(document, mark)),
    required: ['house', 'brands'],
    excluded: ['names', 'house_domain', 'redirect_reason', 'redirect_effective_at'],
    optional: [
      'version',
      'last_updated',
      'house.names',
      'house.architecture',
      'brand_refs',
      'authorized_operators',
      'contact',
      'trademarks',
      'agents',
      ...OPTIONAL_BRAND_FIELDS.map((field) => `brands.*.${field}`),
    ],
    schema: portfolioSchema(allowHttp),
    summarise: ({ house, brands = [], agents = [], brand_agent }) => ({
      name: house.name,
      agents: [...agents, ...(brand_agent ? [brand_agent] : []), ...brands.flatMap(agentsOf)].map(
        agentSummary,
      ),
      properties: brands.flatMap(propertiesOf),
    }),
  })
}

function portfolioSchema(allowHttp: boolean) {
  return z
    .looseObject({
      ...documentFields,
      house: z.looseObject({
        domain: domainName,
        name: filledText,
        names: localisedNames.optional(),
        architecture: z.enum(['branded_house', 'house_of_brands', 'hybrid']).optional(),
      }),
      brands: listOf(z.looseObject(brandFields(allowHttp)), { max: MAX_BRANDS })
        .check(noRepeats('id', ({ id }) => id))
        .optional(),
      brand_refs: brandRefs.optional(),
      authorized_operators: listOf(z.looseObject({ domain: domainName })).optional(),
      agents: agentList(allowHttp).optional(),
      brand_agent: namedAgent(allowHttp).optional(),
      contact: contact.optional(),
      trademarks: trademarks.optional(),
    })
    .check(({ value, issues }) => {
      if (!value.brands?.length && !value.brand_refs?.length) {
        const message = 'A house portfolio must list at least one brand, in brands or brand_refs.'
        issues.push({ code: 'custom', path: [], input: value, message })
      }
      const inline = new Set(value.brands?.map(({ id }) => id))
      value.brand_refs?.forEach(({ brand_id }, index) => {
        if (!inline.has(brand_id) || issues.length >= MAX_MANIFEST_ISSUES) return
        const message = 'This brand is also in brands: list it only once.'
        issues.push({
          code: 'custom',
          path: ['brand_refs', index, 'brand_id'],
          input: value,
          message,
        })
      })
    })
}

const brandRefs = listOf(
  z.looseObject({
    domain: domainName,
    brand_id: localId,
    managed_by: domainName.optional(),
    effective_at: timestamp.optional(),
  }),
)
  .check(noRepeats('domain', ({ domain }) => domain.toLowerCase()))
  .check(noRepeats('brand_id', ({ brand_id }) => brand_id))

function brandDocument(allowHttp: boolean): Variant {
  return variant({
    name: 'brand_document',
    phrase: 'a single brand (id and names)',
    fits: (document) => Object.hasOwn(document, 'id') || Object.hasOwn(document, 'names'),
    required: ['id', 'names'],
    excluded: ['authorized_operators', ...REDIRECT_FIELDS],
    optional: ['version', 'last_updated', 'house_domain', ...OPTIONAL_BRAND_FIELDS],
    schema: z.looseObject({
      ...documentFields,
      ...brandFields(allowHttp),
      house_domain: domainName.optional(),
    }),
    summarise: (brand) => ({
      ...nameOf(brand),
      agents: agentsOf(brand).map(agentSummary),
      properties: propertiesOf(brand),
    }),
  })
}

function agentsVariant(allowHttp: boolean): Variant {
  return variant({
    name: 'agents',
    phrase: 'agents alone (agents)',
    fits: (document) => Object.hasOwn(document, 'agents') || Object.hasOwn(document, 'brand_agent'),
    required: ['agents'],
    excluded: [],
    optional: [
      'version',
      'last_updated',
      'contact',
      'contact.email',
      'agents.*.description',
      'agents.*.jwks_uri',
      'agents.*.countries',
    ],
    schema: z.looseObject({
      ...documentFields,
      agents: agentList(allowHttp).optional(),
      brand_agent: namedAgent(allowHttp).optional(),
      contact: contact.optional(),
    }),
    summarise: ({ agents = [], brand_agent, contact: by }) => ({
      ...defined({ name: by?.name }),
      agents: [...agents, ...(brand_agent ? [brand_agent] : [])].map(agentSummary),
      properties: [],
    }),
  })
}

type ListedAgent = Pick<AgentEntry, 'url' | 'id'> & { type?: unknown }

function agentsOf({ agents = [], brand_agent, rights_agent }: Brand): ListedAgent[] {
  const older = [brand_agent, rights_agent].filter((agent) => agent !== undefined)
  return [...agents, ...older]
}

function agentSummary({ url, id, type }: ListedAgent): ManifestSummary['agents'][number] {
  return { url, id, ...defined({ type: typeof type === 'string' ? type : undefined }) }
}

function propertiesOf({ properties = [] }: Brand): ManifestSummary['properties'] {
  return properties.map(({ type, identifier }) => ({ type, identifier }))
}

function nameOf({ names }: Brand): { name?: string } {
  const [name] = Object.values(names[0] ?? {})
  return name === undefined ? {} : { name }
}

// Last, because building them needs every schema above.
const VARIANTS = variants(false)
const VARIANTS_OVER_HTTP = variants(true)
