// Compares release names: 3.10 is later than 3.2, and 3.2-beta.5 counts as the 3.2 that it precedes.

/** Longer numbers do not occur in releases. */
const NAME = /^(\d{1,4})\.(\d{1,4})(?:[.-]|$)/

/** Whether a release is the other one or a later one; false for invalid names. */
export function atLeast(release: string, other: string): boolean {
  const [numbers, others] = [numbersOf(release), numbersOf(other)]
  if (!numbers || !others) return false
  return numbers.major === others.major
    ? numbers.minor >= others.minor
    : numbers.major > others.major
}

/** The numbers of `3.2`, `3.2.1` or `3.2-beta.5`. */
export function numbersOf(release: string): { major: number; minor: number } | undefined {
  const [, major, minor] = NAME.exec(release) ?? []
  if (major === undefined || minor === undefined) return undefined
  return { major: Number(major), minor: Number(minor) }
}
