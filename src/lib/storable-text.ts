// Text that every database can store. PostgreSQL cannot store NUL or an unpaired surrogate; SQLite can, but both
// follow the stricter rule. An identifier that cannot be stored matches nothing: it is refused on writes, and finds
// nothing on reads.

export function isStorable(text: string): boolean {
  return !/\0|\p{Surrogate}/u.test(text)
}

/** The text with unstorable characters marked: for text that is stored to be read, not to be searched. */
export function storable(text: string): string {
  return text.replace(/\0|\p{Surrogate}/gu, '\ufffd')
}
