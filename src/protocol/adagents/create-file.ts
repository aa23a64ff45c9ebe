// Makes an adagents.json from its parts. Members that the format does not have are left out, and none is made up; what
// the parts say is checked as any other file is, by `check-file.ts`.

/** Members of a file that are taken as they are, in the order of the file. */
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

/** Members that are allowed in a file that authorizes nobody. */
const CATALOGUE = ['properties', 'placements', 'collections', 'formats', 'signals'] as const

export interface CreateOptions {
  /** ISO 8601; undefined to leave `last_updated` out. */
  timestamp: string | undefined
  /** Undefined to leave `$schema` out. */
  schemaUrl: string | undefined
}

export type CreatedFile =
  | { ok: true; document: Record<string, unknown>; text: string }
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
  const document: Record<string, unknown> = {
    ...(schemaUrl === undefined ? {} : { $schema: schemaUrl }),
    ...Object.fromEntries(
      TAKEN.filter((name) => given.get(name) !== undefined).map((name) => [name, given.get(name)]),
    ),
    ...(timestamp === undefined ? {} : { last_updated: timestamp }),
  }
  return { ok: true, document, text: `${JSON.stringify(document, null, 2)}\n` }
}
