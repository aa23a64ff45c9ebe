// Converts between database rows and records: an undefined member of a record is NULL in the database.

export type Nullable<T> = {
  [K in keyof T]: undefined extends T[K] ? Exclude<T[K], undefined> | null : T[K]
}

/** Written as a loop, since lists call it thousands of times. */
export function withoutNulls<T>(row: Nullable<T>): T {
  const kept: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(row as Record<string, unknown>)) {
    kept[key] = value ?? undefined
  }
  return kept as T
}
