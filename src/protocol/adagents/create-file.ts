// Creates an adagents.json from its parts. Unknown members are omitted. An entry without an authorization type gets
// the one implied by its other members, or all properties of the file. The content of the parts is checked like any
// other file, by `check-file.ts`.

/** Members of a file that are copied unchanged, in the order of the file. */
const TAKEN = [
  'contact',
  'authorized_agents',
  'properties',
  'placements',
  'placement_tags',
  'collections',
  'formats',
  'signals',
  'signal_tags',
  'tags',
  'revoked_publisher_domains',
  'catalog_etag',
] as const

/** Members that are allowed in a file that authorizes no one. */
const CATALOGUE = ['properties', 'placements', 'collections', 'formats', 'signals'] as const

export interface CreateOptions {
  /** ISO 8601; undefined to omit `last_updated`. */
  timestamp: string | undefined
  /** Undefined to leave `$schema` out. */
  schemaUrl: string | undefined
}

export type CreatedFile =
  | {
      ok: true
      document: Record<string, unknown>
      text: string
      /** Pointers of members that an entry requires, that are missing and that cannot be derived from the rest. */
      missing: ReadonlySet<string>
    }
  | { ok: false; error: string }

export function createAdagents(
  parts: Readonly<Record<string, unknown>>,
  { timestamp, schemaUrl }: CreateOptions,
): CreatedFile {
  const given = new Map(Object.entries(parts))
  const agents = given.get('authorized_agents')
  if (!Array.isArray(agents)) {
    return { ok: false, error: 'authorized_agents must be a list of agents' }
  }
  const hasCatalogue = CATALOGUE.some((name) => {
    const list = given.get(name)
    return Array.isArray(list) && list.length > 0
  })
  if (agents.length === 0 && !hasCatalogue) {
    const error = `authorized_agents is empty: give at least one agent, or an entry in one of ${CATALOGUE.join(', ')}`
    return { ok: false, error }
  }
  const entries = agents.map((entry) => withType(entry, given.get('properties')))
  given.set('authorized_agents', entries)
  const document: Record<string, unknown> = {
    ...(schemaUrl === undefined ? {} : { $schema: schemaUrl }),
    ...Object.fromEntries(
      TAKEN.filter((name) => given.get(name) !== undefined).map((name) => [name, given.get(name)]),
    ),
    ...(timestamp === undefined ? {} : { last_updated: timestamp }),
  }
  const text = `${JSON.stringify(document, null, 2)}\n`
  return { ok: true, document, text, missing: missingOf(entries) }
}

/** Each kind of authorization, with its required member. */
const NEEDED = new Map([
  ['property_ids', 'property_ids'],
  ['property_tags', 'property_tags'],
  ['inline_properties', 'properties'],
  ['publisher_properties', 'publisher_properties'],
  ['signal_ids', 'signal_ids'],
  ['signal_tags', 'signal_tags'],
])

function withType(entry: unknown, properties: unknown): unknown {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return entry
  const fields = new Map(Object.entries(entry))
  if (fields.get('authorization_type') !== undefined) return entry
  const types = [...NEEDED].flatMap(([type, member]) => (fields.has(member) ? [type] : []))
  if (types.length > 1) return entry
  if (types[0] !== undefined) return { ...entry, authorization_type: types[0] }
  const ids = (Array.isArray(properties) ? properties : []).flatMap((one: unknown) => {
    const id = (one as { property_id?: unknown } | null)?.property_id
    return typeof id === 'string' ? [id] : []
  })
  if (ids.length === 0) return entry
  return { ...entry, authorization_type: 'property_ids', property_ids: [...new Set(ids)] }
}

function missingOf(entries: readonly unknown[]): Set<string> {
  const missing = entries.flatMap((entry, n) =>
    ['authorization_type', 'authorized_for']
      .filter((member) => (entry as Record<string, unknown> | null)?.[member] === undefined)
      .map((member) => `/authorized_agents/${n}/${member}`),
  )
  return new Set(missing)
}
