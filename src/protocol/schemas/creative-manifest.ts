// The creative manifest (spec 2.4): a format and its assets. In requests, both may be missing: a generation may start
// without them, and a preview may give the format separately. In responses, it is complete.

import { z } from 'zod'
import { areSoundAssets, assets, sentAssets } from './assets.ts'
import { hasSound, isObject } from './checks.ts'
import { brandRef, ext, text } from './common.ts'
import { type FormatId, formatId, formatIdFault } from './format-id.ts'

const optionalMembers = {
  promoted_offering: text(500).optional().describe('Name of what is promoted, by its older name.'),
  brand: brandRef.optional().describe('The brand it speaks for.'),
  rights: z.array(z.looseObject({})).optional().describe('Limits on the use of its material.'),
  industry_identifiers: z.array(z.looseObject({})).optional().describe('Ids such as Ad-ID.'),
  provenance: z.looseObject({}).optional().describe('Where it comes from.'),
  ext: ext.optional(),
}

export const creativeManifest = z
  .looseObject({
    format_id: formatId.optional().describe('The format that the manifest targets.'),
    format_kind: z.string().optional().describe('Canonical kind, where there is no format_id.'),
    assets: assets.optional().describe('Assets by the name of their slot.'),
    ...optionalMembers,
  })
  .meta({
    examples: [
      {
        format_id: { agent_url: 'https://ads.example', id: 'display_300x250_image' },
        assets: { headline: { asset_type: 'text', content: 'Summer sale' } },
      },
    ],
  })

const hasSoundMembers = hasSound({ format_kind: z.string().optional(), ...optionalMembers })

/** Whether `creativeManifest` would accept a value unchanged: much faster for valid values. */
export function isSoundManifest(value: unknown): boolean {
  if (!isObject(value)) return false
  const { format_id, assets: given } = value
  return (
    (format_id === undefined || formatIdFault(format_id) === undefined) &&
    (given === undefined || areSoundAssets(given)) &&
    hasSoundMembers(value)
  )
}

export type CreativeManifest = z.infer<typeof creativeManifest>

export const sentCreativeManifest = z.looseObject({
  format_id: formatId.optional().describe('The format that the manifest is made for.'),
  format_kind: z.string().optional().describe('Canonical kind, if a capability was requested.'),
  assets: sentAssets.describe('Assets by the name of their slot, each with its type.'),
  ...optionalMembers,
})
/** As it is built: for a format. */
export type SentCreativeManifest = z.infer<typeof sentCreativeManifest> & { format_id: FormatId }
