// What the creative agent can build, check and preview, as 3.2 has it: one capability for each format with a canonical
// kind, named by the format's shortest name (spec 4.5).

import type { z } from 'zod'
import { ProtocolError } from '../../protocol/errors.ts'
import type {
  SentCreativeManifest,
  sentCreativeManifest,
} from '../../protocol/schemas/creative-manifest.ts'
import type { Format } from '../../protocol/schemas/format.ts'
import type { FormatId } from '../../protocol/schemas/format-id.ts'
import { addressedTo, type FormatCatalogue } from '../format-catalogue.ts'
import { canonicalNames, type Declaration, declarationOf } from './declaration.ts'

const OPERATIONS = ['build', 'validate', 'preview'] as const

export interface Capability {
  capability_id: string
  format: Format
}

export interface CreativeCapabilities {
  /** For the capabilities of the agent; an image first, whose slots readers look at. */
  declared(publicUrl: string): {
    supported_formats: readonly {
      capability_id: string
      format: Declaration
      operations: readonly string[]
    }[]
    preview: { routes: readonly { capability_id: string; rendering_origin: string }[] }
  }
  byId(capabilityId: string): Capability | undefined
  /** Throws FORMAT_NOT_SUPPORTED, by the field that names it. */
  find(capabilityId: string, field: string): Capability
}

const known = new WeakMap<FormatCatalogue, CreativeCapabilities>()

/** Made once: a catalogue does not change. */
export function capabilitiesOf(catalogue: FormatCatalogue): CreativeCapabilities {
  const before = known.get(catalogue)
  if (before) return before
  const made = createCapabilities(catalogue)
  known.set(catalogue, made)
  return made
}

function createCapabilities(catalogue: FormatCatalogue): CreativeCapabilities {
  const names = shortNames(catalogue)
  const all = catalogue.formats.flatMap((format) => {
    if (!declarationOf(format)) return []
    return [{ capability_id: names.get(format.format_id.id) ?? format.format_id.id, format }]
  })
  const byId = new Map(all.map((one) => [one.capability_id, one]))
  const isImage = ({ format }: Capability) =>
    format.assets.some((slot) => slot.item_type === 'individual' && slot.asset_type === 'image')
  const ordered = [...all.filter(isImage), ...all.filter((one) => !isImage(one))]
  return {
    declared: (publicUrl) => ({
      supported_formats: ordered.flatMap(({ capability_id, format }) => {
        const declared = declarationOf(addressedTo(publicUrl, format))
        return declared ? [{ capability_id, format: declared, operations: OPERATIONS }] : []
      }),
      preview: {
        routes: ordered.map(({ capability_id }) => ({
          ...{ capability_id, rendering_origin: 'agent_approximation' },
        })),
      },
    }),
    byId: (capabilityId) => byId.get(capabilityId),
    find: (capabilityId, field) => {
      const found = byId.get(capabilityId)
      if (found) return found
      const message = `there is no capability ${capabilityId} here: the capabilities list those there are`
      throw new ProtocolError('FORMAT_NOT_SUPPORTED', message, { field })
    },
  }
}

/** The id that a capability means. */
export function formatIdOf({ format }: Capability, agentUrl: string): FormatId {
  return { ...format.format_id, agent_url: agentUrl }
}

/** A manifest by its canonical kind: slots by their canonical names, and no format_id. */
export function inCanonicalWords(
  { format_id: _id, assets, ...others }: SentCreativeManifest,
  format: Format,
): z.infer<typeof sentCreativeManifest> {
  const names = canonicalNames(format)
  const renamed = Object.entries(assets).map(([name, asset]) => [names.get(name) ?? name, asset])
  const { format_kind } = declarationOf(format) ?? { format_kind: 'custom' }
  return { ...others, format_kind, assets: Object.fromEntries(renamed) }
}

/** The shortest alias that says no size or length of its own. */
function shortNames({ aliases }: FormatCatalogue): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const [name, { id, width, height, duration_ms }] of aliases) {
    if (width ?? height ?? duration_ms) continue
    const known = names.get(id)
    if (name.length < (known ?? id).length) names.set(id, name)
  }
  return names
}
