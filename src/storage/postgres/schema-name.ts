// The schema that contains Adwire's tables on PostgreSQL, and what is named after it: the channel of its
// notifications and its advisory locks. So two schemas in one database share nothing.

export const DEFAULT_SCHEMA = 'adwire'

/** Short enough for the channel name, which may have 63 bytes. */
const MAX_SCHEMA_CHARS = 48

/** What is wrong with a schema name, as the end of a sentence; undefined if it is valid. */
export function schemaFault(name: string): string | undefined {
  if (!/^[a-z_][a-z0-9_]*$/.test(name) || name.length > MAX_SCHEMA_CHARS) {
    return `must be lower-case letters, digits and _, not beginning with a digit, at most ${MAX_SCHEMA_CHARS} characters (got ${JSON.stringify(name.slice(0, 80))})`
  }
  if (name === 'public' || name === 'information_schema' || name.startsWith('pg_')) {
    return `must be a schema of Adwire's own, such as ${DEFAULT_SCHEMA} (got ${JSON.stringify(name)})`
  }
  return undefined
}

/** Throws a TypeError for a name that is not allowed for a schema of Adwire. */
export function checkSchema(name: string): string {
  const fault = schemaFault(name)
  if (fault !== undefined) throw new TypeError(`schema ${fault}`)
  return name
}

/** The channel on which the instances of a schema listen. */
export function notificationChannelOf(schema: string): string {
  return `adwire:${schema}`
}

export function lockNameOf(schema: string, name: string): string {
  return `adwire:${schema}:${name}`
}
