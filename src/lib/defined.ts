/** Makes the members of `T` that may be undefined optional. */
type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/**
 * Keeps only the members that have a value: an optional member is either set or absent, and never `undefined`. `{ id,
 * ...defined({ note }) }` replaces `{ id, ...(note === undefined ? {} : { note }) }`.
 */
export function defined<const T extends object>(members: T): Defined<T> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as Defined<T>
}
