// What the creative agent can build, check and preview, as defined by 3.2: one capability for each format with a
// canonical kind, named after the format's shortest name (spec 4.5).

import { ProtocolError } from '../../protocol/errors.ts'
import type { Format } from '../../protocol/schemas/format.ts'
import type { FormatId } from '../../protocol/schemas/format-id.ts'
import { addressedTo, type FormatCatalogue } from '../format-catalogue.ts'
import { takesDimensions } from '../renders.ts'
import { type Declaration, declarationOf } from './declaration.ts'

const OPERATIONS = ['build', 'validate', 'preview'] as const
export type Operation = (typeof OPERATIONS)[number]

export interface Capability {
  capability_id: string
  format: Format
  operations: readonly Operation[]
}

export interface CreativeCapabilities {
  /** For the capabilities of the agent; an image first, since readers look at its slots. */
  declared(publicUrl: string): {
    supported_formats: readonly {
      capability_id: string
      format: Declaration
      operations: readonly string[]
    }[]
    preview: { routes: readonly { capability_id: string; rendering_origin: string }[] }
  }
  /** In the order of the catalogue. */
  all: readonly Capability[]
  byId(capabilityId: string): Capability | undefined
  /**
   * Throws FORMAT_NOT_SUPPORTED, with the given field, for a capability that does not exist or does not support the
   * operation.
   */
  find(capabilityId: string, field: string, operation?: Operation): Capability
}

const known = new WeakMap<FormatCatalogue, CreativeCapabilities>()

/** Computed once: a catalogue does not change. */
export function capabilitiesOf(catalogue: FormatCatalogue): CreativeCapabilities {
  const before = known.get(catalogue)
  if (before) return before
  const made = createCapabilities(catalogue)
  known.set(catalogue, made)
  return made
}

function createCapabilities(catalogue: FormatCatalogue): CreativeCapabilities {
  const names = shortNames(catalogue)
  const all = catalogue.formats.flatMap((format): Capability[] => {
    if (!declarationOf(format)) return []
    const { id } = format.format_id
    return [{ capability_id: names.get(id) ?? id, format, operations: operationsOf(format) }]
  })
  const byId = new Map(all.map((one) => [one.capability_id, one]))
  const isImage = ({ format }: Capability) =>
    format.assets.some((slot) => slot.item_type === 'individual' && slot.asset_type === 'image')
  const rank = (one: Capability) => (one.operations.includes('build') ? 0 : 2) + +!isImage(one)
  const ordered = [...all].sort((a, b) => rank(a) - rank(b))
  return {
    declared: (publicUrl) => ({
      supported_formats: ordered.flatMap(({ capability_id, format, operations }) => {
        const declared = declarationOf(addressedTo(publicUrl, format))
        return declared ? [{ capability_id, format: declared, operations }] : []
      }),
      preview: {
        routes: ordered
          .filter(({ operations }) => operations.includes('preview'))
          .map(({ capability_id }) => ({
            capability_id,
            rendering_origin: 'agent_approximation',
          })),
      },
    }),
    all,
    byId: (capabilityId) => byId.get(capabilityId),
    find: (capabilityId, field, operation) => {
      const found = byId.get(capabilityId)
      if (found && (!operation || found.operations.includes(operation))) return found
      const message = found
        ? `${capabilityId} is of any size, so it does not ${operation}: name its format with width and height`
        : `there is no capability ${capabilityId} here: the capabilities list those there are`
      throw new ProtocolError('FORMAT_NOT_SUPPORTED', message, { field })
    },
  }
}

/** A capability states no size, so a format of any size can only be checked against a manifest that has one. */
function operationsOf(format: Format): readonly Operation[] {
  return takesDimensions(format) ? ['validate'] : OPERATIONS
}

/** The id that a capability means. */
export function formatIdOf({ format }: Capability, agentUrl: string): FormatId {
  return { ...format.format_id, agent_url: agentUrl }
}

/** The shortest alias without a size or length of its own. */
function shortNames({ aliases }: FormatCatalogue): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const [name, { id, width, height, duration_ms }] of aliases) {
    if (width ?? height ?? duration_ms) continue
    const known = names.get(id)
    if (name.length < (known ?? id).length) names.set(id, name)
  }
  return names
}
