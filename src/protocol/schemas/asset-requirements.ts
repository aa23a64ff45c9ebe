// The requirements of a format for the asset in a slot (spec 2.3): by asset type, and extensible, because operators
// add their own formats. Lists of formats and codecs use lower-case names.

import { z } from 'zod'
import type { AssetType } from './asset-shapes.ts'
import { atLeastOne, count, quantity } from './common.ts'
import { mergeShapes } from './merge-shapes.ts'

const size = z.number().gt(0).optional()
const words = z.array(z.string()).optional()
const flag = z.boolean().optional()
const whole = atLeastOne.optional()
const wholes = z.array(atLeastOne).optional()
const ratio = z
  .string()
  .regex(/^\d+(\.\d+)?:\d+(\.\d+)?$/, 'This must be a ratio, such as 16:9.')
  .optional()
const maxLength = whole
const dimensions = { min_width: size, max_width: size, min_height: size, max_height: size }
const length = { min_duration_ms: whole, max_duration_ms: whole }
const bitrate = { min_bitrate_kbps: whole, max_bitrate_kbps: whole }
const file = { formats: words, max_file_size_kb: whole }
const network = { external_resources_allowed: flag, allowed_external_domains: words }
const word = z.string().optional()

const REQUIREMENT_SHAPES = {
  image: {
    ...dimensions,
    ...file,
    unit: word,
    aspect_ratio: ratio,
    min_dpi: whole,
    bleed: z.looseObject({}).optional(),
    color_space: word,
    transparency_required: flag,
    animation_allowed: flag,
    max_animation_duration_ms: count.optional(),
  },
  video: {
    ...dimensions,
    ...file,
    ...length,
    ...bitrate,
    aspect_ratio: ratio,
    containers: words,
    codecs: words,
    frame_rates: z.array(z.number().gt(0)).optional(),
    audio_required: flag,
    audio_codecs: words,
    loudness_lufs: z.number().optional(),
    loudness_tolerance_db: quantity.optional(),
    true_peak_dbfs: z.number().optional(),
  },
  audio: { ...file, ...length, ...bitrate, sample_rates: wholes, channels: words },
  text: {
    min_length: count.optional(),
    max_length: maxLength,
    min_lines: whole,
    max_lines: whole,
    character_pattern: word,
    prohibited_terms: words,
    allowed_values: words,
  },
  markdown: { max_length: maxLength },
  html: { ...network, max_file_size_kb: whole, sandbox: word },
  css: { max_file_size_kb: whole },
  javascript: {
    ...network,
    max_file_size_kb: whole,
    module_type: word,
    strict_mode_required: flag,
  },
  vast: { vast_version: word, ...length },
  daast: { daast_version: word, ...length },
  url: {
    role: word,
    protocols: words,
    allowed_domains: words,
    max_length: maxLength,
    macro_support: flag,
  },
  webhook: { methods: words },
} satisfies Partial<Record<AssetType, Record<string, z.ZodType>>>

type RequirementTypes = keyof typeof REQUIREMENT_SHAPES

/** One schema per asset type that can have requirements. */
export const requirementsOfType = Object.fromEntries(
  Object.entries(REQUIREMENT_SHAPES).map(([type, shape]) => [type, z.looseObject(shape)]),
) as unknown as {
  [T in RequirementTypes]: z.ZodObject<(typeof REQUIREMENT_SHAPES)[T], z.core.$loose>
}

/** Requirements of a slot whose type is given next to them. */
export const assetRequirements: z.ZodType<AssetRequirements> = z.looseObject(
  mergeShapes(Object.values(REQUIREMENT_SHAPES)),
)

export type AssetRequirements = Partial<
  z.infer<(typeof requirementsOfType)['image']> &
    z.infer<(typeof requirementsOfType)['video']> &
    z.infer<(typeof requirementsOfType)['audio']> &
    z.infer<(typeof requirementsOfType)['text']> &
    z.infer<(typeof requirementsOfType)['html']> &
    z.infer<(typeof requirementsOfType)['javascript']> &
    z.infer<(typeof requirementsOfType)['url']> &
    z.infer<(typeof requirementsOfType)['vast']> &
    z.infer<(typeof requirementsOfType)['daast']>
>
