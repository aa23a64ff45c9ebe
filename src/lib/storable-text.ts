// Text that every database can hold. PostgreSQL keeps no NUL, and no half of a surrogate pair; SQLite
// may, so both are held to the stricter of the two. What names a thing and is not storable names
// nothing: it is refused where it would be kept, and finds nothing where it is sought.

export function isStorable(text: string): boolean {
  return !/\0|\p{Surrogate}/u.test(text)
}

/** The text with what cannot be stored marked: for what is kept to be read, not to be found. */
export function storable(text: string): string {
  return text.replace(/\0|\p{Surrogate}/gu, '\ufffd')
}
