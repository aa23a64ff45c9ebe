// The members of every asset type in both generations (spec 2.4). Members that types share are one schema, so that an
// asset without its type can be validated against all of them. Addresses are unrestricted strings: they may contain
// macros or data, and which schemes are allowed is checked with the format.

import { z } from 'zod'
import { atLeastOne, count, isoTime, text } from './common.ts'
import { offering, promotedOfferingsShape } from './promoted-offerings.ts'

const url = z.string().min(1).describe('URL; macros such as {CLICK_URL} are allowed.')
const content = z.string().describe('The text, markup, script or tag itself.')
const width = atLeastOne.describe('Width in pixels.').optional()
const height = atLeastOne.describe('Height in pixels.').optional()
const durationMs = count.describe('Length in milliseconds.').optional()
const format = z.string().describe('File format, by its older name.').optional()
const word = z.string().optional()
const language = z.string().describe('BCP 47 language.').optional()
const address = z.string().min(1).optional()
const whole = z.int().optional()
const kbps = atLeastOne.optional()
const decibel = z.number().optional()
const macroNames = z.array(z.string()).optional()
const description = z.string().describe('What it is for.').optional()
const events = z.array(z.string()).describe('Tracking events it carries.').optional()
const offset = z
  .string()
  .regex(/^(\d{2}:[0-5]\d:[0-5]\d(\.\d{3})?|(100|\d{1,2})%)$/, 'Give a time or a percentage.')
  .optional()
const target = z.string().describe('linear, non_linear or companion.').optional()
const accessibility = z
  .looseObject({})
  .describe('How it serves people with disabilities.')
  .optional()
const delivery = z
  .enum(['url', 'inline'])
  .describe('Whether the tag is at url or in content.')
  .optional()

const file = { url, file_size_bytes: atLeastOne.optional(), container_format: word, format }
const playable = {
  duration_ms: durationMs,
  bitrate_kbps: kbps,
  captions_url: address,
  transcript_url: address,
  audio_description_url: address,
}
const vast = {
  delivery_type: delivery,
  vast_version: word,
  vpaid_enabled: z.boolean().optional(),
  tracking_events: events,
}
const daast = {
  delivery_type: delivery,
  daast_version: word,
  companion_ads: z.boolean().optional(),
  tracking_events: events,
}
/** A video or audio asset may itself be a tag, so neither member is required by its shape. */
const fileOrTag = { ...file, url: url.optional(), content: content.optional() }

export const ASSET_SHAPES = {
  image: { ...file, width, height, alt_text: word },
  video: {
    ...fileOrTag,
    ...playable,
    ...vast,
    width,
    height,
    video_codec: word,
    video_bitrate_kbps: kbps,
    frame_rate: z.union([z.string(), z.number()]).optional(),
    has_audio: z.boolean().optional(),
    audio_codec: word,
    audio_bitrate_kbps: kbps,
    audio_sampling_rate_hz: whole,
  },
  audio: {
    ...fileOrTag,
    ...playable,
    ...daast,
    codec: word,
    sampling_rate_hz: whole,
    channels: word,
    loudness_lufs: decibel,
    true_peak_dbfs: decibel,
  },
  vast: { ...playable, ...vast, url: url.optional(), content: content.optional() },
  daast: { ...playable, ...daast, url: url.optional(), content: content.optional() },
  text: { content, language },
  markdown: { content, language, markdown_flavor: word, allow_raw_html: z.boolean().optional() },
  html: { content, version: word, accessibility },
  css: { content, media: word },
  javascript: { content, module_type: word, accessibility },
  url: { url, url_type: word, description },
  webhook: {
    url,
    method: word,
    timeout_ms: z.int().min(10).max(5000).optional(),
    supported_macros: macroNames,
    required_macros: macroNames,
    response_type: word,
    security: z.looseObject({}).optional(),
  },
  zip: { ...file, entry_point: word, backup_image_url: address, digest: word, accessibility },
  brief: {
    name: text(500),
    objective: word,
    tone: word,
    messaging: z.unknown().optional(),
    reference_assets: z.array(z.unknown()).optional(),
    compliance: z
      .looseObject({})
      .describe('Disclosures it needs, claims it must not make.')
      .optional(),
  },
  catalog: {
    catalog_id: word,
    items: z.array(z.unknown()).max(1000).optional(),
    offerings: z.array(offering).max(100).optional(),
  },
  card: {
    media: z.looseObject({}).describe('An image or video asset.').optional(),
    headline: word,
    description,
    cta: word,
    landing_page_url: z.union([z.string(), z.looseObject({})]).optional(),
  },
  published_post: {
    post_url: address,
    platform: word,
    platform_post_id: word,
    published_at: isoTime.optional(),
  },
  pixel_tracker: { url, event: word, method: word, custom_event_name: word },
  vast_tracker: { url, vast_event: word, offset, target },
  daast_tracker: { url, daast_event: word, offset, target },
  promoted_offerings: promotedOfferingsShape,
} satisfies Record<string, Record<string, z.ZodType>>

export type AssetType = keyof typeof ASSET_SHAPES
export const ASSET_TYPES = Object.keys(ASSET_SHAPES) as [AssetType, ...AssetType[]]

/** At least one of these members is required. */
export const ASSET_NEEDS_ONE: Partial<Record<AssetType, readonly string[]>> = {
  video: ['url', 'content'],
  audio: ['url', 'content'],
  vast: ['url', 'content'],
  daast: ['url', 'content'],
  published_post: ['post_url', 'platform_post_id'],
}
