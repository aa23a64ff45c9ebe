/** Makes the members of `T` that may be undefined optional. */
type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/**
 * Keeps only the members that have a value: an optional member is either set or absent, and never `undefined`. `{ id,
 * ...defined({ note }) }` replaces `{ id, ...(note === undefined ? {} : { note }) }`.
 */
export function defined<const T extends object>(members: T): Defined<T> {
  const kept: Record<string, unknown> = {}
  for (const key of Object.keys(members)) {
    const value = (members as Record<string, unknown>)[key]
    if (value !== undefined) kept[key] = value
  }
  return kept as Defined<T>
}
