// What to generate a creative from (spec 2.4): the brand and its offerings, under both names that offerings can have.

import { z } from 'zod'
import { atLeastOne, text } from './common.ts'

const hexColour = z
  .string()
  .regex(
    /^#(?:[0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$/,
    'This must be a hex colour, such as #0a7 or #00aa77.',
  )

const address = text(2048)

export const brandManifest = z.looseObject({
  url: address.optional().describe('Home of the brand.'),
  name: text(200).optional().describe('Name of the brand.'),
  logos: z
    .array(
      z.looseObject({
        url: z.string().min(1).describe('Where the logo is.'),
        tags: z.array(z.string()).optional().describe('What it is for, such as dark or square.'),
        width: atLeastOne.optional().describe('Width in pixels.'),
        height: atLeastOne.optional().describe('Height in pixels.'),
      }),
    )
    .max(50)
    .optional()
    .describe('Logos.'),
  colors: z
    .looseObject({
      primary: hexColour.optional(),
      secondary: hexColour.optional(),
      accent: hexColour.optional(),
      background: hexColour.optional(),
      text: hexColour.optional(),
    })
    .optional()
    .describe('Colours as #RGB or #RRGGBB; opacity, as in #RRGGBBAA, is ignored.'),
  fonts: z.looseObject({}).optional().describe('Fonts: primary, secondary, font_urls.'),
  tone: text(1000).optional().describe('How the brand speaks.'),
  tagline: text(500).optional().describe('Its tagline.'),
  assets: z.array(z.looseObject({})).max(200).optional().describe('Material of the brand.'),
  product_catalog: z.looseObject({}).optional().describe('Feed of products.'),
  disclaimers: z
    .array(
      z.looseObject({
        text: text(2000).describe('The words.'),
        context: z.string().optional().describe('When they must appear.'),
        required: z.boolean().optional().describe('Whether they must; default true.'),
      }),
    )
    .max(50)
    .optional()
    .describe('Words that must accompany the creative.'),
  industry: text(200).optional().describe('Industry of the brand.'),
  target_audience: text(1000).optional().describe('Whom it addresses.'),
})
export type BrandManifest = z.infer<typeof brandManifest>

const BLANK_NAME = 'name is blank: give the name of what is offered, such as "Trail boots".'

export const offering = z.looseObject({
  name: z.string().max(500).regex(/\S/, BLANK_NAME).describe('What is offered.'),
  description: z.string().max(5000).optional().describe('Points to mention about it.'),
  assets: z.array(z.looseObject({})).max(50).optional().describe('Material for it.'),
})
export type Offering = z.infer<typeof offering>

const offerings = z.array(offering).max(100)

export const promotedOfferingsShape = {
  brand_manifest: z
    .union([brandManifest, address])
    .optional()
    .describe('The brand: an object, or the URL of one.'),
  inline_offerings: offerings.optional().describe('What is offered.'),
  offerings: offerings.optional().describe('The same, under its other name.'),
  product_selectors: z.looseObject({}).optional().describe('Which products of the catalogue.'),
  asset_selectors: z.looseObject({}).optional().describe('Which material of the brand.'),
}

export const promotedOfferings = z.looseObject(promotedOfferingsShape)
export type PromotedOfferings = z.infer<typeof promotedOfferings>
