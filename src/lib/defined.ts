/** The members of `T` that may be undefined, as members that may be missing. */
type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/**
 * Those members that have a value: an optional member is there or it is not, and never there as `undefined`.
 * `{ id, ...defined({ note }) }` is what would otherwise be `{ id, ...(note === undefined ? {} : { note }) }`.
 */
export function defined<const T extends object>(members: T): Defined<T> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as Defined<T>
}
