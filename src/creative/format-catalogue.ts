// The single catalogue of formats used for listing, building, previewing and checking (spec 2.2, 2.3): the project's
// own files and the operator's folders, read and checked once, at startup.

import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defined } from '../lib/defined.ts'
import { isOwnAgentUrl } from '../protocol/agent-url.ts'
import type { Format } from '../protocol/schemas/format.ts'
import type { FormatId } from '../protocol/schemas/format-id.ts'
import { concreteFormat } from './concrete-format.ts'
import { type FormatAlias, readFormatFile } from './format-file.ts'
import { nearFormats } from './near-formats.ts'

export interface FormatCatalogue {
  /** In file order, without an agent URL: see `addressedTo`. */
  formats: readonly Format[]
  aliases: ReadonlyMap<string, FormatAlias>
  /**
   * The format that an id refers to, by its name or an alias, with size and length filled in as far as the id gives
   * them. `ownAgentUrls` are the URLs of this server; `*` among them matches any.
   */
  find(formatId: FormatId, ownAgentUrls: readonly string[]): FoundFormat
}

/** The id of the format has the requested agent URL and the name from the catalogue. */
export type FoundFormat =
  | { ok: true; format: Format }
  | { ok: false; reason: 'foreign_agent' | 'unknown_id' | 'bad_parameters'; message: string }

export type LoadedCatalogue =
  | { ok: true; catalogue: FormatCatalogue }
  | { ok: false; faults: string[] }

export interface CatalogueOptions {
  /** Folders whose `*.json` files add formats and aliases, or replace those of the same id. Default none. */
  extraDirs?: readonly string[]
  /**
   * A folder of this program. Its formats precede those, and replace built-in ones with the same id. Default none.
   */
  ownDir?: string | undefined
  /** Whether the built-in formats of this program are included. Default true. */
  hasBuiltIn?: boolean
}

const OWN_DIR = fileURLToPath(new URL('./formats/', import.meta.url))
const OWN_FILES = ['display', 'video', 'audio', 'dooh', 'native', 'aliases']

/** Reports every error, with its file and format. If an operator uses an id twice, that is an error. */
export function loadCatalogue({
  extraDirs = [],
  ownDir,
  hasBuiltIn = true,
}: CatalogueOptions = {}): LoadedCatalogue {
  const faults: string[] = []
  const paths = hasBuiltIn ? OWN_FILES.map((name) => join(OWN_DIR, `${name}.json`)) : []
  if (ownDir !== undefined && hasBuiltIn) paths.push(...jsonFilesOf(ownDir, faults))
  for (const dir of extraDirs) paths.push(...jsonFilesOf(dir, faults))

  const formats = new Map<string, Placed<Format>>()
  const aliases = new Map<string, Placed<FormatAlias>>()
  for (const path of paths) {
    const rank = path.startsWith(OWN_DIR) ? 0 : ownDir && path.startsWith(ownDir) ? 1 : 2
    const file = rank < 2 ? basename(path) : path
    const read = readPath(path)
    faults.push(...read.faults.map((fault) => `${file}: ${fault}`))
    for (const format of read.formats)
      add(formats, format.format_id.id, { file, rank, value: format })
    for (const [name, alias] of read.aliases) add(aliases, name, { file, rank, value: alias })
  }
  function add<T>(to: Map<string, Placed<T>>, id: string, placed: Placed<T>): void {
    const earlier = formats.get(id) ?? aliases.get(id)
    if (earlier && placed.rank <= earlier.rank) {
      faults.push(`${placed.file}: format ${id}: ${earlier.file} has one of that name`)
      return
    }
    // The operator's format replaces the built-in one of that name.
    formats.delete(id)
    aliases.delete(id)
    to.set(id, placed)
  }

  faults.push(...danglingNames(formats, aliases))
  if (faults.length > 0) return { ok: false, faults }
  return { ok: true, catalogue: createCatalogue(valuesOf(formats), valuesOf(aliases)) }
}

/** The format as this server sends it: its own id, and the ids of its inputs and outputs, have this server's URL. */
export function addressedTo(agentUrl: string, format: Format): Format {
  const { format_id, input_format_ids, output_format_ids } = format
  const addressed = (id: FormatId) => ({ ...id, agent_url: agentUrl })
  return {
    ...format,
    format_id: addressed(format_id),
    ...defined({
      input_format_ids: input_format_ids ? input_format_ids.map(addressed) : undefined,
      output_format_ids: output_format_ids ? output_format_ids.map(addressed) : undefined,
    }),
  }
}

interface Placed<T> {
  file: string
  /** 0 built in, 1 from this program's folder, 2 from the operator: a higher one replaces a lower one. */
  rank: number
  value: T
}

function jsonFilesOf(dir: string, faults: string[]): string[] {
  try {
    const names = readdirSync(dir).filter((name) => name.endsWith('.json'))
    return names.sort().map((name) => join(dir, name))
  } catch (error) {
    faults.push(`${dir}: cannot be read as a folder (${codeOf(error)})`)
    return []
  }
}

function readPath(path: string): ReturnType<typeof readFormatFile> {
  try {
    return readFormatFile(readFileSync(path))
  } catch (error) {
    return { formats: [], aliases: [], faults: [`cannot be read (${codeOf(error)})`] }
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown'
}

/** Names of formats that are not in the catalogue, and aliases with parameters that their format does not accept. */
function danglingNames(
  formats: ReadonlyMap<string, Placed<Format>>,
  aliases: ReadonlyMap<string, Placed<FormatAlias>>,
): string[] {
  const faults: string[] = []
  for (const [id, { file, value }] of formats) {
    for (const member of ['input_format_ids', 'output_format_ids'] as const) {
      const unknown = (value[member] ?? []).filter((named) => !formats.has(named.id))
      const names = unknown.map((named) => named.id).join(', ')
      if (names) faults.push(`${file}: format ${id}: ${member} names no format: ${names}`)
    }
  }
  for (const [name, { file, value: alias }] of aliases) {
    const format = formats.get(alias.id)?.value
    const made = format && concreteFormat(format, alias)
    if (!made) faults.push(`${file}: alias ${name}: there is no format ${alias.id}`)
    else if (!made.ok) faults.push(`${file}: alias ${name}: ${made.message}`)
  }
  return faults
}

function valuesOf<T>(placed: ReadonlyMap<string, Placed<T>>): Map<string, T> {
  return new Map([...placed].map(([id, { value }]) => [id, value]))
}

function createCatalogue(
  formats: ReadonlyMap<string, Format>,
  aliases: ReadonlyMap<string, FormatAlias>,
): FormatCatalogue {
  return {
    formats: [...formats.values()],
    aliases,
    find: (formatId, ownAgentUrls) => {
      const { agent_url, id } = formatId
      if (!isOwnAgentUrl(agent_url, ownAgentUrls)) {
        const message = `the format belongs to another agent, ${agent_url}: call that agent, or use a format of this one`
        return { ok: false, reason: 'foreign_agent', message }
      }
      const alias = aliases.get(id)
      const named = formats.get(alias?.id ?? id)
      if (!named) {
        const known = [...formats.keys(), ...aliases.keys()]
        const near = nearFormats(id, known, formats.values())
        const message = `unknown format ${id}${near}`
        return { ok: false, reason: 'unknown_id', message }
      }
      // The alias settles its parameters first, so that the id can repeat them but not change them.
      const meant = alias ? concreteFormat(named, alias) : { ok: true as const, format: named }
      const made = meant.ok ? concreteFormat(meant.format, formatId) : meant
      if (!made.ok) return { ok: false, reason: 'bad_parameters', message: made.message }
      return { ok: true, format: addressedTo(agent_url, made.format) }
    },
  }
}
