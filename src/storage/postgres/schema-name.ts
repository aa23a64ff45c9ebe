// The schema in which Adwire keeps its tables on PostgreSQL, and what else is named after it: the channel of its
// notifications and its advisory locks. So two schemas in one database share nothing.

export const DEFAULT_SCHEMA = 'adwire'

/** Short enough for the channel, whose name may have 63 bytes. */
const MAX_SCHEMA_CHARS = 48

/** What is wrong with a name of a schema, as the end of a sentence; undefined when nothing is. */
export function schemaFault(name: string): string | undefined {
  if (!/^[a-z_][a-z0-9_]*$/.test(name) || name.length > MAX_SCHEMA_CHARS) {
    return `must be lower-case letters, digits and _, not beginning with a digit, at most ${MAX_SCHEMA_CHARS} characters (got ${JSON.stringify(name.slice(0, 80))})`
  }
  if (name === 'public' || name === 'information_schema' || name.startsWith('pg_')) {
    return `must be a schema of Adwire's own, such as ${DEFAULT_SCHEMA} (got ${JSON.stringify(name)})`
  }
  return undefined
}

/** Throws a TypeError for a name that no schema of Adwire can have. */
export function checkSchema(name: string): string {
  const fault = schemaFault(name)
  if (fault !== undefined) throw new TypeError(`schema ${fault}`)
  return name
}

/** Where the instances on a schema listen. */
export function channelOf(schema: string): string {
  return `adwire:${schema}`
}

export function lockNameOf(schema: string, name: string): string {
  return `adwire:${schema}:${name}`
}
