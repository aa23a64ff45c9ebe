// build_creative (spec 4.2): generation from minimal input, or transformation of a complete manifest, for one target
// format or for several at once.

import { z } from 'zod'
import { MESSAGE_ROLES } from '../message-roles.ts'
import { withRule } from './checks.ts'
import {
  atLeastOne,
  brandRef,
  currency,
  isoTime,
  money,
  opaqueId,
  quantity,
  text,
} from './common.ts'
import { creativeManifest, sentCreativeManifest } from './creative-manifest.ts'
import { errorList, errorObject } from './error-object.ts'
import { formatId } from './format-id.ts'
import { briefly } from './json-schema.ts'
import {
  creativeQuality,
  macroValues,
  previewInputs,
  previewOutput,
  previewSet,
} from './preview.ts'
import { promotedOfferingsShape } from './promoted-offerings.ts'

export const MAX_MESSAGE_LENGTH = 10_000
const MAX_INSTRUCTIONS = 20
const MAX_AVOIDED = 20

const copy = z
  .strictObject({
    headline: text(150).optional().describe('The headline.'),
    body: text(600).optional().describe('The text below the headline.'),
    cta: text(40).optional().describe('The words on the button.'),
    legal: text(500).optional().describe('The disclaimer.'),
  })
  .refine((members) => Object.values(members).some((words) => words !== undefined), {
    error: 'copy needs at least one of headline, body, cta, legal.',
  })
/** The look that all sizes of a call share; what is omitted is chosen. */
const style = z.strictObject({
  layout: z
    .enum(['aurora', 'mosaic', 'slant', 'rings', 'card', 'frame', 'poster'])
    .optional()
    .describe('The layout of sizes without a photo.'),
  photo: z
    .enum(['bleed', 'split', 'inset', 'wedge', 'round'])
    .optional()
    .describe('How a photo is shown.'),
  ground: z
    .enum(['brand', 'second', 'deep'])
    .optional()
    .describe('The colour that dominates: the first, the second, or the first as a dark one.'),
  scale: z.enum(['calm', 'even', 'loud']).optional().describe('How large headlines are.'),
})
export const MAX_TARGETS = 50

export const buildCreativeRequest = z.looseObject({
  message: text(MAX_MESSAGE_LENGTH)
    .optional()
    .describe(
      'What to make, in natural language. Use copy, instructions and avoid instead to separate them.',
    ),
  copy: copy
    .optional()
    .describe('Words to print, verbatim. Use this rather than quoting them in message.'),
  instructions: z
    .array(text(500))
    .max(MAX_INSTRUCTIONS)
    .optional()
    .describe(
      'What to do, one instruction each, such as "larger logo". Never printed. The capabilities list what can be followed.',
    ),
  avoid: z
    .array(text(80))
    .max(MAX_AVOIDED)
    .optional()
    .describe('Words or subjects that must not appear, such as "cheap" or "prices".'),
  style: z
    .union([style, text(80)])
    .optional()
    .describe(
      'The look that all sizes share: some of its members, or the name that an earlier response has in ext.style.',
    ),
  creative_manifest: creativeManifest
    .optional()
    .describe('Minimal to generate from, complete to transform.'),
  target_format_id: formatId.optional().describe('The format to build.'),
  target_format_ids: z
    .array(formatId)
    .min(1)
    .max(MAX_TARGETS)
    .optional()
    .describe('Several formats to build, all or none.'),
  target_capability_id: opaqueId.optional().describe('The capability to build by, of 3.2.'),
  target_capability_ids: z
    .array(opaqueId)
    .min(1)
    .max(MAX_TARGETS)
    .optional()
    .describe('Several capabilities, all or none.'),
  brand: brandRef.optional().describe('The brand, by the domain of its brand.json.'),
  brand_manifest: promotedOfferingsShape.brand_manifest,
  promoted_offerings: z
    .looseObject(promotedOfferingsShape)
    .optional()
    .describe('The brand and what it offers, when not among the assets.'),
  creative_id: opaqueId.optional().describe('A creative of the library to begin with.'),
  concept_id: opaqueId.optional().describe('The concept it belongs to.'),
  media_buy_id: opaqueId.optional().describe('The media buy it is for.'),
  package_id: opaqueId.optional().describe('The package it is for.'),
  transformer_id: opaqueId.optional().describe('A transformer of the agent.'),
  config: z.looseObject({}).optional().describe('Settings of the transformer.'),
  refine_from_build_variant_id: opaqueId.optional().describe('An earlier build to go on from.'),
  mode: z.enum(['execute', 'estimate']).optional().describe('Default execute.'),
  max_spend: money.optional().describe('Most that it may cost.'),
  max_creatives: atLeastOne.max(1000).optional().describe('Most creatives to build.'),
  max_variants: atLeastOne.max(100).optional().describe('Variants of each, at most 10; default 1.'),
  variant_axis: z.looseObject({}).optional().describe('What the variants differ in.'),
  keep_mode: z.enum(['keep_all', 'keep_one', 'keep_some']).optional().describe('Default keep_all.'),
  quality: creativeQuality.optional().describe('How carefully to build.'),
  item_limit: atLeastOne.max(1000).optional().describe('Most items of a catalogue to use.'),
  include_preview: z.boolean().optional().describe('Whether to preview the result at once.'),
  preview_inputs: previewInputs.optional().describe('Variants to preview.'),
  preview_quality: creativeQuality.optional().describe('How carefully to preview.'),
  preview_output_format: previewOutput
    .optional()
    .describe('Pages to open, markup, or a PNG (image).'),
  macro_values: macroValues.optional().describe('Values to substitute for macros.'),
})
export type BuildCreativeRequest = z.infer<typeof buildCreativeRequest>

const ANSWERS = ['creative_manifest', 'creative_manifests', 'creatives', 'estimate'] as const

const builtVariant = z.strictObject({
  build_variant_id: opaqueId.describe('Names the variant; equal for equal requests.'),
  recipe_hash: z.string().optional().describe('Equal for builds from equal input.'),
  creative_manifest: briefly(sentCreativeManifest, 'The variant, as in creative_manifest.'),
  rank: atLeastOne.optional().describe('1 for what is built without variants.'),
  recommended: z.boolean().optional(),
})

const count = z.int().min(0).optional()

const partOutcome = z.enum([
  'drawn',
  'shortened',
  'omitted',
  'followed',
  'not_supported',
  'not_possible',
  'not_followed',
])

const messagePart = z.strictObject({
  start: z.int().min(0),
  end: z.int().min(0),
  text: z.string(),
  role: z.enum(MESSAGE_ROLES),
  outcome: partOutcome.optional(),
  detail: z.string().optional(),
  differs: z
    .array(
      z.strictObject({
        creative: z.int().min(0).optional(),
        build_variant_id: opaqueId.optional(),
        outcome: partOutcome.optional(),
        detail: z.string().optional(),
      }),
    )
    .optional()
    .describe('Creatives of the answer in which it came out otherwise.'),
})

const builtExt = z.looseObject({
  style: z.string().optional().describe('The name of the look; send it as style to repeat it.'),
  build_notes: z.array(z.string()).optional().describe('What was not done, and why.'),
  message_reading: z
    .array(messagePart)
    .optional()
    .describe('Each part of the message, and what became of it.'),
})

export const buildCreativeResponse = withRule(
  z.strictObject({
    creative_manifest: sentCreativeManifest.optional().describe('The creative, complete.'),
    creative_manifests: z
      .array(briefly(sentCreativeManifest, 'A creative, as in creative_manifest.'))
      .min(1)
      .optional()
      .describe('The creatives, in the order of target_format_ids.'),
    creatives: z
      .array(z.strictObject({ variants: z.array(builtVariant).min(1) }))
      .min(1)
      .optional()
      .describe('In place of the manifests where max_variants is above 1: one for each target.'),
    items_total: count.describe('Targets.'),
    items_returned: count.describe('Targets in the answer.'),
    leaves_total: count.describe('Variants of all targets.'),
    leaves_returned: count.describe('Those in the answer.'),
    keep_mode_applied: z.enum(['keep_all', 'keep_one', 'keep_some']).optional(),
    mode: z.enum(['execute', 'estimate']).optional().describe('The output that was requested.'),
    estimate: z.looseObject({ currency }).optional().describe('What it would cost.'),
    build_variant_id: opaqueId.optional().describe('Names this build to refine it.'),
    recipe_hash: z.string().optional().describe('Equal for builds from equal input.'),
    preview: previewSet.optional().describe('Previews, if requested.'),
    preview_error: errorObject.optional().describe('Why there are none.'),
    pricing_option_id: z.string().optional().describe('How it was priced.'),
    vendor_cost: quantity.optional().describe('What it cost.'),
    currency: currency.optional().describe('Currency of the cost.'),
    consumption: z.looseObject({}).optional().describe('What was used up.'),
    expires_at: isoTime.optional().describe('Until when generated assets are kept.'),
    sandbox: z.boolean().optional(),
    errors: errorList.optional().describe('Warnings.'),
    ext: builtExt.optional(),
  }),
  (members, report) => {
    if (ANSWERS.every((member) => members[member] === undefined)) {
      report(['creative_manifest'], `An answer has ${ANSWERS.join(' or ')}.`, 'required')
    }
  },
)
export type BuildCreativeResponse = z.infer<typeof buildCreativeResponse>
