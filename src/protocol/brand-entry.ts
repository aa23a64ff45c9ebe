// Defines a brand inside brand.json, alone in its document or as one of a house's (spec 2.1), together with the
// agents that a brand, a house or a whole file may list.
import { z } from 'zod'
import {
  colourValue,
  domainName,
  email,
  filledText,
  localId,
  manifestCountry,
  manifestWebUrl,
  noRepeats,
  openWord,
  secureUrl,
  timestamp,
  urlKey,
} from './manifest-fields.ts'
import { listOf, mapOf } from './manifest-list.ts'

export const AGENT_TYPES = [
  'brand',
  'rights',
  'measurement',
  'governance',
  'creative',
  'sales',
  'buying',
  'signals',
] as const

/** The optional fields of a brand that count towards completeness, wherever the brand appears. */
export const OPTIONAL_BRAND_FIELDS = [
  'url',
  'description',
  'keller_type',
  'industries',
  'target_audience',
  'logos',
  'colors',
  'fonts',
  'tone',
  'tagline',
  'assets',
  'properties',
  'product_catalog',
  'privacy_policy_url',
  'disclaimers',
  'voice_synthesis',
  'avatar',
  'visual_guidelines',
  'trademarks',
  'agents',
  'contact',
] as const

export type Brand = z.infer<z.ZodObject<ReturnType<typeof brandFields>, z.core.$loose>>
export type AgentEntry = z.infer<ReturnType<typeof agentList>>[number]

export const contact = z.looseObject({
  name: filledText.optional(),
  email: email.optional(),
  phone: filledText.optional(),
  domain: domainName.optional(),
})

export const localisedNames = listOf(
  mapOf(filledText).refine(
    (name) => Object.keys(name).length === 1,
    'This must have exactly one language and its name, such as {"en": "Example"}.',
  ),
  { min: 1 },
)

export const trademarks = listOf(
  z.looseObject({
    registry: filledText,
    number: filledText,
    mark: filledText,
    status: z.enum(['active', 'pending', 'abandoned', 'cancelled', 'expired']).optional(),
    license_type: z.enum(['owned', 'licensed_in', 'licensed_out']).optional(),
    countries: listOf(manifestCountry).optional(),
  }),
)

/** `agents[]`: each URL once, since key discovery finds an agent by its exact URL (spec 5). */
export function agentList(allowHttp: boolean) {
  const entry = z.looseObject({
    type: z.enum(AGENT_TYPES),
    url: secureUrl(allowHttp),
    id: localId,
    description: z.string().optional(),
    jwks_uri: secureUrl(allowHttp).optional(),
    countries: listOf(manifestCountry).optional(),
  })
  return listOf(entry, { min: 1 }).check(noRepeats('url', ({ url }) => urlKey(url)))
}

/** `{url, id}`, the older way to name one agent. */
export function namedAgent(allowHttp: boolean) {
  return z.looseObject({ url: secureUrl(allowHttp), id: localId })
}

/** The fields of a brand; only `id` and `names` are required. */
export function brandFields(allowHttp: boolean) {
  return {
    id: localId,
    names: localisedNames,
    url: manifestWebUrl.optional(),
    description: z.string().optional(),
    keller_type: z.enum(['master', 'sub_brand', 'endorsed', 'independent']).optional(),
    parent_brand: localId.optional(),
    industry: z.string().optional(),
    industries: listOf(z.string()).optional(),
    target_audience: z.string().optional(),
    logos: listOf(logo).optional(),
    colors: colours.optional(),
    fonts: fonts.optional(),
    tone: tone.optional(),
    tagline: z.string().optional(),
    assets: listOf(asset).optional(),
    properties: listOf(property).optional(),
    product_catalog: productCatalog.optional(),
    privacy_policy_url: manifestWebUrl.optional(),
    disclaimers: listOf(z.looseObject({ text: filledText })).optional(),
    voice_synthesis: z.looseObject({}).optional(),
    avatar: z.looseObject({}).optional(),
    visual_guidelines: z.looseObject({}).optional(),
    trademarks: trademarks.optional(),
    agents: agentList(allowHttp).optional(),
    brand_agent: namedAgent(allowHttp).optional(),
    rights_agent: namedAgent(allowHttp).optional(),
    contact: contact.optional(),
  }
}

const pixels = z.int().positive()

const logo = z.looseObject({
  url: manifestWebUrl,
  orientation: z.enum(['square', 'horizontal', 'vertical', 'stacked']).optional(),
  background: z.enum(['dark-bg', 'light-bg', 'transparent-bg']).optional(),
  variant: z.enum(['primary', 'secondary', 'icon', 'wordmark', 'full-lockup']).optional(),
  tags: listOf(z.string()).optional(),
  width: pixels.optional(),
  height: pixels.optional(),
})

const colours = z.looseObject({
  primary: colourValue.optional(),
  secondary: colourValue.optional(),
  accent: colourValue.optional(),
  background: colourValue.optional(),
  text: colourValue.optional(),
  heading: colourValue.optional(),
  body: colourValue.optional(),
  label: colourValue.optional(),
  border: colourValue.optional(),
  divider: colourValue.optional(),
  surface_1: colourValue.optional(),
  surface_2: colourValue.optional(),
})

const fontFamily = z.union([filledText, z.looseObject({})], {
  error: 'This must be the name of a font family, or an object that describes it.',
})

const fonts = z.looseObject({
  primary: fontFamily.optional(),
  secondary: fontFamily.optional(),
  font_urls: listOf(manifestWebUrl).optional(),
})

const tone = z.union(
  [
    z.string(),
    z.looseObject({
      voice: z.string().optional(),
      attributes: listOf(z.string()).optional(),
      dos: listOf(z.string()).optional(),
      donts: listOf(z.string()).optional(),
    }),
  ],
  {
    error:
      'This must be a string, or an object whose voice is a string and whose attributes, dos and donts are lists of strings.',
  },
)

const asset = z.looseObject({
  asset_id: filledText,
  asset_type: openWord,
  url: manifestWebUrl,
  tags: listOf(z.string()).optional(),
  width: pixels.optional(),
  height: pixels.optional(),
})

const property = z.looseObject({
  type: openWord,
  identifier: filledText,
  store: openWord.optional(),
  region: z
    .string()
    .regex(/^(?:[A-Z]{2}|global)$/, 'This must be a country code such as US, or global.')
    .optional(),
  primary: z.boolean().optional(),
  relationship: z.enum(['owned', 'direct', 'delegated', 'ad_network']).optional(),
})

const productCatalog = z.looseObject({
  feed_url: manifestWebUrl,
  feed_format: openWord.optional(),
  categories: listOf(z.string()).optional(),
  last_updated: timestamp.optional(),
})
