// `seed_creative_format`: formats of a caller's own, beside those of the catalogue. All of them are found; who asks for
// the formats of an account that is not there, as graders do to be alone, is listed the seeded ones and no others.

import type { FormatCatalogue } from '../creative/format-catalogue.ts'
import { addressedTo } from '../creative/format-catalogue.ts'
import { readFormatFile } from '../creative/format-file.ts'
import { isOwnAgentUrl } from '../protocol/agent-url.ts'
import type { Format } from '../protocol/schemas/format.ts'
import { type Fixture, invalidFixture, type SeedKind } from './seeds.ts'
import type { SandboxStore } from './store.ts'

/** Wakes the other instances when a format was seeded. */
export const FORMATS_TOPIC = 'sandbox.formats'

export interface SeededFormats {
  seed: SeedKind
  /** The catalogue, and what was seeded. */
  over(catalogue: FormatCatalogue): FormatCatalogue
  /** What one caller has seeded, as a catalogue; undefined when that is nothing. */
  of(owner: string): FormatCatalogue | undefined
  /** Reads what all instances have seeded. */
  refresh(): Promise<void>
}

export function createSeededFormats({ notes }: { notes: SandboxStore }): SeededFormats {
  const byOwner = new Map<string, Map<string, Format>>()
  const keep = (owner: string, format: Format) => {
    const own = byOwner.get(owner) ?? new Map<string, Format>()
    byOwner.set(owner, own.set(format.format_id.id, format))
  }
  const seeded = (id: string): Format | undefined => {
    for (const own of byOwner.values()) if (own.has(id)) return own.get(id)
    return undefined
  }
  return {
    seed: {
      name: 'seed_creative_format',
      ids: ['format_id'],
      put: async (tx, { ids: { format_id = '' }, fixture }, { owner }) => {
        const format = formatOf(format_id, fixture)
        await notes.put(tx, { owner, kind: 'format', name: format_id }, fixture)
        await tx.wake(FORMATS_TOPIC)
        keep(owner, format)
      },
    },
    over: (catalogue) => ({
      formats: catalogue.formats,
      aliases: catalogue.aliases,
      find: (formatId, ownAgentUrls) => {
        const found = catalogue.find(formatId, ownAgentUrls)
        if (found.ok || found.reason !== 'unknown_id') return found
        const format = seeded(formatId.id)
        return format ? { ok: true, format: addressedTo(formatId.agent_url, format) } : found
      },
    }),
    of: (owner) => {
      const own = byOwner.get(owner)
      return own && catalogueOf(own)
    },
    refresh: async () => {
      for (const { owner, name, value } of await notes.list('format', { limit: 10_000 })) {
        keep(owner, formatOf(name, value as Fixture))
      }
    },
  }
}

function catalogueOf(formats: ReadonlyMap<string, Format>): FormatCatalogue {
  return {
    formats: [...formats.values()],
    aliases: new Map(),
    find: ({ agent_url, id }, ownAgentUrls) => {
      const format = isOwnAgentUrl(agent_url, ownAgentUrls) ? formats.get(id) : undefined
      if (format) return { ok: true, format: addressedTo(agent_url, format) }
      return { ok: false, reason: 'unknown_id', message: `there is no format ${id} here` }
    },
  }
}

const IMAGE_SLOT = { asset_id: 'image', asset_type: 'image', required: true }
const SIZE = [{ role: 'primary', dimensions: { width: 300, height: 250 } }]

function formatOf(id: string, { name = id, type = 'display', assets, renders }: Fixture): Format {
  const one = { id, name, type, assets: assets ?? [IMAGE_SLOT], renders: renders ?? SIZE }
  const { formats, faults } = readFormatFile(Buffer.from(JSON.stringify({ formats: [one] })))
  const [format] = formats
  if (!format) throw invalidFixture(faults)
  return format
}
