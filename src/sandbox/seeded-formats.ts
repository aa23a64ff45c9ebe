// `seed_creative_format`: a caller's own formats, in addition to those of the catalogue. All of them can be found; a
// request for the formats of an account that does not exist, which graders send to be isolated, lists the seeded
// ones and no others.

import { AsyncLocalStorage } from 'node:async_hooks'
import type { FormatCatalogue } from '../creative/format-catalogue.ts'
import { addressedTo } from '../creative/format-catalogue.ts'
import { readFormatFile } from '../creative/format-file.ts'
import type { FindFormat } from '../creative/manifest-check/find-format.ts'
import { createPacer } from '../lib/pacer.ts'
import { isOwnAgentUrl } from '../protocol/agent-url.ts'
import type { Format } from '../protocol/schemas/format.ts'
import type { AnyTask } from '../protocol/task.ts'
import type { SeedCreativePorts } from './seed-creatives.ts'
import { type Fixture, invalidFixture, objectIn, type SeedKind } from './seeds.ts'
import type { SandboxStore } from './store.ts'

/** Wakes the other instances after a format was seeded. */
export const FORMATS_TOPIC = 'sandbox.formats'

const PAGE = 1_000
/** Longer than a transaction that seeds a format: the time is recorded before the commit. */
const SKEW_MS = 10_000

export interface SeededFormats {
  seed: SeedKind
  /** Seeds a format with the slots of a creative, if no format has its id: used by `seed_creative`. */
  seedUnknown(findFormat: FindFormat): NonNullable<SeedCreativePorts['seedUnknown']>
  /** The catalogue plus the seeded formats. */
  over(catalogue: FormatCatalogue): FormatCatalogue
  /** The formats that one caller has seeded, as a catalogue; undefined if there are none. */
  of(owner: string): FormatCatalogue | undefined
  /** The task, in which a format of the caller takes precedence over another tenant's with the same id. */
  calledBy(task: AnyTask): AnyTask
  /** Reads what all instances have seeded since the last read. */
  refresh(): Promise<void>
}

export function createSeededFormats({ notes }: { notes: SandboxStore }): SeededFormats {
  const byOwner = new Map<string, Map<string, Format>>()
  const keep = (owner: string, format: Format) => {
    const own = byOwner.get(owner) ?? new Map<string, Format>()
    byOwner.set(owner, own.set(format.format_id.id, format))
  }
  const caller = new AsyncLocalStorage<string>()
  /** The caller's own before others'. */
  const seeded = (id: string): Format | undefined => {
    const own = byOwner.get(caller.getStore() ?? '')?.get(id)
    if (own) return own
    for (const formats of byOwner.values()) if (formats.has(id)) return formats.get(id)
    return undefined
  }
  let refreshedTo = 0
  const put: SeedKind['put'] = async (tx, { ids: { format_id = '' }, fixture }, { owner }) => {
    const format = formatOf(format_id, fixture)
    await notes.put(tx, { owner, kind: 'format', name: format_id }, fixture)
    await tx.wake(FORMATS_TOPIC)
    keep(owner, format)
  }
  return {
    seed: { name: 'seed_creative_format', ids: ['format_id'], put },
    seedUnknown:
      (findFormat) =>
      async (tx, { formatId: { agent_url, id }, fixture }, call) => {
        const found = findFormat({ agent_url, id }, call.call.calledOn)
        if (found.ok || found.reason !== 'unknown_id') return
        await put(tx, { ids: { format_id: id }, fixture: { assets: slotsOf(fixture) } }, call)
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
    calledBy: (task) => ({
      ...task,
      handle: (request, call) =>
        caller.run(call.principal?.principal_id ?? '', () => task.handle(request, call)),
    }),
    refresh: async () => {
      const pacer = createPacer()
      let since = Math.max(0, refreshedTo - SKEW_MS)
      for (;;) {
        const page = await notes.list('format', { since, limit: PAGE })
        for (const { owner, name, value } of page) {
          // A seeded format never changes.
          if (!byOwner.get(owner)?.has(name)) keep(owner, formatOf(name, value as Fixture))
          if (pacer.isDue()) await pacer.pause()
        }
        const last = page.at(-1)?.noted_at ?? since
        refreshedTo = Math.max(refreshedTo, last)
        if (page.length < PAGE || last === since) return
        since = last
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

/** The slots that a creative's assets fill. */
function slotsOf(fixture: Fixture): object[] {
  return Object.entries(objectIn(fixture, 'assets')).map(([asset_id, asset]) => {
    const { asset_type } = (asset ?? {}) as Fixture
    return { asset_id, asset_type: asset_type ?? 'url', required: false }
  })
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
