// A row as a database has it, and as a port promises it: what a record may leave undefined is NULL.

export type Nullable<T> = {
  [K in keyof T]: undefined extends T[K] ? Exclude<T[K], undefined> | null : T[K]
}

export function withoutNulls<T>(row: Nullable<T>): T {
  const entries = Object.entries(row as Record<string, unknown>)
  return Object.fromEntries(entries.map(([key, value]) => [key, value ?? undefined])) as T
}
